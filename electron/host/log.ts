import { randomBytes } from 'node:crypto'
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { makeFolder } from '../core/store/makeFolder.ts'

/** The log starts anew at this size, in bytes; one older file is kept. */
const LIMIT = 1_000_000

export interface Log {
  /** Appends one line with the time. Never throws: a log that cannot be written costs nobody their work. */
  line(text: string): void
  /** Writes an unexpected error with its stack and cause; returns the reference to name to the person. */
  report(error: unknown, what: string): string
}

/** The log of one process, `<home>/logs/daybreak.log`. */
export function createLog(home: string): Log {
  const folder = join(home, 'logs')
  const file = join(folder, 'daybreak.log')
  const line = (text: string) => {
    try {
      makeFolder(folder)
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LIMIT) renameSync(file, `${file}.old`)
      appendFileSync(file, `${new Date().toISOString()} ${process.pid} ${text}\n`)
    } catch {
      // Nowhere to write it.
    }
  }
  return {
    line,
    report(error, what) {
      const reference = randomBytes(4).toString('hex')
      line(`${reference} ${what}: ${inspect(error, { depth: 4 })}`)
      return reference
    },
  }
}
