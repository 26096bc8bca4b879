import type { HunkChoice } from '../../../shared/model/index.ts'
import { publishAnswer } from '../documents/answers.ts'
import { needed } from '../documents/input.ts'
import { usageError } from '../usage.ts'
import { text, texts, type Verb } from '../verb.ts'

const USAGE = 'daybreak candidate resolve ID --take HUNK=ours|theirs|both|base …'
const TAKES = ['ours', 'theirs', 'both', 'base'] as const

export const verb: Verb = {
  options: { take: { type: 'string', multiple: true }, session: { type: 'string' } },
  words: 1,
  help: ['--take HUNK=SIDE   for each hunk in conflict, by its number; *=SIDE for all others'],
  async run({ session, values, positionals }) {
    const candidate = needed(positionals[0], 'candidate', USAGE)
    const { id } = await session.repository()
    const found = await session.call('candidates.show', { repoId: id, candidate })
    const given = new Map(texts(values, 'take').map(readTake))
    const rest = given.get('*')
    const choices = found.structured.flatMap((hunk): HunkChoice[] => {
      if (hunk.conflict === null) return []
      const take = given.get(String(hunk.index)) ?? rest
      return take === undefined ? [] : [{ hunk: hunk.index, take }]
    })
    const settle = { repoId: id, candidate, choices, session: text(values, 'session') ?? null }
    return publishAnswer('candidate.resolve', await session.call('candidates.resolve', settle))
  },
}

function readTake(given: string): [hunk: string, take: (typeof TAKES)[number]] {
  const [hunk = '', side = ''] = given.split('=')
  const take = TAKES.find((one) => one === side)
  if (take === undefined || !/^(?:\d+|\*)$/.test(hunk))
    throw usageError(`--take wants HUNK=ours, theirs, both or base. Usage: ${USAGE}`, USAGE)
  return [hunk, take]
}
