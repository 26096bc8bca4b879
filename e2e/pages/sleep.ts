import { expect, type Locator, type Page } from '@playwright/test'
import { escaped } from './names.ts'

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
  readonly rows: Locator
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
    this.rows = this.changes.getByRole('link')
    this.viewedCount = page.getByRole('status').filter({ hasText: /\d[\d,]* of \d[\d,]* viewed/ })
  }

  /** The row of a changed file in the list; its name starts with the path. */
  row(path: string): Locator {
    return this.changes.getByRole('link', { name: new RegExp(`^${escaped(path)}(?:,|$)`) })
  }

  /** Shows a changed file: narrows the list by path, opens its kind, chooses it, and takes the filter away again. */
  async open(path: string): Promise<void> {
    const filter = this.changes.getByRole('searchbox', { name: 'Filter by path' })
    await this.page.keyboard.press('/')
    await filter.fill(path)
    const shut = this.changes.getByRole('button', { expanded: false }).filter({ hasText: /\d/ })
    await expect(this.row(path).or(shut).first()).toBeVisible()
    if ((await this.row(path).count()) === 0) await shut.first().click()
    await this.row(path).click()
    await this.viewed(path).waitFor()
    await filter.fill('')
    await filter.press('Escape')
  }

  viewed(path: string): Locator {
    return this.page.getByRole('checkbox', { name: `Viewed ${path}`, exact: true })
  }

  include(path: string): Locator {
    // Where it cannot be changed, the name goes on with the reason.
    return this.page.getByRole('checkbox', { name: new RegExp(`^Include ${escaped(path)}(?: \\(|$)`) })
  }
}
