import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { RepositoryContext } from '../context.ts'
import { endGroup, isAlive, isCertain, livingChildren, ownMark } from './processes.ts'

/** A gate that runs: it comes before the intent of its operation, so that it has a note of its own. */
const Mark = z.object({ pid: z.number().int().positive(), started: z.string() })
const GateNote = z.object({
  owner: Mark,
  /** The leader of its process group; null in the instant before it is known. */
  leader: Mark.nullable(),
  /** The export that it runs on. */
  folder: z.string(),
})
type GateNote = Readonly<z.infer<typeof GateNote>>

/** How the folders of exports begin, all of them in the system's folder for temporary files. */
const EXPORT = 'daybreak-gate-'

/** A fresh folder for the export that a gate runs on. */
export const makeGateFolder = (): string => mkdtempSync(join(tmpdir(), EXPORT))

const notesOf = (repo: Pick<RepositoryContext, 'dataDir'>): string => join(repo.dataDir, 'gates')
const noteFile = (repo: Pick<RepositoryContext, 'dataDir'>, operation: string): string =>
  join(notesOf(repo), `${operation}.json`)

/** Notes a gate that is about to run on `folder`, or that runs. */
export function noteGate(
  repo: Pick<RepositoryContext, 'dataDir'>,
  operation: string,
  gate: Omit<GateNote, 'owner'>,
): void {
  const file = noteFile(repo, operation)
  mkdirSync(notesOf(repo), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify({ owner: ownMark(), ...gate } satisfies GateNote))
  renameSync(`${file}.new`, file)
}

/** The gate is over. */
export const forgetGate = (repo: Pick<RepositoryContext, 'dataDir'>, operation: string): void =>
  rmSync(noteFile(repo, operation), { force: true })

/**
 * Ends the gates that a Daybreak that is gone left running, with all that they started, and removes their exports.
 * Only what is certainly theirs: the very process that was noted, and where the system shows environments (Linux)
 * those that carry the operation's id.
 */
export function endLeftGates(repo: Pick<RepositoryContext, 'dataDir'>): void {
  for (const name of namesIn(notesOf(repo))) {
    if (!name.endsWith('.json')) continue
    const operation = name.slice(0, -'.json'.length)
    const note = readNote(noteFile(repo, operation))
    if (note === null || isAlive(note.owner)) continue
    if (note.leader && isCertain(note.leader) && isAlive(note.leader)) endGroup(note.leader.pid)
    for (const pid of livingChildren(operation, [])) endOne(pid)
    // The note lies in the repository, which anybody may have made: it must not name a folder of the person's.
    if (dirname(note.folder) === tmpdir() && basename(note.folder).startsWith(EXPORT))
      rmSync(note.folder, { recursive: true, force: true, maxRetries: 3 })
    forgetGate(repo, operation)
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readNote(file: string): GateNote | null {
  try {
    return GateNote.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
