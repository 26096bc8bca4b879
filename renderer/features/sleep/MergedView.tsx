import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { FileReview, MergedFile, Review } from '../../../shared/model/index.ts'
import { wireOf } from '../../state/app.ts'
import { useApp } from '../../state/react.ts'
import { Icon } from '../../ui/Icon.tsx'
import { originText, unmergedText } from './model/origins.ts'

const RawDiff = lazy(() => import('../../editor/RawDiff.tsx'))

interface Props {
  readonly review: Review
  readonly file: FileReview
  readonly jump: number
}

/** A file that main changed too: main as it was when the run began against main with both changes. */
export function MergedView({ review, file, jump }: Props) {
  const app = useApp()
  const { repoId, run, trunk, tip } = review
  const { path } = file.file
  const [read, setRead] = useState<{ of: string; merged: MergedFile | null; problem: string | null } | null>(null)
  const of = [repoId, run.branch, tip, trunk.oid, path].join('\n')
  useEffect(() => {
    let stale = false
    const put = (merged: MergedFile | null, problem: string | null) => {
      if (!stale) setRead({ of, merged, problem })
    }
    app.client.call('review.merged', { repoId, branch: run.branch, path }).then(
      (merged) => put(merged, null),
      (error) => put(null, wireOf(error).message),
    )
    return () => {
      stale = true
    }
  }, [app, repoId, run.branch, path, of])

  // The same object for the same text: with another one the editor would begin anew at every turn.
  const made = read?.of === of && read.merged?.state === 'merged' ? read.merged : null
  const shown = useMemo(() => {
    if (made === null || file.new === null) return file
    const now = { ...file.new, text: made.text, finalNewline: made.text.endsWith('\n') }
    return { ...file, new: now, raw: made.raw }
  }, [made, file])

  if (read === null || read.of !== of) return <p className="reading">Putting both together.</p>
  const { merged, problem } = read
  if (merged === null) return <p className="reading">{problem}</p>
  if (merged.state !== 'merged' || file.old === null || file.new === null)
    return <p className="reading">{merged.state === 'merged' ? null : unmergedText(merged, trunk.branch)}</p>
  const [only] = merged.authors
  const brought = originText(merged, 'branch', run.branch)
  const kept = originText(merged, 'trunk', merged.authors.length === 1 && only ? only : trunk.branch)
  return (
    <>
      <Suspense fallback={<div className="editor-slot reading">Loading the editor.</div>}>
        <RawDiff file={shown} inline at={0} jump={jump} />
      </Suspense>
      <ul className="origins" aria-label="Where the lines come from">
        {brought && (
          <li>
            <Icon name="moon" />
            {brought}
          </li>
        )}
        {kept && (
          <li>
            <Icon name="bot" />
            {kept}
          </li>
        )}
        <li className="ok">
          <Icon name="shield" />
          all other lines as on {trunk.branch}
        </li>
      </ul>
    </>
  )
}
