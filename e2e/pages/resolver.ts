import { expect, type Locator, type Page } from '@playwright/test'
import { AppPage } from './app.ts'
import { escaped } from './names.ts'

/** What becomes of a conflict in the lines, and the name of the button that makes it so. */
const ACCEPTS = {
  ours: /^Accept ours: /,
  theirs: /^Accept theirs: /,
  both: /^Accept both$/,
  'both, theirs first': /^Accept both, theirs first$/,
  base: /^Keep base$/,
  recorded: /^Use recorded resolution$/,
} as const
export type Accept = keyof typeof ACCEPTS

/** The choices of a conflict that is not a matter of lines; a text is the whole name of the radio button. */
const CHOICES = {
  ours: /^Accept ours: [^,]*$/,
  theirs: /^Accept theirs: [^,]*$/,
  both: /^Accept both$/,
  base: /^Keep base$/,
  neither: /^Keep neither$/,
} as const
export type Choice = keyof typeof CHOICES

/** The files in conflict and the page of one of them, found by the names that people see. */
export class ResolverPage {
  readonly page: Page
  readonly app: AppPage
  /** The group of the inbox. */
  readonly inbox: Locator
  /** The overview. */
  readonly files: Locator
  /** The page of one file: its heading, how much of it is left, and the act that writes it. */
  readonly heading: Locator
  readonly left: Locator
  readonly complete: Locator
  readonly result: Locator
  readonly undo: Locator
  readonly redo: Locator
  readonly next: Locator
  readonly previous: Locator
  readonly simple: Locator
  readonly audit: Locator
  readonly warnings: Locator
  readonly proof: Locator
  readonly sentence: Locator
  readonly current: Locator
  /** What is said to those who do not see the page. */
  readonly said: Locator

  constructor(page: Page) {
    this.page = page
    this.app = new AppPage(page)
    this.inbox = this.app.group('Conflicts')
    this.files = page.getByRole('list', { name: 'Files in conflict' })
    this.heading = page.getByRole('heading', { level: 1 })
    this.left = page.getByRole('status').filter({ hasText: /^\d+ of \d+ conflicts left$|^Resolved$/ })
    this.complete = page.getByRole('button', { name: 'Mark resolved' })
    this.result = page.getByRole('textbox', { name: 'Result', exact: true })
    const toolbar = page.getByRole('toolbar', { name: 'Conflicts' })
    this.undo = toolbar.getByRole('button', { name: 'Undo', exact: true })
    this.redo = toolbar.getByRole('button', { name: 'Redo', exact: true })
    this.next = page.getByRole('button', { name: 'Next conflict' })
    this.previous = page.getByRole('button', { name: 'Previous conflict' })
    this.simple = page.getByRole('button', { name: /^Resolve simple conflicts/ })
    this.audit = page.getByRole('region', { name: 'Loss audit' })
    this.warnings = page.getByRole('region', { name: 'Warnings' })
    this.proof = page.getByRole('region', { name: 'Proof', exact: true })
    this.sentence = page.getByRole('region', { name: 'What is in conflict' })
    this.said = page.getByRole('status', { name: 'Announcements' })
    this.current = page.locator('[aria-current="true"]').and(page.getByRole('group', { name: /^Conflict \d+ of \d+$/ }))
  }

  /**
   * Opens the overview of a set from the inbox; its name starts with what git is stopped in. Beside an open file the
   * inbox is narrow and lists no sets, so it goes by the inbox's own page.
   */
  async overview(title: string): Promise<void> {
    await this.app.inbox.getByRole('link', { name: /^Inbox(?:, |$)/ }).click()
    await this.inbox.getByRole('link', { name: new RegExp(`^${escaped(title)}, `) }).click()
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  }

  /** Back from one file to all files, by the menu. */
  async showAll(): Promise<void> {
    await this.page.getByRole('button', { name: 'More', exact: true }).click()
    await this.page.getByRole('menuitem', { name: 'Show all files in conflict' }).click()
    await this.files.waitFor()
  }

  /** The link to a file in the overview. */
  file(path: string): Locator {
    return this.files.getByRole('link', { name: new RegExp(`^${escaped(path)}, `) })
  }

  /** Opens a file from the overview and waits until it can be decided. */
  async open(path: string): Promise<void> {
    await this.file(path).click()
    await this.shown(path)
  }

  /** Waits until the page of a file is there with its lines or its choices. */
  async shown(path: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: path, exact: true }).waitFor()
    await expect(this.left).toBeVisible()
  }

  select(path: string): Locator {
    return this.files.getByRole('checkbox', { name: `Select ${path}`, exact: true })
  }

  /** The button that takes one side of all selected files whole; a dialog shows first what that gives. */
  all(side: 'ours' | 'theirs'): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^All ${side}: `) })
  }

  reopen(path: string): Locator {
    return this.files.getByRole('button', { name: `Open again: ${path}`, exact: true })
  }

  /** The act that goes on with the operation; its name starts with `Continue` or `Commit`. */
  get proceed(): Locator {
    return this.page.getByRole('button', { name: /^(?:Continue|Commit)\b/ })
  }

  get abort(): Locator {
    return this.page.getByRole('button', { name: /^Abort\b/ })
  }

  /** The group of a conflict, counted from 1. */
  conflict(n: number): Locator {
    return this.page.getByRole('group', { name: new RegExp(`^Conflict ${n} of \\d+$`) })
  }

  /** How many conflicts are in a state; pressed, the steps go through those alone. */
  state(name: 'open' | 'mine' | 'rule' | 'AI' | 'rerere'): Locator {
    return this.page
      .getByRole('group', { name: 'Conflicts by state' })
      .getByRole('button', { name: new RegExp(` ${name}$`) })
  }

  /** What is seen of the text of an editor, from top to bottom: `Result`, `Base`, `Ours: WHO`. */
  async textOf(editor: string | RegExp): Promise<string> {
    const name = typeof editor === 'string' ? new RegExp(`^Editor ${escaped(editor)}$`) : editor
    const lines = this.page.getByRole('region', { name }).locator('.view-line')
    const seen = await lines.evaluateAll((all) =>
      all
        .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text.replaceAll('\u00a0', ' ')),
    )
    return seen.join('\n')
  }

  /** Puts the cursor at the end of a line of the result, counted from 1. */
  async cursorAt(line: number): Promise<void> {
    await this.result.focus()
    await this.page.keyboard.press('ControlOrMeta+Home')
    for (let at = 1; at < line; at++) await this.page.keyboard.press('ArrowDown')
    await this.page.keyboard.press('End')
  }

  /** Deletes a line of the result, counted from 1, that is neither the first nor empty. */
  async deleteLine(line: number): Promise<void> {
    await this.cursorAt(line)
    await this.page.keyboard.press('Shift+Home')
    await this.page.keyboard.press('Backspace')
    await this.page.keyboard.press('Backspace')
  }

  /** Opens the menu and copies everything about the shown file; the context has to allow the clipboard. */
  async copyState(): Promise<string> {
    await this.page.getByRole('button', { name: 'More', exact: true }).click()
    await this.page.getByRole('menuitem', { name: 'Copy state as JSON' }).click()
    await expect(this.app.toast.filter({ hasText: 'The state is on the clipboard' })).toBeVisible()
    // Pages of the app may write to the clipboard and not read it: it is pasted, as a person does.
    await this.page.evaluate(() => {
      const field = document.createElement('textarea')
      field.setAttribute('aria-label', 'Pasted')
      document.body.append(field)
      field.focus()
    })
    const pasted = this.page.getByRole('textbox', { name: 'Pasted' })
    await this.page.keyboard.press('ControlOrMeta+v')
    const text = await pasted.inputValue()
    await pasted.evaluate((field) => field.remove())
    return text
  }

  /** What is seen of the result's text, from top to bottom. */
  resultText(): Promise<string> {
    return this.textOf('Result')
  }

  /** Waits until the result, or another editor, shows this text. */
  async shows(text: string, editor: string | RegExp = 'Result'): Promise<void> {
    await expect.poll(() => this.textOf(editor), { message: `what is seen of ${editor}` }).toContain(text)
  }

  /** The buttons of a conflict in the lines. */
  acceptOf(n: number, accept: Accept): Locator {
    return this.conflict(n).getByRole('button', { name: ACCEPTS[accept] })
  }

  /** Steps to a conflict, counted from 1. A decision goes on to the next open one by itself. */
  async goTo(n: number): Promise<void> {
    for (;;) {
      const name = (await this.current.getAttribute('aria-label')) ?? ''
      const at = Number(/\d+/.exec(name)?.[0])
      if (at === n) return
      await (at > n ? this.previous : this.next).click()
      await expect(this.current).not.toHaveAccessibleName(name)
    }
  }

  /** Waits until the result as it is now is checked: the audit below the editors moves what stands above it. */
  async checked(): Promise<void> {
    await expect(this.proof).toContainText(/nothing is open|to decide before it is resolved/)
  }

  /** Decides the conflicts in the lines one after the other, each by its button, from the first on. */
  async accept(...all: readonly Accept[]): Promise<void> {
    for (const [i, one] of all.entries()) {
      await this.checked()
      await this.acceptOf(i + 1, one).click()
      await expect(this.acceptOf(i + 1, one)).toBeHidden()
    }
    await this.checked()
  }

  /** Gives up on purpose every line that the audit asks about, where there are such. */
  async settleLosses(): Promise<void> {
    // The button is there as soon as one line is lost without a decision.
    const all = this.audit.getByRole('button', { name: 'Drop all on purpose' })
    if (await all.isVisible()) await all.click()
    await this.checked()
  }

  radio(choice: Choice | RegExp): Locator {
    return this.page.getByRole('radio', { name: typeof choice === 'string' ? CHOICES[choice] : choice })
  }

  async choose(choice: Choice | RegExp): Promise<void> {
    await this.radio(choice).check()
  }

  /** Marks the shown file resolved; ends when its name is told as resolved, which is after it was written. */
  async markResolved(path: string): Promise<void> {
    await this.checked()
    await expect(this.complete).toHaveAttribute('aria-disabled', 'false')
    await this.complete.click()
    await expect(this.app.toast.filter({ hasText: `${path} resolved; ` })).toBeVisible()
  }
}
