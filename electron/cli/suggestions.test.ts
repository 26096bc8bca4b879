import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { commands } from '../../renderer/app/commands.ts'
import { catalogue, type Suggestion } from '../../shared/errors/index.ts'
import { Refusal } from '../../shared/model/index.ts'
import { refused } from './answer.ts'
import { readArguments, readCommandLine } from './commandLine.ts'

/** Text that every schema of text takes. */
const TEXT = 'a'.repeat(40)

/** Some value that a schema takes. */
function sample(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'string':
      return TEXT
    case 'number':
      return 3
    case 'boolean':
      return true
    case 'literal':
      return def.values[0]
    case 'enum':
      return Object.values(def.entries)[0]
    case 'union':
      return sample(def.options[0] as z.core.$ZodType)
    case 'array':
      return [sample(def.element), sample(def.element)]
    case 'nullable':
    case 'optional':
      return sample(def.innerType)
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, sample(field)]))
    default:
      throw new Error(`no sample of ${def.type}`)
  }
}

const PROGRAMS = ['git', 'rm', 'ls']

/** The words of a command line as a shell would split them: plain words and single quotes. */
const words = (line: string) =>
  [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map((m) => m[1]?.replaceAll("'\\''", "'") ?? m[2] ?? '')

async function expectRunnable(shell: string): Promise<void> {
  const [program, ...argv] = words(shell)
  if (program !== 'daybreak') return expect(PROGRAMS).toContain(program)
  const asked = readCommandLine(argv, '/')
  if (asked.row === null) return expect(argv).toContain('--help')
  const { verb } = await asked.row.load()
  expect(readArguments(argv, asked, verb)).toBeDefined()
}

async function expectSound({ label, shell, command }: Suggestion): Promise<void> {
  expect(label).not.toBe('')
  expect(shell ?? command ?? label).toBeDefined()
  if (shell !== undefined) await expectRunnable(shell)
  if (command !== undefined && !HOST_COMMANDS.includes(command))
    expect(commands.map((one) => one.id)).toContain(command)
}
/** What the page does beside its command table. */
const HOST_COMMANDS = ['error.retry']

/** What is a command line itself, and so cannot be any text. */
const given: Partial<Record<keyof typeof catalogue, object>> = {
  ERR_USAGE: { suggestion: 'daybreak config get' },
  ERR_WHICH_RUN: { verb: 'sleep approve', runs: ['sleep/2026-11-30', "sleep/it's one"] },
}

describe('every step that a failure names is one that there is', () => {
  test.each(Object.keys(catalogue) as (keyof typeof catalogue)[])('%s', async (code) => {
    const row = catalogue[code] as unknown as {
      data: z.core.$ZodType
      suggestions(data: unknown): readonly Suggestion[]
    }
    const data = { ...(sample(row.data) as object), ...given[code] }
    for (const suggestion of row.suggestions(data)) await expectSound(suggestion)
  })
})

describe('every step that a refusal names is one that there is', () => {
  test.each(Refusal.options.map((option) => ({ kind: String([...option.shape.refusal.values][0]), option })))(
    '$kind',
    async ({ option }) => {
      const refusal = Refusal.parse(sample(option))
      const { data, text } = refused('sleep.approve', { approved: false }, refusal, "sleep/it's")
      const { suggestions } = data as { suggestions: readonly Suggestion[] }
      expect(suggestions.length).toBeGreaterThan(0)
      for (const suggestion of suggestions) await expectSound(suggestion)
      expect(text).toContain('Nothing was moved.')
    },
  )
})
