export type { Brand } from './brand.ts'
export { assertNever, InvariantError, invariant } from './invariant.ts'
export { shellWord } from './shellWord.ts'
