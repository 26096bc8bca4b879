import { posix } from 'node:path'
import { parseSync } from 'vite'

export interface Violation {
  readonly file: string
  /** What was imported, as written. */
  readonly imported: string
  readonly rule: string
}

/** Which rooms a room may import, besides itself. A room is the longest prefix of this table that a file's path starts with. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'shared/base': [],
  'shared/model': ['shared/base'],
  'shared/merge': ['shared/base', 'shared/model'],
  'shared/triage': ['shared/base', 'shared/model', 'shared/merge'],
  'shared/errors': ['shared/base', 'shared/model'],
  'shared/contract': ['shared/base', 'shared/model', 'shared/errors'],
  'electron/core': ['shared', 'assets/sample'],
  'electron/host': ['shared', 'electron/core'],
  'electron/serve': ['shared', 'electron/core', 'electron/host'],
  'electron/cli': ['shared', 'electron/core', 'electron/host', 'electron/serve', 'electron/mcp'],
  'electron/mcp': ['shared', 'electron/core', 'electron/host'],
  'electron/shell': ['shared', 'electron/core', 'electron/host'],
  'electron/main.ts': ['electron/shell'],
  'electron/preload.ts': ['electron/shell'],
  renderer: ['shared'],
}

/** The only places that may import a package. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'simple-git': ['electron/core/git'],
  'better-sqlite3': ['electron/core/store'],
  'monaco-editor': ['renderer/editor'],
  electron: ['electron/shell', 'electron/main.ts', 'electron/preload.ts'],
  ws: ['electron/serve'],
  '@modelcontextprotocol/sdk': ['electron/mcp'],
  react: ['renderer'],
  'react-dom': ['renderer'],
  zustand: ['renderer'],
  zod: ['shared/model', 'shared/errors', 'shared/contract', 'electron'],
}

const within = (file: string, place: string) => file === place || file.startsWith(`${place}/`)
const roomOf = (file: string) =>
  Object.keys(ROOMS)
    .filter((room) => within(file, room))
    .sort((a, b) => b.length - a.length)[0]
const featureOf = (file: string) => /^renderer\/features\/[^/]+/.exec(file)?.[0]
/** `@scope/name/deep` → `@scope/name`. */
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

/** Every module a file imports, as written: static, dynamic, re-exported, for types or for values. */
export function importsOf(file: string, source: string): string[] {
  const { module } = parseSync(file, source)
  const literal = (start: number, end: number) => /^(['"`])(.*)\1$/s.exec(source.slice(start, end))?.[2]
  return [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) => one.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.flatMap((one) => literal(one.moduleRequest.start, one.moduleRequest.end) ?? []),
  ]
}

/** Checks a set of files, by their path from the project's root. Files outside of every room are not looked at. */
export function checkImports(files: ReadonlyMap<string, string>): { looked: number; violations: Violation[] } {
  const violations: Violation[] = []
  const graph = new Map<string, string[]>()
  for (const [file, source] of files) {
    const room = roomOf(file)
    if (room === undefined) continue
    const targets: string[] = []
    for (const imported of new Set(importsOf(file, source))) {
      const report = (rule: string) => violations.push({ file, imported, rule })
      if (imported.startsWith('.')) {
        const target = posix.join(posix.dirname(file), imported.replace(/\?.*$/, ''))
        targets.push(target)
        checkRoom(file, room, target, report)
      } else checkPackage(file, room, imported, report)
    }
    graph.set(file, targets)
  }
  for (const cycle of cycles(graph))
    violations.push({ file: cycle[0] ?? '', imported: cycle.slice(1).join(' → '), rule: 'a cycle' })
  return { looked: graph.size, violations }
}

function checkRoom(file: string, room: string, target: string, report: (rule: string) => void): void {
  const allowed = [room, ...(ROOMS[room] ?? [])]
  if (!allowed.some((place) => within(target, place)))
    report(`${room} may import only: ${allowed.slice(1).join(', ') || 'nothing'}`)
  const [from, to] = [featureOf(file), featureOf(target)]
  if (from !== undefined && to !== undefined && from !== to) report('features do not import each other')
}

function checkPackage(file: string, room: string, imported: string, report: (rule: string) => void): void {
  const name = packageOf(imported)
  const doors = Object.hasOwn(DOORS, name) ? DOORS[name] : undefined
  if (doors && !doors.some((place) => within(file, place))) report(`only ${doors.join(', ')} may import ${name}`)
  const builtin = imported.startsWith('node:')
  if (builtin && (room.startsWith('shared') || room === 'renderer')) report('no Node here')
  if (!builtin && doors === undefined && room.startsWith('shared')) report('shared has no package but zod')
}

/** The cycles of a graph, one for each strongly connected group (Tarjan), each closed by its first file. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    let least = index
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue
      if (!order.has(target)) least = Math.min(least, visit(target))
      else if (stack.includes(target)) least = Math.min(least, order.get(target) ?? index)
    }
    if (least === index) {
      const group = stack.splice(stack.indexOf(file))
      if (group.length > 1 || graph.get(file)?.includes(file)) found.push([...group, file])
    }
    return least
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return found
}
