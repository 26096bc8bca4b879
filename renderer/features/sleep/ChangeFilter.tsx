import { useMemo } from 'react'
import type { FileChange } from '../../../shared/model/index.ts'
import { patchBranch } from '../../state/app.ts'
import { useApp } from '../../state/react.ts'
import { type BranchSession, type Filter, NO_FILTER } from '../../state/session.ts'
import { isEmpty, NO_PHASE, phasesOf } from './model/filter.ts'
import { KINDS, kindName } from './model/kinds.ts'

interface Props {
  readonly files: readonly FileChange[]
  readonly session: BranchSession
  readonly branch: string
}

/** Narrows the list by path, kind, phase and viewed. */
export function ChangeFilter({ files, session, branch }: Props) {
  const app = useApp()
  const { filter } = session
  const set = (change: Partial<Filter>) => patchBranch(app, branch, { filter: { ...filter, ...change } })
  const kinds = useMemo(() => KINDS.filter((kind) => files.some((f) => f.kind === kind)), [files])
  const phases = useMemo(() => phasesOf(files), [files])
  const foreign = files.some((f) => f.foreign)

  return (
    <form className="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <select
        className="field"
        aria-label="Filter by kind"
        value={filter.kind}
        onChange={(e) => set({ kind: e.target.value })}
      >
        <option value="">Every kind</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindName(kind)}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label="Filter by phase"
        value={filter.phase}
        onChange={(e) => set({ phase: e.target.value })}
      >
        <option value="">Every phase</option>
        {phases.map((phase) => (
          <option key={phase} value={phase}>
            {phase}
          </option>
        ))}
        {foreign && <option value={NO_PHASE}>No phase made it</option>}
      </select>
      <select
        className="field"
        aria-label="Filter by viewed"
        value={filter.viewed}
        onChange={(e) => set({ viewed: e.target.value as Filter['viewed'] })}
      >
        <option value="all">All</option>
        <option value="no">Not viewed</option>
        <option value="yes">Viewed</option>
      </select>
    </form>
  )
}

/** The path filter, always there. `/` goes to it; Escape empties it. */
export function FilterField({ session, branch }: Omit<Props, 'files'>) {
  const app = useApp()
  const { filter } = session
  return (
    <input
      id="filter-path"
      className="field find-path"
      type="search"
      aria-label="Filter by path"
      aria-keyshortcuts="/"
      placeholder="Filter"
      title="Filter by path (/)"
      spellCheck={false}
      value={filter.path}
      onChange={(event) => patchBranch(app, branch, { filter: { ...filter, path: event.target.value } })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (isEmpty(filter)) event.currentTarget.blur()
        else patchBranch(app, branch, { filter: NO_FILTER })
      }}
    />
  )
}
