import { expect, shareApp, test } from './fixtures.ts'
import { ResolverPage } from './pages/resolver.ts'
import { buildConflict, conflictSides, joinSides } from './support/index.ts'

const TITLE = 'Merging infra/pg17 into main'

test.describe('the page of a conflict in lines', () => {
  test.describe.configure({ mode: 'default' })
  const app = shareApp(() => buildConflict(joinSides({ still: conflictSides.text() })))
  const open = async (path: string) => {
    const resolver = new ResolverPage(app.page)
    await resolver.overview(TITLE)
    await resolver.open(path)
    await resolver.checked()
    return resolver
  }

  test('stands still whatever the check finds', async () => {
    const resolver = await open('still/notes.md')
    const audit = app.page.locator('.audit')
    const before = await audit.boundingBox()
    await expect(resolver.audit.getByRole('listitem')).toHaveCount(0)
    await resolver.accept('ours', 'theirs', 'base')
    await expect(resolver.audit.getByRole('listitem').first()).toBeVisible()
    expect(await audit.boundingBox()).toEqual(before)
  })
})
