import { expect, it } from 'vitest'
import { FINNHUB_TRADE_CONDITIONS, tradeUse } from '#core/markets/sources/trade-conditions.ts'

it('P3: the list of trade conditions has the 41 codes, each code once', () => {
  expect(Object.keys(FINNHUB_TRADE_CONDITIONS)).toEqual(Array.from({ length: 41 }, (_, n) => String(n + 1)))
})

it.each([
  ['no codes', [], 'price'],
  ['regular', ['1'], 'price'],
  ['an intermarket sweep', ['1', '8'], 'price'],
  ['a sweep that may pass a better quote', ['8', '41'], 'price'],
  ['extended hours', ['1', '24'], 'extended'],
  ['average price', ['1', '3'], 'other'],
  ['odd lot', ['1', '12'], 'other'],
  ['prior reference price', ['21'], 'other'],
  ['contingent', ['1', '26'], 'other'],
  ['out of sequence', ['30', '1'], 'other'],
  ['out of sequence in extended hours', ['25'], 'other'],
  ['derivatively priced', ['1', '32'], 'other'],
  ['qualified contingent', ['37', '41'], 'other'],
  ['a code of no list', ['1', '42'], 'unknown'],
  ['a code of no list in extended hours', ['42', '24'], 'unknown'],
  ['an odd lot with a code of no list', ['42', '12'], 'other'],
  ['names that every object has', ['constructor'], 'unknown'],
  ['names that every object has', ['__proto__'], 'unknown'],
  ['zero before the code', ['01'], 'unknown'],
] as const)('P3: %s %j is %s', (_, codes, use) => {
  expect(tradeUse(codes)).toBe(use)
})
