import type { Caller } from '../../../../shared/contract/index.ts'
import { type Person, personIn } from '../../git/commit.ts'
import type { ConfigEntry } from '../../git/drivers.ts'

/** A name that git takes: no angle brackets, no control characters, no blanks at its ends. */
const cleanName = (name: string): string =>
  name
    .replaceAll(/[<>\p{Cc}\p{Cs}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 100)

/** An agent as a commit's author: `<name> <slug@agent.invalid>`. */
export function agentAuthor(actor: string): Person {
  const name = cleanName(actor) || 'agent'
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return { name, email: `${slug || 'agent'}@agent.invalid` }
}

/** Whether an agent asks, not the person themselves. */
export const isAgent = (caller: Caller): boolean => caller.actor !== undefined

/** The name that candidates and trailers carry. */
export const actorName = (caller: Caller, config: readonly ConfigEntry[]): string =>
  caller.actor === undefined ? personIn(config).name : cleanName(caller.actor) || 'agent'
