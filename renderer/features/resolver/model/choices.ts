import type { ConflictChoice, Resolution } from '../../../../shared/model/index.ts'

export interface ChoiceView {
  readonly choice: ConflictChoice
  /** The accessible name; it contains what is seen as the title. */
  readonly name: string
  /** Who or what it is, in bold. */
  readonly title: string
  /** The key that takes it; null where it has none. */
  readonly key: string | null
}

const KEYS: Readonly<Partial<Record<ConflictChoice['side'], string>>> = { ours: '1', theirs: '2', both: '3', base: '0' }

/** The first choice of a side: the one that the side's key takes. */
export const firstChoice = (choices: readonly ConflictChoice[], side: ConflictChoice['side']): ConflictChoice | null =>
  choices.find((one) => one.side === side) ?? null

/** The choices as they are shown: of each side the first has the side's name and key, further ones add their own words. */
export function choiceViews({ item, ours, theirs }: Pick<Resolution, 'item' | 'ours' | 'theirs'>): ChoiceView[] {
  const { choices } = item
  return choices.map((choice): ChoiceView => {
    const first = firstChoice(choices, choice.side) === choice
    const more = first ? '' : `, ${choice.label}`
    const [name, title] = {
      ours: [`Accept ours: ${ours.name}`, ours.name],
      theirs: [`Accept theirs: ${theirs.name}`, theirs.name],
      both: ['Accept both', 'Both'],
      base: ['Keep base', 'Base'],
      neither: ['Keep neither', 'Neither'],
    }[choice.side] as [string, string]
    return { choice, name: `${name}${more}`, title, key: first ? (KEYS[choice.side] ?? null) : null }
  })
}
