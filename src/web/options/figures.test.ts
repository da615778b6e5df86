import { describe, expect, it } from 'vitest'
import { aSymbol } from '#test/support/web-fixtures.ts'
import { changeOf, openOf, volumeText } from '#web/options/figures.ts'

const ITEM = aSymbol({ price: 110, change: 5, open: 104.76, open_hkt: 100, open_utc: 220 })

describe('the change of a price', () => {
  it('the change of a price starts at the chosen time', () => {
    expect(changeOf(ITEM, '24h')).toBe(5)
    expect(changeOf(ITEM, 'hkt')).toBe(10)
    expect(changeOf(ITEM, 'utc')).toBe(-50)
    expect([openOf(ITEM, '24h'), openOf(ITEM, 'hkt'), openOf(ITEM, 'utc')]).toEqual([104.76, 100, 220])
  })

  it('the change of a price follows the live price', () => {
    const live = { price: 120, change: 7.5 }
    expect(changeOf(ITEM, '24h', live)).toBe(7.5)
    expect(changeOf(ITEM, 'hkt', live)).toBe(20)
  })

  it('the change is unknown without a price', () => {
    expect(changeOf(aSymbol({ open_hkt: null }), 'hkt')).toBeNull()
    expect(changeOf(aSymbol({ price: null }), 'utc')).toBeNull()
    expect(changeOf(aSymbol({ price: null }), 'utc', { price: 34_000, change: 0 })).toBe(-50)
  })
})

it.each([
  [28_417.3921, 2, 'mass', '28,417.392'],
  [28_417.3921, 2, 'money', '56,834.78'],
  [1_000_000, 2.5, 'money', '2.500M'],
  [28_417.392, 67_284.1, 'money', '1.912B'],
  [5, null, 'money', '–'],
  [null, 2, 'mass', '–'],
  [5, null, 'mass', '5.000'],
] as const)('volume %j at %j in %s reads %s', (volume, price, unit, text) => {
  expect(volumeText(volume, price, unit)).toBe(text)
})
