import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect } from '@playwright/test'
import { type Entry, type Files, pathBytes, snapshot, type TestRepo } from './support/index.ts'

/** The id that git gives to a file of these bytes, computed here. */
export function blobId(content: string | Uint8Array): string {
  const bytes = Buffer.from(content)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

function indexRow(path: string, entry: Exclude<Entry, null>): string {
  const name = pathBytes(path).toString('latin1')
  if (typeof entry === 'string' || entry instanceof Uint8Array) return `100644 ${blobId(entry)} 0\t${name}`
  if ('symlink' in entry) return `120000 ${blobId(entry.symlink)} 0\t${name}`
  if ('submodule' in entry) return `160000 ${entry.submodule} 0\t${name}`
  return `${entry.mode} ${blobId(entry.content)} 0\t${name}`
}

/** `ls-files -s` with the paths as their bytes in latin1. */
function indexRows(repo: TestRepo): string[] {
  const listed = repo.gitBytes(['ls-files', '-s', '-z']).toString('latin1')
  return listed.split('\0').filter((row) => row !== '')
}

const pathOf = (row: string) => row.slice(row.indexOf('\t') + 1)
const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** All that lies outside a folder: what the index has, and every file of the working tree with its time. */
export interface Outside {
  readonly index: readonly string[]
  readonly disk: ReadonlyMap<string, string>
}

export function outside(repo: TestRepo, folder: string): Outside {
  const disk = [...snapshot(repo.dir, ['.git'])].filter(([path]) => !isBelow(path, folder))
  return { index: indexRows(repo).filter((row) => !isBelow(pathOf(row), folder)), disk: new Map(disk) }
}

/**
 * The folder is settled: index and working tree hold exactly these files, of these modes and bytes, git finds nothing
 * to add to it, and all outside the folder is as it was.
 */
export function expectSettled(repo: TestRepo, folder: string, files: Files, before: Outside): void {
  const left = Object.entries(files).flatMap(([path, entry]) =>
    entry === null ? [] : [[`${folder}/${path}`, entry] as const],
  )
  const rows = indexRows(repo).filter((row) => isBelow(pathOf(row), folder))
  expect(rows).toEqual(left.map(([path, entry]) => indexRow(path, entry)).sort(byPath))
  for (const [path, entry] of left) expectOnDisk(repo.file(path), entry, path)
  expect(filesBelow(repo, folder)).toEqual(left.map(([path]) => pathBytes(path).toString('latin1')).sort())
  const status = repo.git('status', '--porcelain=v2', '--untracked-files=all', '--', folder)
  for (const row of status.split('\n').filter((one) => one !== '')) expect(row).toMatch(/^[12] [A-Z]\. /)
  const after = outside(repo, folder)
  expect(after.index).toEqual(before.index)
  expect([...after.disk].sort()).toEqual([...before.disk].sort())
}

const byPath = (a: string, b: string) => (pathOf(a) < pathOf(b) ? -1 : 1)

function expectOnDisk(file: Buffer, entry: Exclude<Entry, null>, path: string): void {
  const stat = lstatSync(file)
  if (typeof entry === 'string' || entry instanceof Uint8Array) {
    expect(stat.isFile() && (stat.mode & 0o100) === 0, `${path} is a file that cannot be run`).toBe(true)
    expect(readFileSync(file).equals(Buffer.from(entry)), `the bytes of ${path}`).toBe(true)
  } else if ('symlink' in entry) {
    expect(stat.isSymbolicLink(), `${path} is a link`).toBe(true)
    expect(readlinkSync(file)).toBe(entry.symlink)
  } else if ('submodule' in entry) expect(stat.isDirectory(), `${path} is a folder`).toBe(true)
  else {
    expect((stat.mode & 0o100) !== 0, `${path} can be run`).toBe(entry.mode === '100755')
    expect(readFileSync(file).equals(Buffer.from(entry.content)), `the bytes of ${path}`).toBe(true)
  }
}

/** Files, links and folders with nothing in them below a folder; paths as bytes in latin1. */
function filesBelow(repo: TestRepo, folder: string): string[] {
  const found: string[] = []
  const walk = (dir: Buffer, relative: string) => {
    let entries: Buffer[]
    try {
      entries = readdirSync(dir, { encoding: 'buffer' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    if (entries.length === 0) found.push(relative.slice(0, -1))
    for (const entry of entries) {
      const full = Buffer.concat([dir, Buffer.from('/'), entry])
      const path = `${relative}${entry.toString('latin1')}`
      if (lstatSync(full).isDirectory()) walk(full, `${path}/`)
      else found.push(path)
    }
  }
  walk(repo.file(folder), `${folder}/`)
  return found.sort()
}

/** Bytes as lines, each with its ending; `unit` is the line feed as the encoding writes it. */
function linesOf(bytes: Uint8Array, unit: Uint8Array): Buffer[] {
  const all = Buffer.from(bytes)
  const lines: Buffer[] = []
  for (let from = 0; from < all.length; ) {
    let at = all.indexOf(unit, from)
    while (at !== -1 && at % unit.length !== 0) at = all.indexOf(unit, at + 1)
    const end = at === -1 ? all.length : at + unit.length
    lines.push(all.subarray(from, end))
    from = end
  }
  return lines
}

/**
 * Every line of base that no side touched stands in the result byte for byte, in its place. `touched`: of the lines that
 * a side touched, counted from 1, how many lines stand in the result in their place.
 */
export function expectUntouched(
  result: Uint8Array,
  base: Uint8Array,
  touched: Readonly<Record<number, number>>,
  unit: Uint8Array = Buffer.from('\n'),
): void {
  const [old, now] = [linesOf(base, unit), linesOf(result, unit)]
  let at = 0
  for (const [i, line] of old.entries()) {
    const instead = touched[i + 1]
    if (instead === undefined) expect(now[at]?.equals(line), `line ${i + 1} of base, byte for byte`).toBe(true)
    at += instead ?? 1
  }
  expect(now.length, 'lines of the result').toBe(at)
}
