import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeholdersFor } from './placeholders.ts'

const SEED = 20261202
console.log(`fast-check seed ${SEED}`)

const everyNoncharacter = String.fromCharCode(...Array.from({ length: 32 }, (_, i) => 0xfdd0 + i))

describe('characters that an editor would not keep', () => {
  it('come back as they were, in texts of the same length', () => {
    const unit = fc.constantFrom('\r', '\uFEFF', '\uFDD0', '\uFDD1', 'a', '\n', '\u2028', '\u0085', '😀')
    fc.assert(
      fc.property(fc.array(fc.string({ unit }), { minLength: 1, maxLength: 4 }), (texts) => {
        const { show, read } = placeholdersFor(texts)
        for (const text of texts) {
          expect(read(show(text))).toBe(text)
          expect(show(text)).toHaveLength(text.length)
          expect(show(text)).not.toMatch(/[\r\uFEFF]/)
        }
      }),
      { seed: SEED },
    )
  })

  it('leave line endings and other separators as they are', () => {
    const { show } = placeholdersFor(['a\nb\u2028c\u2029d\u0085e\0f'])
    expect(show('a\nb\u2028c\u2029d\u0085e\0f')).toBe('a\nb\u2028c\u2029d\u0085e\0f')
  })

  it('find others where a text has every noncharacter', () => {
    const text = `${everyNoncharacter}\r`
    const { show, read } = placeholdersFor([text])
    expect(read(show(text))).toBe(text)
  })
})
