import { existsSync } from 'node:fs'
import { openVersions } from './openVersions.ts'

const [dir = '', stop = '', path = ''] = process.argv.slice(2)
const { versions, close } = await openVersions({ dir })
const told = new Set<string>()
for (let last = false; !last; ) {
  last = existsSync(stop)
  const head = await versions.head(path)
  if (head) told.add(`${head.version} ${head.oid}`)
}
await close()
process.stdout.write(JSON.stringify([...told]))
