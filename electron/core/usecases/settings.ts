/** What governs one repository: `.daybreak.yml` on trunk, below it the personal settings in `state.db`. */
export interface RepositorySettings {
  /** Short name of trunk: a setting, else origin/HEAD, `main`, `master`. */
  readonly trunk: string
  /** Pattern of sleep branches, e.g. `sleep/*`. */
  readonly sleepPattern: string
  /** Keep the branch after approval. */
  readonly keepBranch: boolean
  /** The optional gate: a shell command and its time limit in milliseconds. */
  readonly gate: { readonly run: string; readonly timeoutMs: number } | null
}
