import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Quote } from '#server/market-data/feeds/providers/provider.ts'
import { anyText, hasQuote, mutated } from '#test/contracts/provider-fuzz.ts'
import type { ProviderUnderTest } from '#test/support/providers/provider-under-test.ts'

const RUNS = 1_000

/** Defines the tests of a parser: any input may neither throw nor produce a price that it does not contain. */
export function describeParser(name: string, under: ProviderUnderTest): void {
  describe(`${name}: any text`, () => {
    const sample = [
      ...under.recordings.flatMap(({ messages }) => messages.slice(0, 40)),
      ...under.symbols.flatMap((symbol) => under.tell(symbol, 1).messages),
    ]

    test('the unchanged samples contain prices', () => {
      const read = under.read()
      expect(sample.flatMap((text) => [...read(text)]).length).toBeGreaterThan(0)
    })

    test(`${RUNS} arbitrary texts: no exception, no wrong tick`, () => {
      const property = fc.property(anyText, (text) => {
        expect(wrong(under.read(), text)).toEqual([])
      })
      fc.assert(property, { numRuns: RUNS })
    })

    test(`${RUNS} changed messages: no exception, no wrong tick`, () => {
      const property = fc.property(fc.array(mutated(sample), { minLength: 1, maxLength: 3 }), (texts) => {
        const read = under.read()
        for (const text of texts) expect(wrong(read, text)).toEqual([])
      })
      fc.assert(property, { numRuns: RUNS })
    })
  })
}

/** Returns quotes that a text does not contain or that are invalid. */
function wrong(read: (text: string) => readonly Quote[], text: string): Quote[] {
  return read(text).filter(
    (quote) =>
      !/^\d+(?:\.\d+)?$/.test(quote.price) ||
      !(Number(quote.price) > 0) ||
      !/^\d+(?:\.\d+)?$/.test(quote.volume) ||
      !Number.isSafeInteger(quote.time) ||
      !hasQuote(text, quote),
  )
}
