import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { RUN, stores, type TestRepo, tempDir, withHome } from '../../e2e/support/index.ts'

const MAIN = resolve(import.meta.dirname, 'main.ts')
const BIN = resolve(import.meta.dirname, '../../bin')

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

function ended(child: ChildProcess): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  return new Promise((settle) => child.on('close', (code, signal) => settle({ code, signal, out, err })))
}

describe('the process', () => {
  let repo: TestRepo
  const home = withHome()
  beforeAll(() => {
    repo = stores.clean()
  })
  const start = (...argv: string[]) => spawn(process.execPath, [MAIN, ...argv], { cwd: repo.dir, env: home.env })

  test('serves until it is told to end, and then ends well', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const child = start('serve', repo.dir, '--json')
      const end = ended(child)
      const line = await new Promise<string>((settle) => child.stdout.once('data', settle))
      const { url, port } = JSON.parse(line).data
      expect(new URL(url).port).toBe(String(port))
      expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
      child.kill(signal)
      expect(await end).toMatchObject({ code: 0, signal: null })
    }
  })

  test('takes a port that is given, and says when it is taken', async () => {
    const first = start('serve', '--port', '0', '--json')
    const end = ended(first)
    const line = await new Promise<string>((settle) => first.stdout.once('data', settle))
    const { port } = JSON.parse(line).data
    expect(port).toBeGreaterThan(0)
    const second = await ended(start('serve', '--port', String(port), '--json'))
    expect(second.code).toBe(1)
    expect(JSON.parse(second.out)).toMatchObject({ code: 'ERR_PORT_IN_USE', data: { port } })
    first.kill('SIGINT')
    await end
  })

  test('does what it was asked for when nobody reads its answer', async () => {
    const child = start('sleep', 'review', '--json')
    child.stdout.destroy()
    child.stderr.destroy()
    const code = await new Promise((settle) => child.on('exit', settle))
    expect(code).toBe(0)
  })

  test.runIf(process.platform === 'linux')(
    'ends with 1 where its answer cannot be written, as on a full disk',
    async () => {
      const full = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [MAIN, 'status', '--json'], {
        cwd: repo.dir,
        env: home.env,
        stdio: ['ignore', full, 'pipe'],
      })
      closeSync(full)
      expect(await ended(child)).toMatchObject({
        code: 1,
        err: 'daybreak: not all of the answer could be written (ENOSPC)\n',
      })
    },
  )

  test('needs no home of the person, and blames no other for it', async () => {
    const env = { ...home.env, HOME: '/nonexistent', USERPROFILE: '/nonexistent' }
    const { code, out } = await ended(spawn(process.execPath, [MAIN, 'doctor', '--json'], { cwd: repo.dir, env }))
    expect([code, JSON.parse(out).data.problems]).toEqual([0, 0])
  })

  test('cancels a gate at Ctrl-C, with its children, and moves nothing', async () => {
    const gated = stores.clean()
    const pidFile = join(tempDir('pid'), 'pid')
    const gate = `echo $$ > ${pidFile}; sleep 600 & wait`
    gated.commit('Add a gate', { '.daybreak.yml': `gate: { run: ${JSON.stringify(gate)} }\n` })
    gated.git('rebase', '-q', 'main', RUN)
    gated.git('checkout', '-q', 'main')
    const run = (...argv: string[]) => spawn(process.execPath, [MAIN, ...argv], { cwd: gated.dir, env: home.env })
    expect((await ended(run('trust', '--json'))).code).toBe(0)
    const before = gated.refs()
    const child = run('sleep', 'approve', '--json')
    const end = ended(child)
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), { timeout: 20_000, interval: 20 })
    const gatePid = Number(readFileSync(pidFile, 'utf8'))
    child.kill('SIGINT')
    const { code, out } = await end
    expect(code).toBe(1)
    expect(JSON.parse(out).data).toMatchObject({ approved: false, refusal: 'gate-failed', reason: 'cancelled' })
    expect(() => process.kill(gatePid, 0)).toThrow()
    expect(gated.refs()).toEqual(before)
  })

  test('keeps its log off stdout', async () => {
    const { out, code } = await ended(start('status', '--json'))
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(out).type).toBe('status')
  })
})

describe('opening the app', () => {
  const home = withHome()
  const folder = tempDir('a folder')
  const open = (argv: readonly string[], env: NodeJS.ProcessEnv) => {
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...bare } = home.env
    return spawn(process.execPath, [MAIN, ...argv], { cwd: folder, env: { ...bare, ...env } })
  }
  /** Ends a served app once it has said where it is. */
  const served = async (child: ChildProcess) => {
    const end = ended(child)
    await new Promise((settle) => child.stdout?.once('data', settle))
    child.kill('SIGINT')
    return end
  }
  /** A binary that writes down how it was started and ends with `code`. */
  const fakeElectron = (code: number) => {
    const dist = tempDir('electron')
    writeFileSync(join(dist, 'electron'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${dist}/started'\nexit ${code}\n`)
    chmodSync(join(dist, 'electron'), 0o755)
    return { dist, started: () => readFileSync(join(dist, 'started'), 'utf8').trimEnd().split('\n') }
  }

  test('starts Electron on the folder, and ends as it ends', async () => {
    for (const code of [0, 3]) {
      const { dist, started } = fakeElectron(code)
      const child = open(['.', '--host', 'electron'], { ELECTRON_OVERRIDE_DIST_PATH: dist })
      expect((await ended(child)).code).toBe(code === 0 ? 0 : 1)
      expect(started()).toEqual([resolve(BIN, '..'), folder])
    }
  })

  if (process.platform === 'linux')
    test('opens in a browser where there is no display, and says why', async () => {
      const { code, out, err } = await served(open(['.'], {}))
      expect(code).toBe(0)
      expect(out).toMatch(/^Daybreak is at http:\/\/127\.0\.0\.1:\d+\/\?token=/)
      expect(err).toContain('There is no display')
    })

  test('opens where it is told to, by the option before the environment', async () => {
    const { dist } = fakeElectron(0)
    const asked = await served(
      open(['--host', 'serve'], { DAYBREAK_HOST: 'electron', ELECTRON_OVERRIDE_DIST_PATH: dist }),
    )
    expect(asked.out).toContain('Daybreak is at')
    const told = await ended(open([], { DAYBREAK_HOST: 'electron', ELECTRON_OVERRIDE_DIST_PATH: dist }))
    expect([told.code, told.out]).toEqual([0, ''])
    expect((await ended(open([], { DAYBREAK_HOST: 'moon' }))).code).toBe(2)
  })
})

describe('bin/daybreak', () => {
  /** A clone with a program that prints its arguments, so that nothing has to be built. */
  const clone = () => {
    const root = join(tempDir('clone'), 'a folder')
    cpSync(BIN, join(root, 'bin'), { recursive: true })
    mkdirSync(join(root, 'dist/electron'), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(root, 'dist/electron/cli.js'),
      'console.log(JSON.stringify(process.argv.slice(2)), process.execPath)',
    )
    return root
  }
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
  const call = (command: string, argv: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    ended(spawn(command, argv, { cwd: tempDir('anywhere'), env: { ...env, ...more } }))

  test('runs from anywhere, through links of links, with arguments as they are', async () => {
    const root = clone()
    const links = tempDir('links')
    symlinkSync(join(root, 'bin/daybreak'), join(links, 'first'))
    mkdirSync(join(links, 'deep'))
    symlinkSync('../first', join(links, 'deep/second'))
    const argv = ['a b', "it's", '--x=$HOME', '', '*']
    const { code, out } = await call(join(links, 'deep/second'), argv)
    expect([code, out.startsWith(JSON.stringify(argv))]).toEqual([0, true])
  })

  test('prefers the Node that was installed beside it', async () => {
    const root = clone()
    const own = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'node'), `#!/bin/sh\necho own\nexec '${process.execPath}' "$@"\n`)
    chmodSync(join(own, 'node'), 0o755)
    expect((await call(join(root, 'bin/daybreak'), [])).out).toMatch(
      process.platform === 'linux' ? /^own\n\[\]/ : /^\[\]/,
    )
  })

  test('says in one line that Node is too old, that there is none, or that nothing is built', async () => {
    const root = clone()
    const old = join(root, 'old.cjs')
    writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { ...process.versions, napi: '9' } })")
    const tooOld = await call(join(root, 'bin/daybreak'), [], { NODE_OPTIONS: `--require "${old}"` })
    expect(tooOld).toMatchObject({ code: 1, out: '' })
    expect(tooOld.err).toBe(`daybreak: Node 24 or newer is needed; this is ${process.version}\n`)

    const tools = tempDir('tools')
    for (const tool of ['sh', 'uname', 'dirname', 'readlink']) symlinkSync(`/usr/bin/${tool}`, join(tools, tool))
    const none = await call(join(root, 'bin/daybreak'), [], { PATH: tools })
    expect(none).toMatchObject({ code: 1, out: '', err: 'daybreak: no Node was found; install Node 24 or newer\n' })

    rmSync(join(root, 'dist'), { recursive: true })
    const unbuilt = await call(join(root, 'bin/daybreak'), [])
    expect(unbuilt).toMatchObject({ code: 1, out: '' })
    expect(unbuilt.err).toContain('not built yet')
  })
})
