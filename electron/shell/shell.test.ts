import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { folderArgument } from './argument.ts'
import { installCommandLine, installMessage, toolsPlace } from './commandLineTools.ts'
import { mayOpenOutside } from './links.ts'
import { loginPath } from './loginPath.ts'
import { placeWindow, readWindowState, SMALLEST, writeWindowState } from './windowState.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybreak-shell-unit-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the folder argument is the first word that is no switch, from where the person is', () => {
  expect(folderArgument(['/app', 'notes'], 1, '/home/me')).toBe('/home/me/notes')
  expect(folderArgument(['/electron', '/app', '--inspect', '/a b'], 2, '/home/me')).toBe('/a b')
  expect(folderArgument(['/app', '--no-sandbox', ''], 1, '/home/me')).toBeNull()
  expect(folderArgument(['/electron', '/app'], 2, '/home/me')).toBeNull()
})

test('only https addresses of the list open outside', () => {
  expect(mayOpenOutside('https://git-scm.com/docs/git-config')).toBe(true)
  for (const address of [
    'http://git-scm.com/',
    'https://git-scm.com.evil.example/',
    'https://git-scm.com@evil.example/',
    'https://me:secret@git-scm.com/',
    'https://git-scm.com:8443/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://x',
    'no address',
  ])
    expect([address, mayOpenOutside(address)]).toEqual([address, false])
})

describe('the window', () => {
  const left = { x: -1920, y: 0, width: 1920, height: 1080 }
  const main = { x: 0, y: 25, width: 1440, height: 875 }
  const at = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height, maximized: false })

  test('opens where it was, also on a second display', () => {
    expect(placeWindow(at(100, 100), [main, left])).toEqual({ x: 100, y: 100, width: 1000, height: 700 })
    expect(placeWindow(at(-1800, 50), [main, left])).toEqual({ x: -1800, y: 50, width: 1000, height: 700 })
  })
  test('opens in the middle of the primary display where its title bar could not be reached', () => {
    const middle = { x: 220, y: 113, width: 1000, height: 700 }
    for (const lost of [at(-1800, 50), at(5000, 100), at(100, -300), at(100, 2000), at(-960, 100), at(1400, 100)])
      expect(placeWindow(lost, [main])).toEqual(middle)
  })
  test('is never larger than its display, nor smaller than what can be used', () => {
    expect(placeWindow(at(0, 25, 4000, 3000), [main])).toMatchObject({ width: 1440, height: 875 })
    expect(placeWindow(at(0, 25, 10, 10), [main])).toMatchObject(SMALLEST)
    expect(placeWindow(null, [{ x: 0, y: 0, width: 600, height: 400 }])).toEqual({
      x: 0,
      y: 0,
      width: 600,
      height: 400,
    })
  })
  test('forgets a state that cannot be read, and survives one that cannot be written', () => {
    const file = join(folder, 'deep', 'window.json')
    expect(readWindowState(file)).toBeNull()
    writeWindowState(file, at(1, 2))
    expect(readWindowState(file)).toEqual(at(1, 2))
    writeFileSync(file, '{"x": "1"}')
    expect(readWindowState(file)).toBeNull()
    writeFileSync(join(folder, 'file'), '')
    writeWindowState(join(folder, 'file', 'window.json'), at(1, 2))
  })
})

describe('the command line of the installed app', () => {
  const shipped = () => {
    const place = toolsPlace(join(folder, 'home'), join(folder, 'app'))
    mkdirSync(dirname(place.target), { recursive: true })
    writeFileSync(place.target, '#!/bin/sh\n')
    return place
  }
  test('is linked, again where the app has moved, and says when its folder is not on PATH', () => {
    const place = shipped()
    const { link, target } = place
    expect(installCommandLine(place, '/usr/bin', true)).toEqual({ installed: true, link, onPath: false })
    expect(readlinkSync(link)).toBe(target)
    rmSync(link)
    symlinkSync('/somewhere/else', link)
    const again = installCommandLine(place, `/usr/bin:${dirname(link)}`, true)
    expect(again).toEqual({ installed: true, link, onPath: true })
    expect(readlinkSync(link)).toBe(target)
    expect(installMessage(again).detail).not.toContain('PATH')
  })
  test('never replaces a file', () => {
    const place = shipped()
    mkdirSync(dirname(place.link), { recursive: true })
    writeFileSync(place.link, 'mine')
    const outcome = installCommandLine(place, '', true)
    expect(outcome).toMatchObject({ installed: false, why: 'taken' })
    expect(readFileSync(place.link, 'utf8')).toBe('mine')
    expect(installMessage(outcome).detail).toContain('left alone')
  })
  test('is not linked to a place that does not last', () => {
    const place = shipped()
    expect(installCommandLine(place, '', false)).toMatchObject({ why: 'no-lasting-place' })
    expect(lstatSync(place.link, { throwIfNoEntry: false })).toBeUndefined()
  })
})

describe('PATH from a dock', () => {
  const shell = (script: string) => {
    const file = join(folder, 'shell')
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return file
  }
  test('is what the login shell says, whatever else that prints', async () => {
    const SHELL = shell('echo welcome; PATH=/opt/git/bin:$PATH; eval "$2"; echo bye')
    expect(await loginPath({ PATH: '/usr/bin:/bin', SHELL }, 'darwin')).toBe('/opt/git/bin:/usr/bin:/bin')
  })
  test('stays as it is from a terminal, on Windows, or where the shell fails', async () => {
    const env = { PATH: '/usr/bin:/bin', SHELL: shell('exit 3') }
    expect(await loginPath(env, 'linux')).toBe('/usr/bin:/bin')
    expect(await loginPath({ ...env, SHELL: '/nonexistent' }, 'linux')).toBe('/usr/bin:/bin')
    expect(await loginPath({ ...env, SHELL: shell('echo x'), TERM: 'xterm' }, 'linux')).toBe('/usr/bin:/bin')
    expect(await loginPath({ ...env, SHELL: shell('echo x') }, 'win32')).toBe('/usr/bin:/bin')
  })
})
