import type { WireError } from '../../shared/errors/appError.ts'

/**
 * The catalogue's ERR_CONNECTION_LOST in its wire form. Written out here, and compared with the catalogue by a test,
 * so that the page does not load the catalogue's schemas for it.
 */
export const connectionLost: WireError = {
  code: 'ERR_CONNECTION_LOST',
  message: 'The connection to Daybreak was lost.',
  unchanged: ['What was asked for last may or may not have been done; the page is read again on reconnecting.'],
  suggestions: [{ label: 'Reload', command: 'app.reload' }],
  data: {},
}
