import { expect, it } from 'vitest'
import { reportText } from './reportText.ts'

it('reads headings, paragraphs and table rows as text', () => {
  const html = `<!doctype html><html><head><title>No</title><style>p{}</style></head><body><article>
<h1>Run</h1><p><mark>12 phases, 0 failed.</mark></p>
<table><thead><tr><th>Phase</th><th>Counts</th></tr></thead><tbody><tr><td><code>decay</code></td><td>a=1 &amp; b=2</td></tr></tbody></table>
loose &lt;b&gt; &#8594; &#x2192; &bogus;</article></body></html>`
  expect(reportText(html)).toMatchObject([
    { kind: 'head', cells: ['Run'] },
    { kind: 'text', cells: ['12 phases, 0 failed.'] },
    { kind: 'row', cells: ['Phase', 'Counts'] },
    { kind: 'row', cells: ['decay', 'a=1 & b=2'] },
    { kind: 'text', cells: ['loose <b> → → &bogus;'] },
  ])
})

it('shows nothing of scripts and survives what is no HTML', () => {
  expect(reportText('<script>alert(1)</script>')).toEqual([])
  expect(reportText('just text < and >')).toMatchObject([{ kind: 'text', cells: ['just text'] }])
  expect(reportText('')).toEqual([])
})
