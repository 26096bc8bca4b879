import { AppError } from '../../../../shared/errors/index.ts'
import type { BodyEncoding } from '../../../../shared/model/index.ts'

/** The most bytes of a body. */
export const MOST_BYTES = 10 * 1024 * 1024

/**
 * A body's bytes. Errors: ERR_BODY_TOO_LARGE; ERR_NOT_TEXT for what is no Unicode where text was promised, or no base64
 * where bytes were.
 */
export function bodyBytes(path: string, body: string, encoding: BodyEncoding): Buffer {
  if (encoding === 'utf-8' && !body.isWellFormed()) {
    const at = [...body].findIndex((char) => !char.isWellFormed())
    throw new AppError('ERR_NOT_TEXT', { path, at: Buffer.byteLength([...body].slice(0, at).join('')) })
  }
  const bytes = encoding === 'utf-8' ? Buffer.from(body, 'utf8') : Buffer.from(body, 'base64')
  if (encoding === 'base64') {
    const plain = body.replaceAll(/\s/g, '').replace(/=+$/, '')
    if (bytes.toString('base64').replace(/=+$/, '') !== plain)
      throw new AppError('ERR_BAD_REQUEST', { method: 'publish', issues: ['body: it is not valid base64'] })
  }
  checkSize(path, bytes.length)
  return bytes
}

/** Errors: ERR_BODY_TOO_LARGE. */
export function checkSize(path: string, bytes: number): void {
  if (bytes > MOST_BYTES) throw new AppError('ERR_BODY_TOO_LARGE', { path, bytes, most: MOST_BYTES })
}
