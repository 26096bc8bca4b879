import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { AppError } from '../../../shared/errors/index.ts'

type Missing =
  | 'documents.publish'
  | 'documents.append'
  | 'documents.archive'
  | 'candidates.list'
  | 'candidates.show'
  | 'candidates.resolve'
  | 'candidates.discard'
  | 'candidates.escalate'
  | 'branches.merge'

const refuse = (method: string) => () => {
  throw new AppError('ERR_NOT_SUPPORTED_HERE', { method })
}

/** Rows of the contract without a handler. */
export const notYetHandlers: Pick<CoreHandlers, Missing> = {
  'documents.publish': refuse('documents.publish'),
  'documents.append': refuse('documents.append'),
  'documents.archive': refuse('documents.archive'),
  'candidates.list': refuse('candidates.list'),
  'candidates.show': refuse('candidates.show'),
  'candidates.resolve': refuse('candidates.resolve'),
  'candidates.discard': refuse('candidates.discard'),
  'candidates.escalate': refuse('candidates.escalate'),
  'branches.merge': refuse('branches.merge'),
}
