import { expect, type Locator } from '@playwright/test'
import type { AppPage } from './pages/app.ts'
import type { SleepPage } from './pages/sleep.ts'

/** Presses the button and answers the question about what was not viewed; ends when the toast offers Undo. */
export async function approveUnviewed(app: AppPage, sleep: SleepPage, button: Locator = sleep.approve): Promise<void> {
  await button.click()
  const dialog = app.page.getByRole('dialog')
  await dialog.getByRole('button', { name: /approve/i }).click()
  await expect(app.toast).toContainText('approved')
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible()
}
