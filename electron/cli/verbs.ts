import type { Verb } from './verb.ts'

export interface VerbRow {
  /** The words that call it. */
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly load: () => Promise<{ readonly verb: Verb }>
}

/** Every verb, in the order `--help` lists them. A verb's file is read only when it is called. */
export const VERBS: readonly VerbRow[] = [
  {
    name: 'open',
    usage: 'daybreak [FOLDER]',
    summary: 'open the app on FOLDER (without one: the last opened)',
    load: () => import('./verbs/open.ts'),
  },
  {
    name: 'serve',
    usage: 'daybreak serve [FOLDER] [--port N] [--open]',
    summary: 'the same app in a browser: this machine only, by a link that works once',
    load: () => import('./verbs/serve.ts'),
  },
  {
    name: 'status',
    usage: 'daybreak status',
    summary: 'what waits: sleep branches, merge candidates, conflicts',
    load: () => import('./verbs/status.ts'),
  },
  {
    name: 'sleep status',
    usage: 'daybreak sleep status [RUN]',
    summary: 'the state of sleep branches, or of one',
    load: () => import('./verbs/sleepStatus.ts'),
  },
  {
    name: 'sleep review',
    usage: 'daybreak sleep review [RUN] [--diff]',
    summary: 'what a run changed, by kind',
    load: () => import('./verbs/sleepReview.ts'),
  },
  {
    name: 'sleep approve',
    usage: 'daybreak sleep approve [RUN] [--except PATH …] [--bring-main-in]',
    summary: 'move main to the run and apply its marks',
    load: () => import('./verbs/sleepApprove.ts'),
  },
  {
    name: 'sleep abort',
    usage: 'daybreak sleep abort [RUN]',
    summary: 'remove the branch and apply nothing',
    load: () => import('./verbs/sleepAbort.ts'),
  },
  {
    name: 'sleep undo',
    usage: 'daybreak sleep undo [RUN] [--revert]',
    summary: 'take back the latest approval or abort',
    load: () => import('./verbs/sleepUndo.ts'),
  },
  {
    name: 'publish',
    usage: 'daybreak publish PATH --expected-version N [--on-conflict merge|fail] [--body-file F|-] [--meta k=v …]',
    summary: 'write a document at the version that was read',
    load: () => import('./verbs/publish.ts'),
  },
  {
    name: 'fetch',
    usage: 'daybreak fetch PATH[/vN]',
    summary: 'read a document, or one of its versions',
    load: () => import('./verbs/fetch.ts'),
  },
  {
    name: 'versions',
    usage: 'daybreak versions PATH',
    summary: 'who wrote a document, when and why',
    load: () => import('./verbs/versions.ts'),
  },
  {
    name: 'append',
    usage: 'daybreak append PATH [--body-file F|-]',
    summary: 'add text at the end of a document',
    load: () => import('./verbs/append.ts'),
  },
  {
    name: 'archive',
    usage: 'daybreak archive PATH [--expected-version N]',
    summary: 'move a document to archive/YYYY/',
    load: () => import('./verbs/archive.ts'),
  },
  {
    name: 'merge',
    usage: 'daybreak merge COMMITISH [--into BRANCH]',
    summary: 'merge into trunk; a collision moves nothing',
    load: () => import('./verbs/merge.ts'),
  },
  {
    name: 'candidate list',
    usage: 'daybreak candidate list [--all]',
    summary: 'merge candidates that wait',
    load: () => import('./verbs/candidateList.ts'),
  },
  {
    name: 'candidate show',
    usage: 'daybreak candidate show ID',
    summary: 'a candidate with both sides',
    load: () => import('./verbs/candidateShow.ts'),
  },
  {
    name: 'candidate resolve',
    usage: 'daybreak candidate resolve ID --take HUNK=ours|theirs|both|base …',
    summary: 'publish a candidate by choices',
    load: () => import('./verbs/candidateResolve.ts'),
  },
  {
    name: 'candidate publish',
    usage: 'daybreak candidate publish ID [--body-file F|-]',
    summary: 'publish a text as the answer to a candidate',
    load: () => import('./verbs/candidatePublish.ts'),
  },
  {
    name: 'candidate discard',
    usage: 'daybreak candidate discard ID',
    summary: 'give a candidate up',
    load: () => import('./verbs/candidateDiscard.ts'),
  },
  {
    name: 'candidate escalate',
    usage: 'daybreak candidate escalate ID [--reason TEXT]',
    summary: 'hand a candidate to the person',
    load: () => import('./verbs/candidateEscalate.ts'),
  },
  {
    name: 'candidate losses',
    usage: 'daybreak candidate losses',
    summary: 'lines that answers to candidates lost',
    load: () => import('./verbs/candidateLosses.ts'),
  },
  {
    name: 'candidate restore',
    usage: 'daybreak candidate restore ID LINE',
    summary: 'put a lost line back',
    load: () => import('./verbs/candidateRestore.ts'),
  },
  {
    name: 'mcp',
    usage: 'daybreak mcp [--session ID]',
    summary: 'the MCP server for agents, on standard input and output',
    load: () => import('./verbs/mcp.ts'),
  },
  {
    name: 'trust',
    usage: 'daybreak trust [--show | --revoke]',
    summary: "accept this repository's commands, hooks and filters, as shown",
    load: () => import('./verbs/trust.ts'),
  },
  {
    name: 'config get',
    usage: 'daybreak config get [KEY]',
    summary: "this repository's settings",
    load: () => import('./verbs/configGet.ts'),
  },
  {
    name: 'config set',
    usage: 'daybreak config set KEY [VALUE]',
    summary: 'change a setting; without VALUE back to the default',
    load: () => import('./verbs/configSet.ts'),
  },
  {
    name: 'merge-file',
    usage: 'daybreak merge-file [-p] [--diff3 | --zdiff3] [--json] [--repro] OURS BASE THEIRS',
    summary: "a three-way merge of files: git merge-file's arguments and exit codes",
    load: () => import('./verbs/mergeFile.ts'),
  },
  {
    name: 'mergetool',
    usage: 'daybreak mergetool BASE LOCAL REMOTE MERGED',
    summary: 'open the resolver on one file and wait; for git mergetool',
    load: () => import('./verbs/mergetool.ts'),
  },
  {
    name: 'doctor',
    usage: 'daybreak doctor',
    summary: 'what is wrong with this repository, store or machine, and the mend',
    load: () => import('./verbs/doctor.ts'),
  },
  {
    name: 'demo',
    usage: 'daybreak demo [--no-open]',
    summary: 'build and open the sample repository: a week of agents and a night of sleep, offline',
    load: () => import('./verbs/demo.ts'),
  },
]

/** The row that the first words of a command line name, and the words left over; null where none does. */
export function findVerb(words: readonly string[]): { row: VerbRow; rest: readonly string[] } | null {
  for (const length of [2, 1]) {
    const row = VERBS.find((candidate) => candidate.name === words.slice(0, length).join(' '))
    if (row && words.length >= length) return { row, rest: words.slice(length) }
  }
  return null
}

/** What `daybreak --help` says. */
export function generalHelp(): string {
  const width = Math.max(...VERBS.map((row) => row.name.length))
  return [
    'Daybreak: review what agents and nightly runs wrote into a git repository.',
    '',
    'daybreak [FOLDER]   open the app on FOLDER (without one: the last opened)',
    'daybreak VERB …     one of:',
    '',
    ...VERBS.slice(1).map((row) => `  ${row.name.padEnd(width)}  ${row.summary}`),
    '',
    'For every verb:',
    '  --repo DIR    the repository (default: the one of the current folder)',
    '  --actor NAME  who does it, in the history',
    '  --json        one JSON envelope on stdout',
    '  --help        how the verb is called',
    '',
    'Exit codes: 0 success, 1 refused or failed, 2 called wrongly. DAYBREAK_HOME moves the app’s own data folder.',
  ].join('\n')
}
