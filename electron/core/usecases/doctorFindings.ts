import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { shellWord } from '../../../shared/base/index.ts'
import { AppError } from '../../../shared/errors/index.ts'
import type { DoctorFinding } from '../../../shared/model/index.ts'
import type { SafeDatabase } from '../store/safeDatabase.ts'

export type Finding = z.infer<typeof DoctorFinding>

export const fine = (id: string, title: string, detail: string): Finding => ({
  id,
  level: 'ok',
  title,
  detail,
  mend: null,
})

/** A failure in the words of the catalogue, with the first thing that helps. */
export function findingOf(id: string, title: string, error: unknown): Finding {
  if (!(error instanceof AppError)) {
    const detail = error instanceof Error ? error.message : String(error)
    return { id, level: 'problem', title, detail, mend: null }
  }
  const steps = error.toWire().suggestions.filter((one) => one.shell !== 'daybreak doctor')
  const step = steps.find((one) => one.shell) ?? steps[0]
  return { id, level: 'problem', title, detail: error.message, mend: step?.shell ?? step?.label ?? null }
}

/** Whether one of our own databases is sound. A damaged file is never removed: the mend puts it aside. */
export function checkDatabase(id: string, title: string, database: SafeDatabase): Finding {
  const aside = `mv ${shellWord(database.file)} ${shellWord(`${database.file}.damaged`)}`
  if (database.problem) {
    // Where there is no file, it is its folder that cannot be made or used.
    const mend = existsSync(database.file) ? aside : `Make a folder that can be written of ${dirname(database.file)}`
    return { ...findingOf(id, title, database.problem), ...(database.problem.code === 'ERR_STORAGE' ? { mend } : {}) }
  }
  try {
    const answer = String(database.db.pragma('quick_check(1)', { simple: true }))
    if (answer === 'ok') return fine(id, title, `${database.file} is sound.`)
    return { id, level: 'problem', title, detail: `${database.file} is damaged: ${answer}.`, mend: aside }
  } catch (error) {
    const detail = `${database.file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`
    return { id, level: 'problem', title, detail, mend: aside }
  }
}
