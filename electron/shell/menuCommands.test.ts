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

test('a bare letter is not in the menu of macOS, which would take it from what is typed', () => {
  expect(shownAccelerator('V', 'darwin')).toBeUndefined()
  expect(shownAccelerator('V', 'linux')).toBe('V')
  expect(shownAccelerator('F7', 'darwin')).toBe('F7')
})
