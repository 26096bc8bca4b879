import { expect, type Locator, type Page } from '@playwright/test'
import { AppPage } from './app.ts'
import { escaped } from './names.ts'

/** The group `Merge candidates` and the page of one candidate, found by the names that people see. */
export class CandidatePage {
  readonly page: Page
  readonly app: AppPage
  readonly heading: Locator
  readonly left: Locator
  readonly publish: Locator
  readonly discard: Locator
  /** Who stands against whom. */
  readonly who: Locator
  /** Why it is here, and what both said. */
  readonly about: Locator
  /** What changed while the page was open. */
  readonly changed: Locator

  constructor(page: Page) {
    this.page = page
    this.app = new AppPage(page)
    this.heading = page.getByRole('heading', { level: 1 })
    this.left = page.getByRole('status').filter({ hasText: /^\d+ of \d+ conflicts left$/ })
    this.publish = page.getByRole('button', { name: 'Publish resolution' })
    this.discard = page.getByRole('button', { name: 'Discard candidate' })
    this.who = page.getByRole('group', { name: 'Who against whom' })
    this.about = page.getByRole('region', { name: 'About this candidate' })
    this.changed = page.getByRole('status').filter({ hasText: 'changed since the page was opened' })
  }

  /** Its row in the inbox. */
  item(path: string): Locator {
    return this.app.group('Merge candidates').getByRole('link', { name: new RegExp(`^${escaped(path)}, `) })
  }

  /** Back to the inbox. */
  async leave(): Promise<void> {
    await this.app.inbox.getByRole('link', { name: /^Inbox(?:, |$)/ }).click()
    await this.inList()
  }

  /** Waits until the inbox lists candidates, not the rail that stands in its place beside an open one. */
  async inList(): Promise<void> {
    await this.app.group('Merge candidates').waitFor()
  }

  /** Publishes what is decided, and waits until the inbox has it no more. */
  async publishes(path: string): Promise<void> {
    await expect(this.publish).toHaveAttribute('aria-disabled', 'false')
    await this.publish.click()
    await this.published(path)
  }

  async published(path: string): Promise<void> {
    await expect(this.app.toast.filter({ hasText: `${path} is published` })).toBeVisible()
    await this.inList()
    await expect(this.item(path)).toHaveCount(0)
  }

  async open(path: string): Promise<void> {
    await this.item(path).click()
    await this.shown(path)
  }

  async shown(path: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: path, exact: true }).waitFor()
    await expect(this.left).toBeVisible()
    await expect(this.page.getByRole('textbox', { name: 'Result', exact: true })).toBeAttached()
  }

  /** The heading above an editor, with what is said beside it. */
  head(editor: string): Locator {
    return this.page
      .getByRole('region', { name: `Editor ${editor}`, exact: true })
      .locator('xpath=../..')
      .locator('.merge-head')
  }

  /** Decides a conflict, counted from 1. */
  async accept(n: number, button: RegExp): Promise<void> {
    await this.page
      .getByRole('group', { name: new RegExp(`^Conflict ${n} of \\d+$`) })
      .getByRole('button', { name: button })
      .click()
  }
}
