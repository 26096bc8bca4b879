import { count, refusalText } from '../../../shared/errors/refusals.ts'
import type { BatchRow, ConflictSource } from '../../../shared/model/index.ts'
import { openOverlay } from '../../state/app.ts'
import { findSet } from '../../state/conflicts.ts'
import { useApp, useLost, useMirror } from '../../state/react.ts'
import { batch } from '../../state/resolverVerbs.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { showPath } from '../../ui/path.ts'
import { keyboardScrollable } from '../../ui/scrollable.ts'

interface Props {
  readonly repoId: string
  readonly source: ConflictSource
  readonly take: 'ours' | 'theirs'
  readonly items: readonly { readonly item: string; readonly fingerprint: string }[]
  readonly rows: readonly BatchRow[]
}

/** What taking one side of several files whole would give, file by file, before it is done. */
export function BatchDialog({ repoId, source, take, items, rows }: Props) {
  const app = useApp()
  const set = useMirror((m) => findSet(m.conflicts[repoId]?.list?.sets ?? [], source))
  const who = set?.[take].name ?? ''
  const able = rows.filter((row) => row.refusal === null)
  const can = items.filter((one) => able.some((row) => row.item === one.item))
  const lost = useLost()
  const ready = can.length > 0 && lost === null
  const close = () => openOverlay(app, null)
  return (
    <Dialog
      title={`Take ${who}'s side of ${count(rows.length, 'file')}`}
      icon="overlap"
      wide
      onClose={close}
      foot={
        <>
          <span className="small dim">Each is marked resolved. Undo opens them again.</span>
          <span className="grow" />
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            className="btn primary"
            data-first
            aria-disabled={!ready}
            title={lost ?? undefined}
            onClick={() => ready && void batch(app, repoId, source, can, take)}
          >
            Take {who} in {count(can.length, 'file')}
          </button>
        </>
      }
    >
      <ul className="batch-rows" aria-label="What it would give" {...keyboardScrollable}>
        {rows.map((row) => (
          <li key={row.item}>
            <strong className="cut">{showPath(row.path)}</strong>
            <span className={`small ${row.refusal ? 'stop' : 'dim'}`}>
              {row.refusal ? `Stays as it is: ${refusalText(row.refusal).what}` : row.sentence}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
