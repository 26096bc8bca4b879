import { describe, expect, it } from 'vitest'
import { catalogue, type Suggestion } from '../../shared/errors/index.ts'
import { createApp } from '../state/app.ts'
import { branchKey } from '../state/mirror.ts'
import { fakeClient } from '../testing/fakeClient.ts'
import { BRANCH, historyEntry, inbox, preview, REPO_ID, repository, review, sleepBranch } from '../testing/night.ts'
import { age, when } from '../ui/time.ts'
import { canApplyMarks, entryView, undoName } from './acts.ts'
import { commandOf, commands, refusedNow } from './commands.ts'
import { isEditable, pressIs } from './keys.ts'
import { findItems, matchLabel, paletteItems } from './paletteItems.ts'
import { sidebarItems, waitingIn } from './sidebarItems.ts'
import { appearanceOf } from './theme.ts'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

function onBranch() {
  const app = createApp(fakeClient({}))
  app.mirror.setState({
    repos: { [REPO_ID]: { repository, inbox: inbox(), history: null, problem: null } },
    reviews: { [branchKey(REPO_ID, BRANCH)]: { review: review(), preview: preview(), problem: null } },
  })
  app.session.setState({ route: { page: 'sleep', repoId: REPO_ID, branch: BRANCH } })
  return app
}

describe('the keyboard map', () => {
  it('knows its shortcuts on both kinds of keyboard', () => {
    expect(pressIs(press('P', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+P')).toBe(true)
    expect(pressIs(press('p', { metaKey: true, shiftKey: true }), 'Mod+Shift+P')).toBe(true)
    expect(pressIs(press('p', { metaKey: true }), 'Mod+Shift+P')).toBe(false)
    expect(pressIs(press('?', { shiftKey: true }), '?')).toBe(true)
    expect(pressIs(press('v'), 'v')).toBe(true)
    expect(pressIs(press('v', { ctrlKey: true }), 'v')).toBe(false)
    expect(pressIs(press('V', { shiftKey: true }), 'v')).toBe(false)
    expect(pressIs(press('F7', { shiftKey: true }), 'Shift+F7')).toBe(true)
    expect(pressIs(press('F7', { shiftKey: true }), 'F7')).toBe(false)
    expect(pressIs(press('[', { altKey: true }), '[')).toBe(false)
  })

  it('leaves characters to fields and editors, not to checkboxes and buttons', () => {
    expect(isEditable({ tagName: 'INPUT', type: 'search' })).toBe(true)
    expect(isEditable({ tagName: 'INPUT', type: 'checkbox' })).toBe(false)
    expect(isEditable({ tagName: 'SELECT' })).toBe(true)
    expect(isEditable({ tagName: 'DIV', closest: (selector) => (selector === '.monaco-editor' ? {} : null) })).toBe(
      true,
    )
    expect(isEditable({ tagName: 'DIV', closest: () => ({}) })).toBe(false)
    expect(isEditable({ tagName: 'TEXTAREA', className: 'inputarea', closest: () => ({}) })).toBe(false)
    expect(isEditable({ tagName: 'TEXTAREA', className: 'input', closest: () => ({}) })).toBe(true)
    expect(isEditable({ tagName: 'BUTTON', closest: () => null })).toBe(false)
  })

  it('gives no two commands the same keys', () => {
    // A command that says where its keys are its own may share them with one of another place.
    const all = commands.flatMap((c) => (c.here === undefined ? (c.keys ?? []) : []))
    expect(new Set(all).size).toBe(all.length)
    for (const here of new Set(commands.flatMap((c) => c.here ?? []))) {
      const own = commands.flatMap((c) => (c.here === here ? (c.keys ?? []) : []))
      expect(new Set(own).size).toBe(own.length)
    }
    expect(new Set(commands.map((c) => c.id)).size).toBe(commands.length)
  })
})

describe('commands', () => {
  it('has every command that the error catalogue suggests, but those that the place of failure offers', () => {
    const refusal = { refusal: 'empty-run', branch: 'x' }
    const more = { conflicts: [], into: 'x', commit: 'x', candidate: 'x', refusal }
    const data = { path: '/x', tried: [], paths: [], issues: [], runs: [], ...more } as never
    const suggested = Object.values(catalogue).flatMap(
      (row) => (row.suggestions as (data: never) => readonly Suggestion[])(data) ?? [],
    )
    const ids = suggested.flatMap((s) => (s.command === undefined || s.command === 'error.retry' ? [] : [s.command]))
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.filter((id) => commandOf(id) === undefined)).toEqual([])
  })

  it('says why a command cannot be run now', () => {
    const app = onBranch()
    const why = (id: string) => {
      const command = commandOf(id)
      return command ? refusedNow(app, command) : expect.unreachable()
    }
    expect(why('sleep.approve')).toBeNull()
    expect(why('sleep.bringMainIn')).toBe('main has not moved')
    expect(why('sleep.applyMarks')).toBe('no mark is left to apply')
    app.mirror.setState({ connected: false })
    for (const id of ['sleep.approve', 'sleep.abort', 'edit.undo', 'review.viewedAndNext', 'review.include'])
      expect(why(id)).toBe('the connection to Daybreak was lost')
    expect(why('review.nextFile')).toBeNull()
    app.mirror.setState({ connected: true })
    app.session.setState({ route: { page: 'landing' } })
    expect(why('sleep.approve')).toBe('no sleep branch is shown')
  })
})

describe('the palette', () => {
  it('finds beginnings of words first and shows what was typed', () => {
    expect(matchLabel('Approve sleep merge', 'app')?.pieces).toEqual([
      { at: 0, text: 'App', hit: true },
      { at: 3, text: 'rove sleep merge', hit: false },
    ])
    expect(matchLabel('Approve sleep merge', 'xq')).toBeNull()
    expect(matchLabel('Approve sleep merge', 'asm')?.pieces.filter((p) => p.hit)).toHaveLength(3)
  })

  it('puts the branch first, then the inbox, and what is refused after what can be done', () => {
    const found = findItems(paletteItems(onBranch()), 'ap')
    expect(found[0]?.item.label).toBe('Approve sleep merge')
    expect(found[0]?.item.group).toBe(BRANCH)
    const groups = [...new Set(findItems(paletteItems(onBranch()), '').map((f) => f.item.group))]
    expect(groups).toEqual([BRANCH, 'Inbox', 'Review', 'Conflicts', 'Daybreak'])
    const branch = found.filter((f) => f.item.group === BRANCH).map((f) => f.item.refused === null)
    expect(branch).toEqual([...branch].sort((a, b) => Number(b) - Number(a)))
  })
})

describe('the sidebar', () => {
  it('begins each name with the branch and says its state and what is left', () => {
    const [ready] = sidebarItems(inbox())
    expect(ready?.name).toBe(`${BRANCH}, ready, 3 left to look at`)
    const remote = sleepBranch({ branch: `origin/${BRANCH}`, remote: 'origin', checkedOutIn: '/r' })
    expect(sidebarItems(inbox({ sleepBranches: [remote] }))[0]?.name).toMatch(
      /on the remote origin, checked out in \/r$/,
    )
  })

  it('keeps a night whose marks wait in sight', () => {
    const marksWaiting = [{ branch: 'sleep/1', operationId: 'x', pending: 2, failure: 'locked' }]
    const box = inbox({ marksWaiting })
    expect(sidebarItems(box)[0]).toMatchObject({ tone: 'wait', number: '2 marks' })
    expect(sidebarItems(box)[0]?.name).toBe('sleep/1, approved, 2 marks not applied')
    expect(waitingIn(box)).toBe(2)
  })
})

describe('acts', () => {
  it('are said in words with what came of them', () => {
    expect(entryView(historyEntry({ leftOut: ['a'] }))).toMatchObject({
      text: `Approved ${BRANCH}, 1 left out`,
      detail: 'Mara · 0000000 → 0000000',
    })
    expect(entryView(historyEntry({ verb: 'abort', status: 'refused', via: 'cli' }))).toMatchObject({
      text: `Did not abort ${BRANCH}`,
    })
    expect(undoName(historyEntry({ verb: 'abort' }))).toBe(`Undo abort of ${BRANCH}`)
  })

  it('offer their marks again only where applying them failed', () => {
    const marks = { pending: 1, applied: 0, held: [], malformed: 0, failure: 'locked' }
    expect(canApplyMarks(historyEntry({ marks }))).toBe(true)
    expect(canApplyMarks(historyEntry({ marks: { ...marks, failure: null } }))).toBe(false)
  })
})

it('follows the system unless a theme is chosen', () => {
  expect(appearanceOf('system', { dark: true, moreContrast: false })).toBe('dark')
  expect(appearanceOf('system', { dark: true, moreContrast: true })).toBe('high-contrast')
  expect(appearanceOf('light', { dark: true, moreContrast: true })).toBe('light')
})

it('says when, as short as it is clear', () => {
  const now = new Date(2026, 10, 30, 9, 0)
  const at = (...d: [number, number, number, number, number]) => new Date(...d).toISOString()
  expect(when(at(2026, 10, 30, 8, 5), now)).toBe('08:05')
  expect(when(at(2026, 10, 29, 22, 47), now)).toBe('Sun 22:47')
  expect(when(at(2026, 10, 2, 8, 41), now)).toBe('2026-11-02 08:41')
  expect(when('nonsense', now)).toBe('nonsense')
  expect([age(at(2026, 10, 30, 8, 59), now), age(at(2026, 10, 28, 8, 0), now)]).toEqual(['1 minute', '2 days'])
})
