import { count } from '../../../shared/errors/refusals.ts'
import type { ConflictSource } from '../../../shared/model/index.ts'
import { openOverlay } from '../../state/app.ts'
import { findSet, openItems } from '../../state/conflicts.ts'
import { useApp, useLost, useMirror } from '../../state/react.ts'
import { abortOperation } from '../../state/resolverVerbs.ts'
import { Dialog } from '../../ui/Dialog.tsx'

interface Props {
  readonly repoId: string
  readonly source: ConflictSource
}

/** Giving up throws away what was resolved, and nothing brings that back: so it is asked first. */
export function AbortDialog({ repoId, source }: Props) {
  const app = useApp()
  const set = useMirror((m) => findSet(m.conflicts[repoId]?.list?.sets ?? [], source))
  const lost = useLost()
  const close = () => openOverlay(app, null)
  if (set === null) return null
  const resolved = set.items.length - openItems(set).length
  const givenUp = resolved === 0 ? 'No file is resolved yet.' : `${count(resolved, 'resolved file')} will be given up.`
  return (
    <Dialog
      title={`${set.abort.label}?`}
      icon="cannot"
      tone="wait"
      onClose={close}
      foot={
        <>
          <span className="grow" />
          <button type="button" className="btn" data-first onClick={close}>
            Keep deciding
          </button>
          <button
            type="button"
            className="btn danger"
            aria-disabled={lost !== null}
            title={lost ?? undefined}
            onClick={() => lost === null && void abortOperation(app, repoId, set)}
          >
            {set.abort.label}
          </button>
        </>
      }
    >
      <p>
        {givenUp}{' '}
        {source.from === 'branch'
          ? 'What was decided is forgotten; no branch moves.'
          : source.from === 'tool'
            ? 'The file stays as git left it.'
            : 'The files go back to what they were before git began.'}
      </p>
    </Dialog>
  )
}
