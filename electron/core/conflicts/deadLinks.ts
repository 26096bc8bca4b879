import { someOf } from '../../../shared/errors/refusals.ts'
import type { ConflictItem } from '../../../shared/model/index.ts'
import type { Linking } from '../sleep/linking.ts'

/** The paths that a choice of these items takes away, whatever it is about. */
export const pathsTakenAway = (items: readonly ConflictItem[]): string[] => [
  ...new Set(items.flatMap((item) => item.choices.flatMap((choice) => goneBy(item, choice)))),
]

const goneBy = ({ paths }: ConflictItem, { result }: ConflictItem['choices'][number]) =>
  paths.filter((path) => result.every((one) => one.path !== path))

/** Says with each choice which links it leaves without a target. */
export function withDeadLinks(items: readonly ConflictItem[], linking: Linking): ConflictItem[] {
  if (linking.size === 0) return [...items]
  return items.map((item) => ({
    ...item,
    choices: item.choices.map((choice) => {
      const notes = goneBy(item, choice).flatMap((target) => {
        const from = (linking.get(target) ?? []).filter((path) => !item.paths.includes(path))
        const [verb, lead] = from.length === 1 ? ['links', 'leads'] : ['link', 'lead']
        return from.length > 0 ? [`${someOf(from)} ${verb} to ${target} and then ${lead} nowhere.`] : []
      })
      return notes.length > 0 ? { ...choice, notes: [...choice.notes, ...notes] } : choice
    }),
  }))
}
