import { describe, expect, test } from 'vitest'
import { tempDir } from '../../e2e/support/index.ts'
import { commandLine } from './testing/commandLine.ts'
import { VERBS } from './verbs.ts'
import { age, columns, nearest, plain, plainLines } from './words.ts'

const { daybreak, json } = commandLine(tempDir('cwd'))

describe('the command line', () => {
  test('explains itself, each verb too', async () => {
    const general = await daybreak('--help')
    expect([general.code, general.err]).toEqual([0, ''])
    for (const { name, usage } of VERBS) {
      if (name === 'open') continue
      expect(general.out).toContain(name)
      const one = await daybreak(...name.split(' '), '--help')
      expect([name, one.code, one.err]).toEqual([name, 0, ''])
      expect(one.out.startsWith(usage)).toBe(true)
    }
    expect((await daybreak('sleep', '--help')).code).toBe(0)
    expect((await daybreak('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test.each([
    [['stauts'], 'status'],
    [['sleep', 'aprove'], 'sleep approve'],
    [['config', 'gte'], 'config get'],
    [['doktor', '--json'], 'doctor'],
    [['slep', 'review'], 'sleep review'],
  ])('%j is answered with the nearest', async (argv, meant) => {
    const { code, out, err } = await daybreak(...argv)
    expect(code).toBe(2)
    expect(out + err).toContain(`Did you mean ${meant}?`)
  })

  test('is code 2 for every wrong call, with one envelope where --json asks for it', async () => {
    const wrong = [
      ['sleep'],
      ['frobnicate'],
      ['status', 'extra'],
      ['status', '--no-such-option'],
      ['status', '--repo'],
      ['serve', '--port', 'x'],
      ['serve', '--port', '70000'],
      ['sleep', 'approve', '--except'],
      ['sleep', 'review', 'a', 'b'],
      ['--host', 'nowhere', '.'],
    ]
    for (const argv of wrong) {
      const { code, envelope } = await json(...argv)
      expect([argv, code, envelope.code]).toEqual([argv, 2, 'ERR_USAGE'])
      expect(envelope.suggestions?.length).toBeGreaterThan(0)
      const text = await daybreak(...argv)
      expect([argv, text.code, text.out]).toEqual([argv, 2, ''])
    }
  })

  test('says so when the folder to serve is not there', async () => {
    expect(await json('serve', '/nonexistent/folder')).toMatchObject({
      code: 1,
      envelope: { code: 'ERR_PATH_NOT_FOUND' },
    })
  })
})

describe('words', () => {
  test('for a terminal have no control characters, and bytes that are no text are shown', () => {
    expect(plain('a\nb\tc\u001b[0m\u0085')).toBe('a\\nb\\tc\\x1b[0m\\x85')
    expect(plain('name\udcff 😀 ->')).toBe('name\\xff 😀 ->')
    expect(plainLines('one\r\n\ttwo\u0007')).toBe('one\n\ttwo\\x07')
  })
  test('line up, age and find their nearest', () => {
    expect(
      columns([
        ['a', 'bb', 'c'],
        ['aaa', 'b', 'c'],
      ]),
    ).toEqual(['a    bb  c', 'aaa  b   c'])
    const now = new Date('2026-11-30T12:00:00Z')
    expect([
      age('2026-11-30T11:59:50Z', now),
      age('2026-11-30T11:00:00Z', now),
      age('2026-11-27T11:00:00Z', now),
    ]).toEqual(['just now', '1 h ago', '3 d ago'])
    expect(age('2026-11-30T13:00:00Z', now)).toBe('just now')
    expect(nearest('stauts', ['status', 'serve'])).toBe('status')
    expect(nearest('xyz', ['status', 'serve'])).toBeNull()
  })
})
