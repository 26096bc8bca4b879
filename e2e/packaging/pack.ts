import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Where the fuses of an Electron binary are: this text, then a version, their number, and one character each. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
] as const

/**
 * A stand-in for the Electron binary. As the real one with RunAsNode it runs a script of the archive, here on plain Node
 * from the archive's extracted copy.
 */
const STUB = `#!/bin/sh
if [ "$ELECTRON_RUN_AS_NODE" != 1 ]; then echo "app: $*"; exit 7; fi
script=$(printf %s "$1" | sed 's#/app\\.asar/#/extracted/#')
shift
exec ${JSON.stringify(process.execPath)} "$script" "$@"
# ${FUSE_SENTINEL}`

/** Makes a folder that electron-builder takes for an Electron distribution. */
function stubElectron(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  const wire = Buffer.from([1, FUSES.length, ...FUSES.map(() => 0x30)])
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from(STUB), wire]))
  chmodSync(join(folder, 'electron'), 0o755)
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version']) writeFileSync(join(folder, name), 'stand-in')
}

/** Packs the built app into `folder`; returns the unpacked application's folder. */
export function pack(folder: string): string {
  const electron = join(folder, 'electron')
  stubElectron(electron)
  const output = join(folder, 'release')
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const settings = [`-c.electronDist=${electron}`, `-c.directories.output=${output}`]
  execFileSync(process.execPath, [builder, '--linux', '--dir', '--publish', 'never', ...settings], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return join(output, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')
}

/** The fuses of a packed binary. */
export function fusesOf(binary: string): Record<string, boolean> {
  const bytes = readFileSync(binary)
  const start = bytes.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length + 2
  return Object.fromEntries(FUSES.map((name, i) => [name, bytes[start + i] === 0x31]))
}
