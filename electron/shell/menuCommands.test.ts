import { expect, test } from 'vitest'
import { commands } from '../../renderer/app/commands.ts'
import { menuCommands, shownAccelerator } from './menuCommands.ts'

test.each(menuCommands)('$command is a command of the page, with that key', ({ command, accelerator }) => {
  const known = commands.find((one) => one.id === command)
  expect(known).toBeDefined()
  if (accelerator === undefined) return
  const key = accelerator.replace('CmdOrCtrl', 'Mod')
  expect(known?.keys?.map((one) => one.toLowerCase())).toContain(key.toLowerCase())
})

// What the native menu has an entry of its own for, what the settings hold, and what a page in trouble offers itself.
const ELSEWHERE = /^(?:edit\.undo|appearance\..+|review\.reload|repository\.retry|app\.reload)$/

test('every command of the page is in the menu, under its own name', () => {
  const named = new Map(menuCommands.map((one) => [one.command, one.label.replace('…', '')]))
  const wanted = commands.filter((one) => !ELSEWHERE.test(one.id))
  expect(wanted.map((one) => [one.id, named.get(one.id)])).toEqual(
    wanted.map((one) => [one.id, one.label.replace('…', '')]),
  )
})

test('a bare letter is not in the menu of macOS, which would take it from what is typed', () => {
  expect(shownAccelerator('V', 'darwin')).toBeUndefined()
  expect(shownAccelerator('V', 'linux')).toBe('V')
  expect(shownAccelerator('F7', 'darwin')).toBe('F7')
})
