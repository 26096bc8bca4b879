import { encodePath } from '../../git/bytes.ts'
import type { Git } from '../../git/process.ts'

/** How many characters git's conflict markers have in this file. */
export async function markerSize(git: Git, path: string): Promise<number> {
  const input = Buffer.concat([encodePath(path), NUL])
  const { stdout } = await git.run(['check-attr', '-z', '--stdin', 'conflict-marker-size'], { input })
  const value = Number(stdout.toString('latin1').split('\0').at(-2))
  return Number.isInteger(value) && value > 0 ? value : 7
}

const NUL = Buffer.from([0])
