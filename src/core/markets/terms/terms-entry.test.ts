import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_PREVIOUS, readTermsText, TERMS_PARTS, type TermsEntry, termsText } from '#core/markets/terms/terms-entry.ts'
import { instant } from '#core/time/instant.ts'

const ENTRY: TermsEntry = {
  n: 17,
  what: 'payout',
  of: '60',
  value: '8500',
  announcedAt: instant(1_000),
  appliesAt: instant(61_000),
  isBefore: false,
  previous: NO_PREVIOUS,
}
const TEXT = `{"v":1,"kind":"terms","n":17,"what":"payout","of":"60","value":"8500","announced_ms":1000,"applies_ms":61000,"previous":"${NO_PREVIOUS}"}`

const entries = fc.record({
  n: fc.integer({ min: 1, max: 1e9 }),
  what: fc.constantFrom(...TERMS_PARTS),
  of: fc.stringMatching(/^[A-Za-z0-9_]{1,20}$/),
  value: fc.stringMatching(/^[a-z0-9]{1,20}$/),
  announcedAt: fc.nat().map(instant),
  appliesAt: fc.nat().map(instant),
  isBefore: fc.boolean(),
  previous: fc.stringMatching(/^[0-9a-f]{64}$/),
})

describe('the text of an entry', () => {
  it('an entry is written as canonical JSON', () => {
    expect(termsText(ENTRY)).toBe(TEXT)
    expect(termsText({ ...ENTRY, isBefore: true })).toContain(',"before":true,"previous"')
  })

  it('the text of an entry is read back as the same entry', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        expect(readTermsText(termsText(entry))).toEqual(entry)
      }),
    )
  })

  it.each([
    ['white space', TEXT.replace(',', ', ')],
    ['another order of names', TEXT.replace('"v":1,"kind":"terms"', '"kind":"terms","v":1')],
    ['another version', TEXT.replace('"v":1', '"v":2')],
    ['a further name', TEXT.replace('}', ',"user":"1"}')],
    ['a name twice', TEXT.replace('"n":17', '"n":17,"n":17')],
    ['a number as text', TEXT.replace('17', '"17"')],
    ['a fraction', TEXT.replace('1000', '1000.5')],
    ['an unknown part', TEXT.replace('payout', 'odds')],
    ['a short hash', TEXT.replace(NO_PREVIOUS, '00')],
    ['no JSON', TEXT.slice(1)],
    ['a list', '[]'],
    ['nothing', 'null'],
  ])('the text of an entry is refused with %s', (_, text) => {
    expect(readTermsText(text)).toBeNull()
  })
})
