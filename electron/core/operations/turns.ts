import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import type { RepositoryContext } from '../context.ts'
import type { ProcessMark } from '../store/operations.ts'
import { isAlive, ownMark } from './processes.ts'

type Place = Pick<RepositoryContext, 'dataDir'>

const Owner = z.object({ pid: z.number().int().positive(), started: z.string() })

/** How long one and the same ticket ahead is waited for, in milliseconds: turns are a courtesy, locks keep apart. */
const PATIENCE = 5000
/** How often the first in the row looks, and how much less often those behind, in milliseconds. */
const NEXT = 3
const FARTHEST = 40
/** When it is asked whether the owner of the ticket ahead still lives, in milliseconds after it was first seen. */
const SUSPICIOUS = 200
/** A ticket that cannot be read for this long was left by a process that was killed while making it, in milliseconds. */
const HALF_WRITTEN = 1000

let made = 0

const ticketsOf = (repo: Place): string => join(repo.dataDir, 'turns')

/**
 * Runs `work` when those of other processes that asked before have had their turn, so that nobody prepares a write that
 * is overtaken. Holds nothing: who has waited for long goes on, and where no ticket can be written there is no waiting.
 */
export async function inTurn<T>(repo: Place, work: () => Promise<T>): Promise<T> {
  const ticket = take(repo)
  try {
    if (ticket !== null) await untilFirst(repo, ticket)
    return await work()
  } finally {
    if (ticket !== null) drop(repo, ticket)
  }
}

/** Removes the tickets of processes that are gone. */
export function dropLeftTickets(repo: Place): void {
  for (const name of namesIn(repo)) if (isLeft(repo, name)) drop(repo, name)
}

function take(repo: Place): string | null {
  const folder = ticketsOf(repo)
  const name = `${String(Date.now()).padStart(15, '0')}-${ownMark().pid}-${made++}`
  try {
    mkdirSync(folder, { recursive: true })
    const draft = join(folder, `${name}.new`)
    writeFileSync(draft, JSON.stringify(ownMark()))
    renameSync(draft, join(folder, name))
    return name
  } catch {
    return null
  }
}

async function untilFirst(repo: Place, ticket: string): Promise<void> {
  let ahead: string | undefined
  let since = Date.now()
  for (;;) {
    const row = namesIn(repo).filter((name) => name < ticket)
    const [first] = row
    if (first === undefined) return
    if (first !== ahead) {
      ahead = first
      since = Date.now()
    }
    const waited = Date.now() - since
    if (waited > PATIENCE) return
    if (waited > SUSPICIOUS && isLeft(repo, first)) drop(repo, first)
    else await pause(Math.min(FARTHEST, NEXT * row.length))
  }
}

function namesIn(repo: Place): string[] {
  try {
    return readdirSync(ticketsOf(repo)).sort()
  } catch {
    return []
  }
}

function isLeft(repo: Place, name: string): boolean {
  const owner = ownerOf(repo, name)
  return owner === null ? Date.now() - Number(name.slice(0, 15)) > HALF_WRITTEN : !isAlive(owner)
}

function ownerOf(repo: Place, name: string): ProcessMark | null {
  try {
    return Owner.parse(JSON.parse(readFileSync(join(ticketsOf(repo), name), 'utf8')))
  } catch {
    return null
  }
}

function drop(repo: Place, name: string): void {
  try {
    rmSync(join(ticketsOf(repo), name), { force: true })
  } catch {
    // Whoever comes next finds it left and tries again.
  }
}
