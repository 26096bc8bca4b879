import type { Locator, Page } from '@playwright/test'
import { escaped } from './names.ts'
import { SleepPage } from './sleep.ts'

/** The app's frame, found by the names that people see. */
export class AppPage {
  readonly page: Page
  readonly inbox: Locator
  readonly openRepository: Locator
  readonly recent: Locator
  readonly trySample: Locator
  readonly toast: Locator
  readonly alert: Locator
  readonly palette: Locator

  constructor(page: Page) {
    this.page = page
    this.inbox = page.getByRole('navigation', { name: 'Inbox' })
    this.openRepository = page.getByRole('button', { name: 'Open repository…' })
    this.recent = page.getByRole('list', { name: 'Recent repositories' })
    this.trySample = page.getByRole('button', { name: 'Try the sample repository' })
    this.toast = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
    this.alert = page.getByRole('alert')
    this.palette = page.getByRole('dialog', { name: 'Command palette' })
  }

  /** A group of the inbox: `Sleep branches`, `Merge candidates`, `Conflicts`, `History`. */
  group(name: string): Locator {
    return this.inbox.getByRole('group', { name, exact: true })
  }

  /** An item of the inbox; its name starts with the branch. */
  item(branch: string): Locator {
    return this.inbox.getByRole('link', { name: new RegExp(`^${escaped(branch)}(?:,|$)`) })
  }

  /** Opens a branch from the inbox. */
  async review(branch: string): Promise<SleepPage> {
    await this.item(branch).click()
    const sleep = new SleepPage(this.page, branch)
    await sleep.heading.waitFor()
    return sleep
  }

  sleep(branch: string): SleepPage {
    return new SleepPage(this.page, branch)
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name })
  }

  async history(): Promise<Locator> {
    await this.group('History').getByRole('link', { name: 'History' }).click()
    return this.page.getByRole('main')
  }
}
