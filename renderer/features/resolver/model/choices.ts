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
    const view = (name: string, title: string): ChoiceView => ({
      choice,
      name: `${name}${more}`,
      title,
      key: first ? (KEYS[choice.side] ?? null) : null,
    })
    switch (choice.side) {
      case 'ours':
        return view(`Accept ours: ${ours.name}`, ours.name)
      case 'theirs':
        return view(`Accept theirs: ${theirs.name}`, theirs.name)
      case 'both':
        return view('Accept both', 'Both')
      case 'base':
        return view('Keep base', 'Base')
      case 'neither':
        return view('Keep neither', 'Neither')
    }
  })
}
