import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'

describe('the catalogue', () => {
  test('every id and code is unique, and every market has symbols', () => {
    expect(new Set(CATALOGUE.map((symbol) => symbol.id)).size).toBe(CATALOGUE.length)
    expect(new Set(CATALOGUE.map((symbol) => symbol.code)).size).toBe(CATALOGUE.length)
    for (const type of MARKET_TYPES) expect(CATALOGUE.some((symbol) => symbol.marketType === type)).toBe(true)
  })

  test.each(CATALOGUE)('$code has frequent ticks and decimals that show the moves of a second', (symbol) => {
    expect(60_000 % symbol.tickSpacingMs).toBe(0)
    expect(symbol.tickSpacingMs * 2).toBeLessThan(symbol.maxTickAgeMs)
    const moveOfASecond = (symbol.startPrice * 10 ** symbol.decimals * symbol.annualVolatility) / Math.sqrt(31_557_600)
    expect(moveOfASecond).toBeGreaterThan(0.75)
    expect(symbol.color).toMatch(/^#[0-9a-f]{6}$/)
  })
})
