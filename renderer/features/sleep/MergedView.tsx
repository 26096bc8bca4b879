import { lazy, Suspense, useEffect, useState } from 'react'
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

  if (read === null || read.of !== of) return <p className="reading">Putting both together.</p>
  const { merged, problem } = read
  if (merged === null) return <p className="reading">{problem}</p>
  if (merged.state !== 'merged' || file.old === null || file.new === null)
    return <p className="reading">{merged.state === 'merged' ? null : unmergedText(merged, trunk.branch)}</p>
  const [only] = merged.authors
  const brought = originText(merged, 'branch', run.branch)
  const kept = originText(merged, 'trunk', merged.authors.length === 1 && only ? only : trunk.branch)
  const now = { ...file.new, text: merged.text, finalNewline: merged.text.endsWith('\n') }
  return (
    <>
      <Suspense fallback={<div className="editor-slot reading">Loading the editor.</div>}>
        <RawDiff file={{ ...file, new: now, raw: merged.raw }} inline at={0} jump={jump} />
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
