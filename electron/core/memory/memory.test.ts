import fc from 'fast-check'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { type MemorySpec, memoryHtml } from '../../../e2e/support/index.ts'
import { compareMemories, readMemory, readOne } from './compare.ts'
import { readArticle, readDocument } from './document.ts'
import { readPlainArticle } from './plainArticle.ts'
import { contentHash, parseMemory } from './read.ts'
import { articleRange, headText } from './skeleton.ts'

const seed = Number(process.env.FC_SEED ?? 20261130)
console.log(`fast-check seed ${seed}`)

/** Articles and the content hash that the store's own tool wrote for them. */
const HASHES: readonly (readonly [article: string, hash: string])[] = [
  [
    '\n<p><mark>claim  two</mark>   with\n spaces </p>\n\n  <p>second</p>\n',
    'ffc3192543ebf69ef6de1c9af6d11d4baaf8c59d4ccc0f9f179c41327e8c7c47',
  ],
  [
    '\n<p><mark>c3</mark></p><pre>  keep\n   this \n</pre><p>after</p>\n',
    '237c9b27c154b3f965952100a47a211538040e2e72bfb8045c364c3a433ea165',
  ],
  [
    '\n<p><mark>c4</mark></p><pre>first newline\n\n</pre>\n',
    'c5d069d2fbc8ad5a1cfb383e405d127a753a620243d53e3da66167af52f5dc8e',
  ],
  [
    '\n<ul><li><mark>c5</mark> rest</li><li>two</li></ul>\n',
    'c72d34aa964e80464723f704f34ad18758838f27f98ceaa776ce05af3affc359',
  ],
  [
    '\n<p><mark>c7</mark></p><table><caption>cap</caption><thead><tr><th>h1</th><th>h2</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>\n',
    '9bc717d508a19ca1ca2dcdafa2034ea5f0c04d68fc936ba1c894a3b30ff3a89a',
  ],
  [
    '\n<p><mark>c8</mark></p><dl><dt>t</dt><dd>d</dd></dl><blockquote>quote<p>in</p></blockquote>\n',
    '0ef79280f7fe811edfb51cf86db07c95dc0bdecfa1e153bb3596256c766f046e',
  ],
  [
    '\n<h2>head</h2><p><mark>c10</mark></p><details><summary>s</summary><p>d</p></details><aside>as</aside>\n',
    'e4a6ad3fd6c2afd3ead9c99f7903be082c25e6ea74f171778f37087241f9772b',
  ],
  [
    '\n<p><mark>c12</mark></p><pre><code>a\n  b</code></pre>tail text\n',
    'f6959166ccc9ec9b476cafef32194ea2b0ae201b71fbefbf30aaef7fa81ab62f',
  ],
  [
    '\n<p>pre <mark>c13</mark>  em space </p><p>\ttab\there</p>\n',
    'c3f91927a04bc2922f4d69f0fb69dd043f61670fbc3407383bd84783acd994ac',
  ],
  [
    '\n<p><mark>c14</mark></p><p></p><p> </p><p>x</p>\n',
    '70f26e6e0422e7183fb6ddb117d05461843a61c022dad3f1d180b7506d639d17',
  ],
  [
    '\n<p><mark>c16</mark> a<span> b</span><sup>2</sup> <data value="3">three</data> <abbr title="x">ab</abbr><wbr>cd</p>\n',
    '068a985cfddf3e77c8cc23881611c09b51677428d25c73081ab6953f944912d0',
  ],
  [
    '\n<section><h3>sec</h3><p><mark>c17</mark></p></section><div>div</div><ol><li>1</li></ol>\n',
    '213af808dac7eb429d29280f110ff2403f7ac3bb344fc8588488f1005288036a',
  ],
  ['\n<p><mark>c20</mark> é é 😀</p>\n', '625765bf5d45c3e868062d77ab6124cde74133ca58035569a2a6c2e03cfafd81'],
  [
    '\n<p><mark>c22</mark> x<q>quoted</q><kbd>k</kbd><samp>s</samp><var>v</var><del>d</del><ins>i</ins><s>s</s></p><address>ad</address><header>hd</header><footer>ft</footer><nav>nv</nav><main>mn</main>\n',
    '469e6242626bc9dfd2950d9dc24a5e08ae3efec176e9303d24f737852d7cdd6b',
  ],
  [
    '\n<p><mark>c25</mark></p><pre>in pre <b>bold  x</b>\n</pre>text  after   pre\n',
    '6f87005886577bef8ab3815517832bc8f9330308b2e2b734458698ed34581b49',
  ],
]

const page = (article: string, head = '<title>T</title>') =>
  Buffer.from(
    `<!doctype html>\n<html lang="en">\n<head>\n${head}\n</head>\n<body>\n<article>${article}</article>\n</body>\n</html>\n`,
  )
const memory = (more: Partial<MemorySpec> = {}) =>
  Buffer.from(memoryHtml({ title: 'Pool', claim: 'The pool holds 40.', body: ['One.', 'Two.'], ...more }))
const compared = async (before: Buffer, after: Buffer) => {
  const found = await compareMemories(before, after)
  if (!found) throw new Error('not read as memories')
  return found
}
const read = async (bytes: Buffer) => {
  const found = await readMemory(bytes)
  if (!found) throw new Error('not read as a memory')
  return found
}
const hashOf = async (bytes: Buffer) => {
  const article = (await readMemory(bytes))?.article
  return article && contentHash(article)
}

describe('the content hash', () => {
  it.each(HASHES)('is what the store writes: %s', async (article, hash) => {
    expect(await hashOf(page(article))).toBe(`sha256:${hash}`)
  })

  it('is the hash in the metas of a memory', async () => {
    for (const spec of [{}, { pre: 'a  b\n c' }, { rest: 'more  of it' }]) {
      const bytes = memory(spec)
      expect(bytes.toString()).toContain(`content="${await hashOf(bytes)}"`)
    }
  })
})

describe('reading without a parser', () => {
  const text = fc.constantFrom('a', ' two  words ', '\n', '&amp;', '&lt;b&gt;', 'é😀', '\u00a0', '\n\n x', '&quot;')
  const inline: fc.Memo<string> = fc.memo((depth) => {
    if (depth <= 1) return text
    const inner = fc.array(inline(depth - 1), { maxLength: 3 }).map((parts) => parts.join(''))
    const names = fc.constantFrom('mark', 'code', 'em', 'strong', 'span', 'q')
    return fc.oneof(
      text,
      fc.tuple(names, inner).map(([name, body]) => `<${name}>${body}</${name}>`),
    )
  })
  const line = fc.array(inline(3), { maxLength: 4 }).map((parts) => parts.join(''))
  const list = fc
    .array(line, { maxLength: 3 })
    .map((items) => `<ul>\n${items.map((i) => `<li>${i}</li>`).join('\n')}</ul>`)
  const nested = fc.tuple(line, list).map(([first, inner]) => `<ol><li>${first}${inner}</li></ol>`)
  const block = fc.oneof(
    fc.tuple(fc.constantFrom('p', 'pre', 'h2', 'h3'), line).map(([name, body]) => `<${name}>${body}</${name}>`),
    list,
    nested,
    fc.constantFrom('\n', ' loose text '),
  )
  const article = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join(''))

  it('gives what a real parser gives', () => {
    fc.assert(
      fc.property(article, (body) => {
        const plain = readPlainArticle(`<article>${body}</article>`)
        expect(plain && readArticle(plain)).toEqual(readDocument(parse(page(body).toString())).article)
      }),
      { seed, numRuns: 500 },
    )
  })

  it.each([
    ['a paragraph in a paragraph', '<p>a<p>b</p></p>'],
    ['a list in a paragraph', '<p>a<ul><li>b</li></ul></p>'],
    ['an end tag too many', '<p>a</p></p>'],
    ['attributes', '<p title="x">a</p>'],
    ['an unknown reference', '<p>&eacute;</p>'],
    ['a comment', '<p>a<!-- <p>b</p> --></p>'],
    ['a table', '<table><tr><td>x</td></tr></table>'],
    ['upper case', '<P>a</P>'],
    ['a script', '<script>x</script>'],
  ])('leaves %s to the parser', (_, body) => {
    expect(readPlainArticle(`<article>${body}</article>`)).toBeNull()
  })

  it('reads the same head as the parser', async () => {
    const bytes = memory({
      tags: ['a', 'b'],
      entities: ['service:x & "y"'],
      links: [['supports', '/a/b.html']],
      metas: { due: '2026-12-01' },
    })
    const parsed = (await parseMemory(bytes)) as NonNullable<Awaited<ReturnType<typeof parseMemory>>>
    const quick = await read(bytes)
    expect(quick.title).toBe(parsed.title)
    expect(new Map(quick.fields)).toEqual(new Map(parsed.fields))
    expect(quick.article).toEqual(parsed.article)
    expect(quick.fields.get('tag')).toEqual(['a', 'b'])
    expect(quick.fields.get('supports')).toEqual(['/a/b.html'])
  })

  it.each([
    ['a comment that swallows the article', page('<p>x</p>').toString().replace('</head>', '<!-- </head>')],
    ['a script', page('<p>x</p>', '<script>1</script>').toString()],
    ['text before the article', page('<p>x</p>').toString().replace('<body>', '<body>x')],
    ['text after it', page('<p>x</p>').toString().replace('</body>', 'x</body>')],
    ['another element', page('<p>x</p>').toString().replace('<article>', '<articles>')],
    ['an unclosed title', page('<p>x</p>', '<title>x').toString()],
  ])('does not trust a file with %s', (_, text) => {
    const bytes = Buffer.from(text)
    const range = articleRange(bytes)
    expect(range && headText(bytes, range)).toBeNull()
  })
})

describe('compareMemories', () => {
  it('case 34: a head-only change leaves the article the same', async () => {
    const found = await compared(memory(), memory({ metas: { confidence: '0.920' }, updated: '2026-11-30T00:00:00Z' }))
    expect(found.sameArticle).toBe(true)
    expect(found.fields).toEqual([
      { name: 'confidence', before: ['1.000'], after: ['0.920'] },
      { name: 'updated', before: ['2026-11-23T09:00:00Z'], after: ['2026-11-30T00:00:00Z'] },
    ])
  })

  it('case 34: a re-indented article is the same, whitespace in preformatted text is not', async () => {
    const indented = Buffer.from(memory().toString().replaceAll('<p>', '\n    <p>'))
    const found = await compared(memory(), indented)
    expect(found.sameArticle).toBe(true)
    expect(found.fields.map((field) => field.name)).toEqual(['formatting'])
    const changed = await compared(memory({ pre: 'a b' }), memory({ pre: 'a  b' }))
    expect(changed.sameArticle).toBe(false)
    expect(changed.claims.before).toBe(changed.claims.after)
  })

  it('case 39: names the fields that differ, whatever their place', async () => {
    const names = async (before: Partial<MemorySpec>, after: Partial<MemorySpec>) =>
      (await compared(memory(before), memory(after))).fields.map((field) => field.name)
    expect(await names({}, { entities: ['service:a'] })).toEqual(['entity'])
    expect(await names({ entities: ['a:1', 'a:2'] }, { entities: ['a:1', 'a:3'] })).toEqual(['entity'])
    expect(await names({}, { links: [['contradicts', '/x/y.html']] })).toEqual(['contradicts'])
    expect(await names({}, { metas: { 'valid-until': '2026-12-01', reprieves: '1' } })).toEqual([
      'reprieves',
      'valid-until',
    ])
    expect(await names({}, { title: 'Other' })).toEqual(['title'])
    expect(await names({ tags: ['x'] }, { tags: ['y'], status: 'archived' })).toEqual(['status', 'tag'])
    expect(await names({ links: [['supports', '/a.html']] }, {})).toEqual(['supports'])
  })

  it('gives all values of a repeated field', async () => {
    const found = await compared(memory({ tags: ['a', 'b'] }), memory({ tags: ['a', 'c'] }))
    expect(found.fields).toEqual([{ name: 'tag', before: ['a', 'b'], after: ['a', 'c'] }])
  })

  it('sees markup that changes without its text: a link inside the article', async () => {
    const link = (href: string) =>
      page(`<p><mark>c</mark> <a href="${href}">here</a></p>`, '<meta name="memhtml-type" content="semantic">')
    const found = await compared(link('/a.html'), link('/b.html'))
    expect(found.sameArticle).toBe(true)
    expect(found.fields.map((field) => field.name)).toEqual(['markup'])
  })

  it('does not take a head that hides the article for a change of metas alone', async () => {
    const before = memory()
    const after = Buffer.from(before.toString().replace('</head>', '</head><template>'))
    const found = await compared(before, after)
    expect(found.sameArticle).toBe(false)
  })

  it('tells a changed claim from a changed body', async () => {
    const claim = await compared(memory(), memory({ claim: 'The pool holds 60.' }))
    expect(claim.claims).toEqual({ before: 'The pool holds 40.', after: 'The pool holds 60.' })
    const body = await compared(memory(), memory({ body: ['One.'] }))
    expect(body.sameArticle).toBe(false)
    expect(body.claims.before).toBe(body.claims.after)
    expect(body.fields).toEqual([])
  })

  it('says nothing of a hash that follows the article, and tells one that changed alone', async () => {
    const wrong = await compared(memory(), memory({ metas: { 'content-hash': 'sha256:0' } }))
    expect(wrong.fields.map((field) => field.name)).toEqual(['content-hash'])
  })

  it('finds nothing between equal files', async () => {
    expect((await compared(memory(), memory())).fields).toEqual([])
  })
})

describe('blocks', () => {
  it('are what a reader sees, the claim apart', async () => {
    const { article } = await read(
      page(
        '<h2>Head</h2><p><mark>Claim  here.</mark> And more.</p><ul><li>one</li><li>two <b>bold</b></li></ul><pre>a\n  b</pre><table><tr><td>x</td><td>y</td></tr></table>',
      ),
    )
    expect(article?.claim).toBe('Claim here.')
    expect(article?.blocks).toEqual([
      { name: 'h2', text: 'Head' },
      { name: 'p', text: 'And more.' },
      { name: 'li', text: 'one' },
      { name: 'li', text: 'two bold' },
      { name: 'pre', text: 'a\n  b' },
      { name: 'tr', text: 'x y' },
    ])
  })

  it('nothing is read from a file without an article', async () => {
    expect((await read(Buffer.from('plain'))).article).toBeNull()
    expect((await readOne(Buffer.from('')))?.claim).toBeNull()
  })

  it.each([
    ['nests without end', '<div>'.repeat(100_000)],
    [
      'makes a parser copy what is open again and again',
      Array.from({ length: 40_000 }, (_, i) => `<font size=${i}><p>`).join(''),
    ],
  ])('does not read a file that %s, and gives up at once', async (_, body) => {
    const bytes = page(`<p><mark>c</mark></p>${body}`)
    const began = performance.now()
    expect(await readMemory(bytes)).toBeNull()
    expect(await compareMemories(bytes, memory())).toBeNull()
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
