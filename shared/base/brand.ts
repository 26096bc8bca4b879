/** A nominal type: a `Base` that only a parser may produce. */
export type Brand<Base, Name extends string> = Base & { readonly __brand: Name }
