import { Fragment, type ReactNode } from 'react'
import { count } from '../../../shared/errors/refusals.ts'
import type { Inbox } from '../../../shared/model/index.ts'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { when } from '../../ui/time.ts'

interface Node {
  readonly icon: IconName
  readonly name: string
  readonly number: number
  readonly unit: string
  readonly lines: readonly ReactNode[]
  /** On the arrow to the next. */
  readonly flow?: readonly [string, string]
}

function nodesOf(inbox: Inbox, waiting: number): Node[] {
  const { repository, tree, writers, sums, lastRun } = inbox
  const commits = writers.reduce((sum, w) => sum + w.commits, 0)
  const cameIn = inbox.week.reduce((sum, day) => sum + day.cameIn, 0)
  const short = repository.trunk.oid?.slice(0, 7)
  const trunk = repository.trunk.branch
  return [
    {
      icon: 'bot',
      name: 'Writers',
      number: writers.length,
      unit: 'in 7 days',
      lines: writers.slice(0, 2).map((w) => w.name),
      flow: ['commit', `${commits} times`],
    },
    {
      icon: 'branch',
      name: trunk,
      number: commits,
      unit: 'commits in 7 days',
      lines: [
        short ? (
          <>
            at <code>{short}</code>
            {repository.bare ? ', bare' : tree.clean ? ', clean' : `, ${count(tree.total, 'local change')}`}
          </>
        ) : (
          'no commit yet'
        ),
        `${count(cameIn, 'file')} came in`,
      ],
      flow: ['sleep', lastRun ? when(lastRun.at) : 'not yet'],
    },
    {
      icon: 'moon',
      name: 'Sleep',
      number: inbox.sleepBranches.length,
      unit: inbox.sleepBranches.length === 1 ? 'branch' : 'branches',
      lines: lastRun ? [`last run ${when(lastRun.at)}`, lastRun.status] : ['no run yet'],
      flow: ['review', `${waiting} waiting`],
    },
    {
      icon: 'person',
      name: 'You',
      number: waiting,
      unit: 'waiting',
      lines: [
        `${count(sums.approved, 'night')} approved, ${count(sums.documents, 'file')}`,
        `${sums.leftOut} left out, ${sums.aborted} aborted`,
      ],
    },
  ]
}

/** From the writers to main, through sleep, to the person who approves: the whole week in four counts. */
export function Cycle({ inbox, waiting }: { readonly inbox: Inbox; readonly waiting: number }) {
  const nodes = nodesOf(inbox, waiting)
  return (
    <section aria-label="The cycle" className="cycle-box">
      <h2 className="vh">The cycle</h2>
      <div className="cycle">
        {nodes.map((node) => (
          <Fragment key={node.icon}>
            <div className="node">
              <h3>
                <Icon name={node.icon} className="dim" />
                <span className="cut">{node.name}</span>
              </h3>
              <p className="big">
                {node.number.toLocaleString('en-US')} <small>{node.unit}</small>
              </p>
              {node.lines.map((line, i) => (
                <p key={`${node.name} ${i === 0 ? 'first' : 'second'}`}>{line}</p>
              ))}
            </div>
            {node.flow && (
              <div className="flow" aria-hidden="true">
                <span>{node.flow[0]}</span>
                <svg className="flow-arrow" viewBox="0 0 56 8" aria-hidden="true">
                  <path d="M1 4h53M50 1l4 3-4 3" />
                </svg>
                <span className="dimmer">{node.flow[1]}</span>
              </div>
            )}
          </Fragment>
        ))}
      </div>
      <div className="cycle-back small dim" aria-hidden="true">
        <div />
        <svg viewBox="0 0 12 10" aria-hidden="true">
          <path d="m2 6 4-4 4 4M6 2v8" />
        </svg>
        <span>approve moves {inbox.repository.trunk.branch}</span>
      </div>
    </section>
  )
}
