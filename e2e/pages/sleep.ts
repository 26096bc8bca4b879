import type { Locator, Page } from '@playwright/test'

/** The page of one sleep branch, found by the names that people see. */
export class SleepPage {
  readonly page: Page
  readonly heading: Locator
  readonly approve: Locator
  readonly abort: Locator
  readonly bringMainIn: Locator
  readonly bringMainInAndApprove: Locator
  readonly changes: Locator
  readonly commits: Locator
  readonly marks: Locator
  readonly viewedCount: Locator

  constructor(page: Page, branch: string) {
    this.page = page
    this.heading = page.getByRole('heading', { name: branch, exact: true })
    this.approve = page.getByRole('button', { name: 'Approve sleep merge' })
    this.abort = page.getByRole('button', { name: 'Abort sleep branch' })
    this.bringMainIn = page.getByRole('button', { name: 'Bring main in', exact: true })
    this.bringMainInAndApprove = page.getByRole('button', { name: 'Bring main in and approve' })
    this.changes = page.getByRole('region', { name: 'Changes' })
    this.commits = page.getByRole('region', { name: 'Commits' })
    this.marks = page.getByRole('region', { name: 'Pending marks' })
    this.viewedCount = page.getByRole('status').filter({ hasText: /\d[\d,]* of \d[\d,]* viewed/ })
  }

  /** Shows a changed file: finds it with the path filter and chooses it. */
  async open(path: string): Promise<void> {
    const filter = this.changes.getByRole('searchbox')
    await filter.fill(path)
    await this.changes
      .getByRole('treeitem')
      .filter({
        hasText:
          path
            .split('/')
            .at(-1)
            ?.replace(/\.html$/, '') ?? path,
      })
      .first()
      .click()
    await this.viewed(path).waitFor()
  }

  viewed(path: string): Locator {
    return this.page.getByRole('checkbox', { name: `Viewed ${path}`, exact: true })
  }

  include(path: string): Locator {
    return this.page.getByRole('checkbox', { name: `Include ${path}`, exact: true })
  }
}
