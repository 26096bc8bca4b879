import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { AppError } from '../../../shared/errors/index.ts'
import type { Metadata } from '../../../shared/model/index.ts'
import { usageError } from '../usage.ts'
import { type Invocation, text, texts } from '../verb.ts'

/** The body that a command is given: `--body-file F`, `-` or nothing for standard input. As base64, so that no byte is touched. */
export async function readBody({
  values,
  cwd,
  stdin,
}: Invocation): Promise<{ body: string; encoding: 'utf-8' | 'base64' }> {
  const file = text(values, 'body-file') ?? '-'
  const bytes = file === '-' ? await buffer(stdin) : await readGiven(resolve(cwd, file))
  if (values.binary === true) return { body: bytes.toString('base64'), encoding: 'base64' }
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    throw new AppError('ERR_NOT_TEXT', { path: file, at: 0 })
  }
}

async function readGiven(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') throw new AppError('ERR_NO_PERMISSION', { path: file }, { cause })
    throw new AppError('ERR_PATH_NOT_FOUND', { path: file }, { cause })
  }
}

/** Fields of `--meta k=v`; an empty value removes one, several of one name are a list. */
export function readMetadata({ values }: Invocation, usage: string): Metadata | null {
  const fields: Metadata = {}
  for (const given of texts(values, 'meta')) {
    const cut = given.indexOf('=')
    if (cut <= 0) throw usageError(`--meta wants name=value, not \`${given}\`. Usage: ${usage}`, usage)
    const [name, value] = [given.slice(0, cut), given.slice(cut + 1)]
    const before = fields[name]
    if (before === undefined || before === null) fields[name] = value === '' ? null : value
    else fields[name] = Array.isArray(before) ? [...before, value] : [String(before), value]
  }
  return Object.keys(fields).length === 0 ? null : fields
}

/** A whole number from `least` on. */
export function readVersion(value: string | undefined, option: string, least: number, usage: string): number {
  const version = Number(value)
  if (value !== undefined && /^\d{1,9}$/.test(value) && version >= least) return version
  throw usageError(`${option} wants a whole number from ${least} on. Usage: ${usage}`, usage)
}

/** A word that a verb cannot do without. */
export function needed(word: string | undefined, what: string, usage: string): string {
  if (word !== undefined && word !== '') return word
  throw usageError(`It says no ${what}. Usage: ${usage}`, usage)
}
