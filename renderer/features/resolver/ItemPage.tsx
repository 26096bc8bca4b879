import type { ConflictSet } from '../../../shared/model/index.ts'
import { useApp, useLost } from '../../state/react.ts'
import { hasChoice, type OpenItem } from '../../state/resolver.ts'
import { reopen } from '../../state/resolverVerbs.ts'
import { AboutCandidate } from './AboutCandidate.tsx'
import { Choices } from './Choices.tsx'
import { ItemHead } from './ItemHead.tsx'
import { LinesView } from './LinesView.tsx'
import { Notices } from './Notices.tsx'
import { Previews } from './Previews.tsx'
import { ProofLine } from './ProofLine.tsx'
import { Sentence } from './Sentence.tsx'
import { Toolbar } from './Toolbar.tsx'

interface Props {
  readonly id: string
  readonly open: OpenItem
  readonly set: ConflictSet | null
}

/** One conflict: its sides, what was decided of it, and what that makes. */
export function ItemPage({ id, open, set }: Props) {
  const { item } = open.resolution
  return (
    <>
      <ItemHead id={id} open={open} />
      {item.state === 'resolved' ? (
        <Resolved open={open} />
      ) : (
        <>
          <Toolbar id={id} open={open} set={set} />
          <AboutCandidate resolution={open.resolution} />
          <Notices id={id} open={open} />
          {open.model === null ? (
            <div className="nontext">
              <Sentence resolution={open.resolution} />
              <Previews resolution={open.resolution} />
              <Choices id={id} open={open} />
            </div>
          ) : (
            <>
              {hasChoice(open) && (
                <div className="beside">
                  <Sentence resolution={open.resolution} />
                  <Choices id={id} open={open} />
                </div>
              )}
              <LinesView id={id} open={open} />
            </>
          )}
          <ProofLine open={open} />
        </>
      )}
    </>
  )
}

/** A resolved conflict: what it was, and the way to open it again. */
function Resolved({ open }: { readonly open: OpenItem }) {
  const app = useApp()
  const lost = useLost()
  const { repoId, resolution } = open
  const { item, source } = resolution
  return (
    <div className="nontext">
      <div className="reason">
        <p>It is resolved. Opening it again puts it back into conflict, with what you decided.</p>
        <button
          type="button"
          className="btn"
          aria-disabled={lost !== null}
          title={lost ?? undefined}
          onClick={() => lost === null && void reopen(app, repoId, source, item)}
        >
          Open again
        </button>
      </div>
      <Sentence resolution={resolution} />
      <Previews resolution={resolution} />
    </div>
  )
}
