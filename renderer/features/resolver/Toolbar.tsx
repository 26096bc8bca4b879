import type { ConflictSet } from '../../../shared/model/index.ts'
import { go } from '../../state/app.ts'
import { canRedo, canUndo, redoLabel, undoLabel } from '../../state/history.ts'
import { useApp } from '../../state/react.ts'
import { type OpenItem, STATES, type StateName, statesOf } from '../../state/resolver.ts'
import { redoAct, resolveSimple, simpleOnes, stepConflict, undoAct } from '../../state/resolverActs.ts'
import { patchItem } from '../../state/resolverItems.ts'
import { copyState } from '../../state/resolverVerbs.ts'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { ariaKeys } from '../../ui/Keys.tsx'
import { Menu } from '../../ui/Menu.tsx'

interface Props {
  readonly id: string
  readonly open: OpenItem
  readonly set: ConflictSet | null
}

export const STATE_ICONS: Readonly<Record<StateName, IconName>> = {
  open: 'open',
  mine: 'mine',
  rule: 'rule',
  AI: 'ai',
  rerere: 'rerere',
}

/** Steps, the rule, undo and redo; the states as filters of the steps; which file of how many. */
export function Toolbar({ id, open, set }: Props) {
  const app = useApp()
  const states = statesOf(open)
  const one = states.length < 2
  const simple = open.model === null ? 0 : simpleOnes(open).length
  const { history } = open
  return (
    <div className="toolbar" role="toolbar" aria-label="Conflicts">
      <div className="group-btns">
        <Act
          name="Previous conflict"
          icon="up"
          keys={['p', 'Shift+F7']}
          off={one}
          run={() => stepConflict(app, id, -1)}
        >
          Previous
        </Act>
        <Act name="Next conflict" icon="down" keys={['n', 'F7']} off={one} run={() => stepConflict(app, id, 1)}>
          Next
        </Act>
      </div>
      {open.model !== null && (
        <Act
          name={`Resolve simple conflicts${simple > 0 ? `, ${simple}` : ''}`}
          icon="wand"
          keys={['s']}
          off={simple === 0}
          title={
            simple === 0 ? 'No open conflict is simple' : 'The two sides changed other words: both edits are taken'
          }
          run={() => resolveSimple(app, id)}
        >
          Resolve simple conflicts
          <span className="num flat">{simple}</span>
        </Act>
      )}
      <div className="group-btns">
        <Act
          name="Undo"
          icon="undo"
          keys={['Mod+z']}
          off={!canUndo(history)}
          title={canUndo(history) ? `Undo: ${undoLabel(history)}` : 'Nothing was done here yet'}
          run={() => undoAct(app, id)}
        >
          Undo
        </Act>
        <Act
          name="Redo"
          icon="redo"
          keys={['Mod+Shift+Z', 'Mod+y']}
          off={!canRedo(history)}
          title={canRedo(history) ? `Redo: ${redoLabel(history)}` : 'Nothing was undone'}
          run={() => redoAct(app, id)}
        >
          Redo
        </Act>
      </div>
      <Menu
        label="More"
        className="btn m quiet icon"
        items={[
          { id: 'copy', label: 'Copy state as JSON', run: () => void copyState(app, id) },
          {
            id: 'all',
            label: 'Show all files in conflict',
            run: () => go(app, { page: 'conflict', repoId: open.repoId, source: open.resolution.source }),
          },
        ]}
      >
        <Icon name="more" />
      </Menu>
      <span className="grow" />
      {open.model !== null && <States id={id} open={open} states={states} />}
      <Where open={open} set={set} />
    </div>
  )
}

interface ActProps {
  readonly name: string
  readonly icon: IconName
  readonly keys: readonly string[]
  readonly off: boolean
  readonly title?: string
  readonly run: () => void
  readonly children: React.ReactNode
}

function Act({ name, icon, keys, off, title, run, children }: ActProps) {
  return (
    <button
      type="button"
      className="btn m"
      aria-label={name}
      aria-keyshortcuts={keys.map(ariaKeys).join(' ')}
      aria-disabled={off}
      title={title}
      onClick={() => {
        if (!off) run()
      }}
    >
      <Icon name={icon} />
      <span className="row act-words">{children}</span>
    </button>
  )
}

/** How many conflicts are in each state; pressed, the steps go through those only. */
function States({ id, open, states }: Omit<Props, 'set'> & { readonly states: readonly StateName[] }) {
  const app = useApp()
  return (
    <fieldset className="counts small" aria-label="Conflicts by state">
      {STATES.map((state) => {
        const n = states.filter((one) => one === state).length
        const on = open.filter === state
        return (
          <button
            key={state}
            type="button"
            className={`state-count ${state === 'open' ? (n > 0 ? 'wait' : '') : n > 0 ? `st-${state}` : ''}`}
            aria-pressed={on}
            title={on ? 'Step through all conflicts' : `Step through those that are ${state}`}
            onClick={() => patchItem(app, id, { filter: on ? null : state })}
          >
            <Icon name={STATE_ICONS[state]} />
            {n} {state}
          </button>
        )
      })}
    </fieldset>
  )
}

/** What it is part of, and which file of how many. */
function Where({ open, set }: Pick<Props, 'open' | 'set'>) {
  const app = useApp()
  if (set === null || set.source.from === 'tool') return null
  const at = set.items.findIndex((item) => item.id === open.resolution.item.id)
  const which = at < 0 ? '' : `file ${at + 1} of ${set.items.length}`
  return (
    <button
      type="button"
      className="btn m quiet where"
      title={`${set.title}: show all files`}
      onClick={() => go(app, { page: 'conflict', repoId: open.repoId, source: set.source })}
    >
      <span className="cut">{open.model === null ? `${set.title}, ${which}` : which || set.title}</span>
    </button>
  )
}
