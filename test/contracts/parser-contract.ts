import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Quote } from '#server/market-data/feeds/providers/provider.ts'
import { anyText, isTold, mutated } from '#test/contracts/provider-fuzz.ts'
import type { ProviderUnderTest } from '#test/support/providers/provider-under-test.ts'

const RUNS = 1_000

/** Whatever a provider sends, reading it throws nothing and makes no price that it did not tell. */
export function describeParser(name: string, under: ProviderUnderTest): void {
  describe(`${name}: any text`, () => {
    const sample = [
      ...under.recordings.flatMap(({ messages }) => messages.slice(0, 40)),
      ...under.symbols.flatMap((symbol) => under.tell(symbol, 1).messages),
    ]

    test('the sample itself has prices: the tests below read what they change', () => {
      const read = under.read()
      expect(sample.flatMap((text) => [...read(text)]).length).toBeGreaterThan(0)
    })

    test(`${RUNS} times anything: no throw, no wrong tick`, () => {
      const property = fc.property(anyText, (text) => {
        expect(wrong(under.read(), text)).toEqual([])
      })
      fc.assert(property, { numRuns: RUNS })
    })

    test(`${RUNS} times something like its messages: no throw, no wrong tick`, () => {
      const property = fc.property(fc.array(mutated(sample), { minLength: 1, maxLength: 3 }), (texts) => {
        const read = under.read()
        for (const text of texts) expect(wrong(read, text)).toEqual([])
      })
      fc.assert(property, { numRuns: RUNS })
    })
  })
}

/** Quotes that a text does not say, or that are none. */
function wrong(read: (text: string) => readonly Quote[], text: string): Quote[] {
  return read(text).filter(
    (quote) =>
      !/^\d+(?:\.\d+)?$/.test(quote.price) ||
      !(Number(quote.price) > 0) ||
      !/^\d+(?:\.\d+)?$/.test(quote.volume) ||
      !Number.isSafeInteger(quote.time) ||
      !isTold(text, quote),
  )
}
