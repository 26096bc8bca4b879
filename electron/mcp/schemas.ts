/** JSON schemas of the tools' arguments, as small as they can be: agents pay for them in every turn. */

interface Property {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: object
  readonly properties?: Readonly<Record<string, Property>>
}

export interface ObjectSchema {
  readonly [key: string]: unknown
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Property>>
  readonly required?: string[]
}

/** An object with these properties; names that end in `?` are optional. */
export function object(properties: Readonly<Record<string, Property>>): ObjectSchema {
  const required = Object.keys(properties).filter((name) => !name.endsWith('?'))
  const bare = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name.replace(/\?$/, ''), one]))
  return { type: 'object', properties: bare, ...(required.length === 0 ? {} : { required }) }
}

export const string = (description?: string): Property => ({ type: 'string', ...(description ? { description } : {}) })
export const integer = (minimum: number, description?: string): Property => ({
  type: 'integer',
  minimum,
  ...(description ? { description } : {}),
})
export const boolean: Property = { type: 'boolean' }
export const oneOf = (...values: string[]): Property => ({ type: 'string', enum: values })
export const anObject = (description: string): Property => ({ type: 'object', description })

/** Per-hunk choices of a candidate. */
export const CHOICES: Property = {
  type: 'array',
  items: object({ hunk: integer(0), 'take?': oneOf('ours', 'theirs', 'both', 'base'), 'text?': string() }),
}
