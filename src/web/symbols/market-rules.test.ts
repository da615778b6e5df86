import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { aSymbol } from '#test/support/web-fixtures.ts'
import { featuredOf, nextSort, rowsOf, searchSymbols, type Sort } from '#web/symbols/market-rules.ts'

const LIST = [
  aSymbol({ id: 1, symbol: 'BTC', price: 67_000, change: 1, isFavorite: true, is_featured: true }),
  aSymbol({ id: 2, symbol: 'ETH', price: 3_500, change: 3 }),
  aSymbol({ id: 3, symbol: 'XRP', price: null, change: null }),
  aSymbol({ id: 4, symbol: 'ADA', price: 0.78, change: -2 }),
  aSymbol({ id: 5, symbol: 'AAPL', market_type: 'us_stocks', price: 232, change: 9, isFavorite: true }),
]
const DOWN = { by: 'price', direction: 'descending' } as const
const UP = { by: 'price', direction: 'ascending' } as const

describe('the rows of a tab', () => {
  it.each([
    ['all', null, 'BTC ETH XRP ADA'],
    ['top', null, 'ETH BTC ADA XRP'],
    ['top', DOWN, 'BTC ETH ADA XRP'],
    ['all', UP, 'ADA ETH BTC XRP'],
    ['favorites', null, 'BTC'],
  ] as const)('SC8, SC9, SC10: %s sorted by %j', (tab, sort, expected) => {
    const rows = rowsOf(LIST, { marketType: 'crypto', tab, sort })
    expect(rows.map((item) => item.symbol).join(' ')).toBe(expected)
  })

  test('every sort order shows the same symbols', () => {
    const sorts: (Sort | null)[] = [null, DOWN, UP, { by: 'change', direction: 'ascending' }]
    const figure = fc.option(fc.double({ noNaN: true }), { nil: null })
    const symbols = fc.array(fc.record({ price: figure, change: figure }), { maxLength: 20 })
    fc.assert(
      fc.property(symbols, fc.constantFrom(...sorts), (figures, sort) => {
        const list = figures.map((given, id) => aSymbol({ id, ...given }))
        const ids = rowsOf(list, { marketType: 'crypto', tab: 'all', sort }).map((item) => item.id)
        expect(ids.toSorted((a, b) => a - b)).toEqual(list.map((item) => item.id))
      }),
    )
  })
})

describe('F37: a search', () => {
  const coins = LIST.map((one) => ({ ...one, product_id: one.symbol, name: one.symbol }))
  const pair = aSymbol({
    id: 6,
    symbol: 'EURUSD',
    product_id: 'EURUSD',
    market_type: 'us_fx',
    name: 'Euro / US Dollar',
  })
  it.each([
    ['eth', 'ETH'],
    ['ＢＴＣ', 'BTC'],
    ['b\u200Btc', 'BTC'],
    [' eur usd ', 'EURUSD'],
    ['EUR/USD', 'EURUSD'],
    ['eur-usd', 'EURUSD'],
    ['euro us', 'EURUSD'],
    ['nothing', ''],
  ])('a search for %j finds %j', (typed, expected) => {
    expect(
      searchSymbols([...coins, pair], typed)
        .map(({ symbol }) => symbol)
        .join(' '),
    ).toBe(expected)
  })
})

test('SC7: featured symbols belong to the chosen market', () => {
  expect(featuredOf(LIST, 'crypto').map((item) => item.symbol)).toEqual(['BTC'])
  expect(featuredOf(LIST, 'us_stocks')).toEqual([])
})

test("a column heading switches from descending to ascending to the tab's order", () => {
  const first = nextSort(null, 'price')
  const second = nextSort(first, 'price')
  expect(first).toEqual(DOWN)
  expect(second).toEqual(UP)
  expect(nextSort(second, 'price')).toBeNull()
  expect(nextSort(second, 'change')).toEqual({ by: 'change', direction: 'descending' })
})
