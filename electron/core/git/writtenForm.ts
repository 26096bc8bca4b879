import { randomBytes } from 'node:crypto'
import { encodePath } from './bytes.ts'
import type { Git } from './process.ts'

/** A blob with the conversions that git applies when it writes it to this path. `env`: e.g. scratch objects to read from. */
export async function writtenForm(
  git: Git,
  path: string,
  oid: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  if (path.includes('\n')) return (await git.run(['cat-file', '--filters', `--path=${path}`, oid], { env })).stdout
  const input = Buffer.concat([Buffer.from(`${oid} `), encodePath(path), Buffer.from('\n')])
  const out = (await git.run(['cat-file', '--batch', '--filters'], { input, env })).stdout
  const start = out.indexOf(10) + 1
  return out.subarray(start, out.length - 1)
}

export interface WrittenFile {
  readonly path: string
  readonly oid: string
}

export const writtenKey = (path: string, oid: string): string => `${oid} ${path}`

/** The same for many at once, by `writtenKey`. A path with a line end is left out. */
export async function writtenForms(git: Git, files: readonly WrittenFile[]): Promise<Map<string, Buffer>> {
  const asked = files.filter((one) => !one.path.includes('\n'))
  const found = new Map<string, Buffer>()
  if (asked.length === 0) return found
  // The size that git tells is the one before the conversions: what no content holds says where each one ends.
  const mark = `daybreak-${randomBytes(16).toString('hex')}`
  const input = Buffer.concat(
    asked.flatMap((one) => [Buffer.from(`${one.oid} `), encodePath(one.path), Buffer.from(`\n${mark} x\n`)]),
  )
  const out = (await git.run(['cat-file', '--batch', '--filters'], { input })).stdout
  const end = Buffer.from(`\n${mark} missing\n`)
  let at = 0
  for (const { path, oid } of asked) {
    const stop = out.indexOf(end, at)
    const line = out.indexOf(10, at)
    if (stop === -1) return found
    // An object that is not there has one line and no content.
    if (line < stop) found.set(writtenKey(path, oid), out.subarray(line + 1, stop))
    at = stop + end.length
  }
  return found
}
