import { createInterface } from 'node:readline/promises'
import type { TrustState } from '../../../shared/model/index.ts'
import { success } from '../answer.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

export const verb: Verb = {
  options: { show: { type: 'boolean' }, revoke: { type: 'boolean' } },
  words: 0,
  help: [
    '--show     only say what would run, and whether you have accepted it',
    '--revoke   take the acceptance back',
    'On a terminal it asks first. What is accepted is the exact text shown: changed text asks again.',
  ],
  async run({ session, values, json, say }) {
    const { id: repoId } = await session.repository()
    if (values.revoke === true) {
      const state = await session.call('trust.revoke', { repoId })
      return success('trust', state, 'What this repository wants to run is not accepted any more.')
    }
    const state = await session.call('trust.get', { repoId })
    if (values.show === true || state.state === 'nothing-to-trust' || state.state === 'trusted')
      return success('trust', state, toText(state).join('\n'))
    if (!json) for (const line of toText(state)) say(line)
    if (!json && process.stdin.isTTY && !(await confirmed())) return success('trust', state, 'Nothing was accepted.')
    const accepted = await session.call('trust.accept', { repoId, hash: state.hash })
    return success('trust', accepted, 'Accepted, as shown.')
  },
}

const STATES = {
  'nothing-to-trust': 'This repository runs nothing of its own.',
  trusted: 'You have accepted what this repository runs:',
  'not-trusted': 'This repository wants to run, once you accept it:',
  changed: 'The text changed since you accepted it. This repository wants to run:',
} as const

function toText(state: TrustState): string[] {
  return [STATES[state.state], ...state.items.map((item) => plainLines(`  ${item.kind} ${item.name}: ${item.command}`))]
}

async function confirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question('Accept it? [y/N] ')).trim())
  } finally {
    terminal.close()
  }
}
