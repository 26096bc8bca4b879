import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './shellWord.ts'

test.each([
  ['a/b-c.d', 'a/b-c.d'],
  ['', "''"],
  ["it's one", "'it'\\''s one'"],
  ['$HOME `x` "y" \\', '\'$HOME `x` "y" \\\''],
  ["two\nlines\tof 'x' \\", "$'two\\nlines\\tof \\'x\\' \\\\'"],
  ['\u001b[0m\u0085\u202e', "$'\\x1b[0m\\u0085\\u202e'"],
])('%j is one word, in which nothing is hidden', (text, word) => {
  expect(shellWord(text)).toBe(word)
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  if (process.platform !== 'win32')
    expect(String(execFileSync('bash', ['-c', `printf %s ${word}`], { env }))).toBe(text)
})

test('a byte that is no text stays that byte', () => {
  expect(shellWord('a\udcffb')).toBe("$'a\\xffb'")
})
