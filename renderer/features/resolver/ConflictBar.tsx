import type { LineDecision } from '../../../shared/model/index.ts'
import { useApp } from '../../state/react.ts'
import { draftOf, type OpenItem, type StateName, statesOf } from '../../state/resolver.ts'
import { change, openAgain, take } from '../../state/resolverActs.ts'
import { decisionWords } from '../../state/resolverWords.ts'
import { Icon } from '../../ui/Icon.tsx'
import { STATE_ICONS } from './Toolbar.tsx'
import { WhoMark } from './WhoLine.tsx'

interface Props {
  readonly id: string
  readonly open: OpenItem
  readonly conflict: number
}

/** The bar above a conflict's lines in the result: its state, the ways to decide it, and what was decided. */
export function ConflictBar({ id, open, conflict }: Props) {
  const app = useApp()
  const { resolution } = open
  const decision = draftOf(open).lines[conflict] ?? null
  const about = resolution.merge?.conflicts[conflict]
  const states = statesOf(open)
  const state: StateName = states[conflict] ?? 'open'
  const name = `Conflict ${conflict + 1} of ${states.length}`
  const current = open.current === conflict
  const buttons = decision === null || open.changing === conflict
  return (
    <fieldset
      className={`cbar st-${state}${current ? ' current' : ''}`}
      aria-label={name}
      aria-current={current || undefined}
    >
      <h3>{name}</h3>
      <span className="state">
        <Icon name={STATE_ICONS[state]} />
        {state === 'AI' ? 'AI, accepted by you' : state}
      </span>
      {buttons && <Buttons id={id} open={open} conflict={conflict} decision={decision} />}
      <span className="grow" />
      {decision === null ? (
        about?.combined != null && <span className="cut dim">simple: word edits do not overlap</span>
      ) : (
        <>
          <span className="cut dim">{decisionWords(resolution, decision)}</span>
          {(state === 'rule' || state === 'rerere') && open.changing !== conflict && (
            <button type="button" className="btn s" onClick={() => openAgain(app, id, conflict)}>
              Take back
            </button>
          )}
          {open.changing === conflict && (
            <button type="button" className="btn s" onClick={() => openAgain(app, id, conflict)}>
              Open again
            </button>
          )}
          <button
            type="button"
            className="btn s"
            aria-expanded={open.changing === conflict}
            onClick={() => change(app, id, conflict)}
          >
            Change
          </button>
        </>
      )}
    </fieldset>
  )
}

/** The ways to decide a conflict in the lines. */
function Buttons({ id, open, conflict, decision }: Props & { readonly decision: LineDecision | null }) {
  const app = useApp()
  const { resolution } = open
  const { ours, theirs, merge } = resolution
  const about = merge?.conflicts[conflict]
  const on = (one: LineDecision['take']) => (decision === null ? undefined : decision.take === one)
  const by = (one: LineDecision) => () => take(app, id, one, conflict)
  return (
    <>
      {about?.recorded != null && (
        <button
          type="button"
          className="btn s"
          aria-pressed={on('recorded')}
          onClick={by({ take: 'recorded', by: 'rerere' })}
        >
          <Icon name="rerere" />
          Use recorded resolution
        </button>
      )}
      <div className="group-btns">
        {(['ours', 'theirs'] as const).map((side, i) => (
          <button
            key={side}
            type="button"
            className="btn s side"
            aria-label={`Accept ${side}: ${resolution[side].name}`}
            aria-keyshortcuts={`${i + 1} Alt+${i + 1}`}
            aria-pressed={on(side)}
            onClick={by({ take: side, by: 'mine' })}
          >
            <WhoMark side={side} who={resolution[side]} />
            <span className="cut">{resolution[side].name}</span>
            <Kbd keys={String(i + 1)} />
          </button>
        ))}
        <button
          type="button"
          className="btn s"
          aria-label="Accept both"
          aria-keyshortcuts="3 Alt+3"
          aria-pressed={on('ours-then-theirs')}
          title={`Both, ${ours.name} first`}
          onClick={by({ take: 'ours-then-theirs', by: 'mine' })}
        >
          <span>Both</span>
          <Kbd keys="3" />
        </button>
        <button
          type="button"
          className="btn s icon"
          aria-label="Accept both, theirs first"
          aria-pressed={on('theirs-then-ours')}
          title={`Both, ${theirs.name} first`}
          onClick={by({ take: 'theirs-then-ours', by: 'mine' })}
        >
          <Icon name="swap" />
        </button>
        <button
          type="button"
          className="btn s"
          aria-label="Keep base"
          aria-keyshortcuts="0 Alt+0"
          aria-pressed={on('base')}
          onClick={by({ take: 'base', by: 'mine' })}
        >
          <span>Base</span>
          <Kbd keys="0" />
        </button>
      </div>
      {about?.combined != null && decision?.take !== 'combined' && (
        <button type="button" className="btn s" title={about.combined} onClick={by({ take: 'combined', by: 'rule' })}>
          <Icon name="wand" />
          Both word edits
        </button>
      )}
    </>
  )
}

function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="kbd dimmer" aria-hidden="true">
      {keys}
    </span>
  )
}
