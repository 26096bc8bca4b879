import { gitBytes } from '../e2e/support/git.ts'
import { buildRepo, type TestRepo } from '../e2e/support/index.ts'

/** Numbers of a repository with a long history. */
export const LONG = { files: 50_000, commits: 20_000 } as const

const pathAt = (number: number) => `notes/${String(number % 200).padStart(3, '0')}/note-${number}.md`
const WORDS = 'pool cache retry queue shard index quota lease token probe batch fence river cloud stone'.split(' ')

function textAt(number: number, edition: number): string {
  const lines = [`# Note ${number}`, '']
  for (let line = 0; line < 6; line++) {
    const words = Array.from(
      { length: 10 },
      (_, at) => WORDS[(number * 7 + line * 3 + at * (1 + edition)) % WORDS.length],
    )
    lines.push(`${words.join(' ')} ${number}-${edition}-${line}.`)
  }
  return `${lines.join('\n')}\n`
}

/** The path of a document that was changed at the beginning, in the middle and near the end of the history. */
export const OFTEN = pathAt(7)

/** A bare repository whose main has 50,000 documents and 20,000 commits, packed. */
export function buildLongHistory(): TestRepo {
  const repo = buildRepo(undefined, { bare: true })
  const out: string[] = []
  const put = (path: string, text: string) =>
    out.push(`M 100644 inline ${path}`, `data ${Buffer.byteLength(text)}`, text)
  const commit = (number: number, message: string) => {
    const when = `${1_700_000_000 + number * 60} +0000`
    out.push('commit refs/heads/main', `mark :${number}`)
    out.push(`author A <a@example.invalid> ${when}`, `committer A <a@example.invalid> ${when}`)
    out.push(`data ${Buffer.byteLength(message)}`, message)
    if (number > 1) out.push(`from :${number - 1}`)
  }
  commit(1, 'Begin')
  for (let number = 0; number < LONG.files; number++) put(pathAt(number), textAt(number, 0))
  for (let number = 2; number <= LONG.commits; number++) {
    commit(number, `Change ${number}`)
    const path = number % 2000 === 0 ? OFTEN : pathAt((number * 37) % LONG.files)
    put(path, textAt(number, number % 9))
  }
  out.push('done', '')
  gitBytes(repo.dir, ['fast-import', '--quiet', '--done', '--force'], { input: out.join('\n') })
  repo.git('repack', '-q', '-a', '-d')
  return repo
}

export { pathAt }
