import { existsSync } from 'node:fs'
import { openVersions } from './openVersions.ts'

/** Asks for the head of a path again and again, and prints each `<version> <blob>` once, until a file is there. */
const [dir = '', stop = '', path = ''] = process.argv.slice(2)
const { versions, close } = await openVersions({ dir })
const told = new Set<string>()
for (let last = false; !last; ) {
  last = existsSync(stop)
  const head = await versions.head(path)
  const line = `${head?.version} ${head?.oid}\n`
  if (!told.has(line)) process.stdout.write(line)
  told.add(line)
}
await close()
