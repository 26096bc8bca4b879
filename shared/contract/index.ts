export { dispatch } from './dispatch.ts'
export type { MethodKind } from './kinds.ts'
export { events, methods } from './methods.ts'
export type * from './types.ts'
