export { AppError, isAppError, type WireError } from './appError.ts'
export { catalogue, type ErrorCode, type ErrorData, type Suggestion } from './catalogue.ts'
export { count, type RefusalText, refusalText, someOf } from './refusals.ts'
