import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { layoutOf } from '../../../shared/merge/draft/index.ts'
import type { ConflictSide, Who } from '../../../shared/model/index.ts'
import { loadMergeEditors } from '../../editor/merge/load.ts'
import { useApp, useMirror, useResolver } from '../../state/react.ts'
import { draftOf, type OpenItem } from '../../state/resolver.ts'
import { edit } from '../../state/resolverActs.ts'
import { patchItem } from '../../state/resolverItems.ts'
import { showPath } from '../../ui/path.ts'
import { ConflictBar } from './ConflictBar.tsx'
import { Findings } from './Findings.tsx'
import { WhoMark, whoFacts } from './WhoLine.tsx'

const MergeEditors = lazy(loadMergeEditors)

/** The four editors with a bar above each conflict, and below them what the check found. */
export function LinesView({ id, open }: { readonly id: string; readonly open: OpenItem }) {
  const app = useApp()
  const fontSize = useMirror((m) => m.info?.settings.editorFontSize ?? 12)
  const baseFolded = useResolver((r) => r.baseFolded)
  const { resolution, model } = open
  const draft = draftOf(open)
  const layout = useMemo(() => (model === null ? null : layoutOf(model, draft)), [model, draft])
  if (model === null || layout === null || resolution.merge === null) return null
  const { ours, theirs, sides, baseLabel, publishing } = resolution
  const renamedTo = (side: ConflictSide | null) =>
    side === null || side.path === resolution.item.path ? '' : showPath(side.path)
  const names = { ours: ours.name, base: 'Base', theirs: theirs.name }
  return (
    <>
      <div className="lines">
        <Suspense fallback={<p className="reading">Opening the editors.</p>}>
          <MergeEditors
            view={resolution.merge}
            model={model}
            layout={layout}
            draft={draft}
            path={resolution.item.path}
            names={names}
            heads={{
              ours: <SideHead side="ours" who={ours} path={renamedTo(sides.ours)} version={publishing?.ours} />,
              base: <Head title="Base" facts={[baseLabel]} />,
              theirs: (
                <SideHead side="theirs" who={theirs} path={renamedTo(sides.theirs)} version={publishing?.theirs} />
              ),
              result: (
                <ResultHead
                  becomes={publishing?.result ?? ''}
                  folded={baseFolded}
                  onFold={() => app.resolver.setState({ baseFolded: !baseFolded })}
                />
              ),
            }}
            current={Math.min(open.current, Math.max(0, model.conflicts.length - 1))}
            jump={open.jump}
            place={open.place}
            baseFolded={baseFolded}
            fontSize={fontSize}
            onEdit={(one, further) => edit(app, id, one, further)}
            onCurrent={(conflict) => patchItem(app, id, { current: conflict })}
            bar={(conflict) => <ConflictBar id={id} open={open} conflict={conflict} />}
          />
        </Suspense>
      </div>
      <Findings id={id} open={open} />
    </>
  )
}

function Head({
  title,
  facts,
  mark,
  children,
}: {
  title: string
  facts: readonly string[]
  mark?: ReactNode
  children?: ReactNode
}) {
  const text = facts.filter((fact) => fact !== '').join(', ')
  return (
    <>
      {mark}
      <h2 className="cut">{title}</h2>
      <span className="cut" title={text}>
        {text}
      </span>
      <span className="grow" />
      {children ?? <span className="dimmer nowrap read-only">read only</span>}
    </>
  )
}

interface SideHeadProps {
  readonly side: 'ours' | 'theirs'
  readonly who: Who
  readonly path: string
  /** Of a candidate: "version 6". */
  readonly version: string | undefined
}

function SideHead({ side, who, path, version }: SideHeadProps) {
  const facts = [version ?? '', ...whoFacts(who), who.oid?.slice(0, 7) ?? '', path]
  return <Head title={who.name} facts={facts} mark={<WhoMark side={side} who={who} />} />
}

interface ResultHeadProps {
  /** Of a candidate: "becomes version 7". */
  readonly becomes: string
  readonly folded: boolean
  readonly onFold: () => void
}

function ResultHead({ becomes, folded, onFold }: ResultHeadProps) {
  return (
    <Head title="Result" facts={[becomes]}>
      <button type="button" className="btn s quiet" aria-pressed={folded} aria-keyshortcuts="b" onClick={onFold}>
        Fold base
        <span className="kbd" aria-hidden="true">
          b
        </span>
      </button>
    </Head>
  )
}
