import { AppError } from '../../../shared/errors/index.ts'
import type { Git } from './process.ts'
import type { TouchedPath } from './touched.ts'

/** Makes sure that every object that a move would write out is there. Errors: ERR_REPOSITORY_DAMAGED. */
export async function requireObjects(git: Git, touched: readonly TouchedPath[]): Promise<void> {
  const wanted = touched.flatMap((one) => (one.new && one.new.mode !== '160000' ? [one] : []))
  if (wanted.length === 0) return
  const input = wanted.map((one) => `${one.new?.oid}\n`).join('')
  const out = await git.text(['cat-file', '--buffer', '--batch-check=%(objectname)'], { input, ok: [0, 128] })
  const missing = out.split('\n').findIndex((line) => line.endsWith(' missing'))
  if (missing === -1) return
  const { path, new: entry } = wanted[missing] as TouchedPath
  throw new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing: `${entry?.oid} (${path})` })
}
