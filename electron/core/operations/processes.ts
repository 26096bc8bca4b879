import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { ProcessMark } from '../store/operations.ts'

/** Environment variable that every child process of an operation carries. */
export const OPERATION_VARIABLE = 'DAYBREAK_OPERATION'

let boot: string | null = null

function bootId(): string {
  try {
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  } catch {
    boot ??= ''
  }
  return boot
}

/** When a process started, as something to compare; null where it does not live. */
function startOf(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      // The name in parentheses may hold anything; what follows the last one are plain fields, state first.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' || fields[0] === 'X' ? null : `${bootId()}:${fields[19]}`
    } catch {
      return null
    }
  }
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return null
  }
  if (process.platform === 'win32') return ''
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}

/** A living process by its id, for an intent row. */
export const markOf = (pid: number): ProcessMark => ({ pid, started: startOf(pid) ?? '' })

let self: ProcessMark | null = null

/** This process. */
export function ownMark(): ProcessMark {
  self ??= markOf(process.pid)
  return self
}

/** Whether that very process still lives. */
export function isAlive(mark: ProcessMark): boolean {
  const started = startOf(mark.pid)
  return started !== null && (mark.started === '' || started === '' || started === mark.started)
}

/**
 * Living processes that an operation started, the recorded ones and, where the system shows environments (Linux),
 * those that were started in the instant before they could be recorded.
 */
export function livingChildren(operation: string, recorded: readonly ProcessMark[]): number[] {
  const living = new Set(recorded.filter(isAlive).map((mark) => mark.pid))
  if (process.platform === 'linux') {
    const wanted = Buffer.from(`\0${OPERATION_VARIABLE}=${operation}\0`)
    for (const name of readdirSync('/proc')) {
      const pid = Number(name)
      if (!Number.isInteger(pid) || pid === process.pid || startOf(pid) === null) continue
      try {
        const environment = readFileSync(`/proc/${pid}/environ`)
        if (Buffer.concat([Buffer.from([0]), environment]).includes(wanted)) living.add(pid)
      } catch {
        // Another user's process, or one that has just ended.
      }
    }
  }
  return [...living]
}

/** Whether the mark tells that process from a later one with the same id. */
export const isCertain = (mark: ProcessMark): boolean => mark.started !== ''

/** Ends a process that leads a group of its own, and all that it started. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
