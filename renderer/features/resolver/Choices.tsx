import { useApp } from '../../state/react.ts'
import { draftOf, type OpenItem, statesOf } from '../../state/resolver.ts'
import { choose } from '../../state/resolverActs.ts'
import { type ChoiceView, choiceViews } from './model/choices.ts'

interface Props {
  readonly id: string
  readonly open: OpenItem
}

/** The ways to settle what is not a matter of lines: the sides beside each other, the rest across both. */
export function Choices({ id, open }: Props) {
  const states = statesOf(open)
  const name = `Conflict ${states.length} of ${states.length}`
  const views = choiceViews(open.resolution)
  const of = (side: 'ours' | 'theirs') => views.filter((one) => one.choice.side === side)
  const pairs = Array.from({ length: Math.max(of('ours').length, of('theirs').length) }, (_, i) => i)
  const rest = views.filter((one) => one.choice.side !== 'ours' && one.choice.side !== 'theirs')
  const one = (view: ChoiceView | undefined, wide = false) =>
    view && <Choice key={view.choice.id} id={id} open={open} view={view} wide={wide} />
  return (
    <fieldset className="choices" aria-label={name}>
      <div className="choice-list" role="radiogroup" aria-label="What becomes of it">
        {pairs.map((i) => {
          const [left, right] = [of('ours')[i], of('theirs')[i]]
          const alone = left === undefined || right === undefined
          return [one(left, alone), one(right, alone)]
        })}
        {rest.map((view) => one(view, true))}
      </div>
    </fieldset>
  )
}

function Choice({ id, open, view, wide }: Props & { readonly view: ChoiceView; readonly wide: boolean }) {
  const app = useApp()
  const { choice, name, title, key } = view
  const on = draftOf(open).choice === choice.id
  const about = `about-${choice.id}`
  return (
    <label className={`choice${wide ? ' wide' : ''}${on ? ' on' : ''}`}>
      <input
        type="radio"
        name={`choice ${id}`}
        aria-label={name}
        aria-describedby={about}
        aria-keyshortcuts={key ?? undefined}
        checked={on}
        onChange={() => choose(app, id, choice.id)}
      />
      <span className="choice-words">
        <b>{title}</b>
        <span className="d" id={about}>
          {[choice.label, ...choice.notes].join('. ')}
        </span>
      </span>
      {key !== null && (
        <span aria-hidden="true" className="key">
          {key}
        </span>
      )}
    </label>
  )
}
