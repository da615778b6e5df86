import { describe, expect, it } from 'vitest'
import { NO_PREVIOUS, type TermsEntry } from '#core/markets/terms/terms-entry.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { salePauses } from '#core/markets/terms/sale-pauses.ts'
import { isSalePaused } from '#core/orders/sale/sale-pause.ts'
import { instant, MINUTE_MS } from '#core/time/instant.ts'

const at = (minutes: number) => instant(minutes * MINUTE_MS)
const historyOf = (...pauses: readonly (readonly [of: string, from: number, minutes: number])[]) =>
  new TermsHistory(
    pauses.map(([of, from, minutes], index): TermsEntry => {
      const times = { announcedAt: at(0), appliesAt: at(from), isBefore: false, previous: NO_PREVIOUS }
      return { n: index + 1, what: 'sale_pause', of, value: String(minutes * MINUTE_MS), ...times }
    }),
  )
const EURUSD = { code: 'EURUSD', marketType: 'us_fx' } as const

describe('the pauses of a symbol', () => {
  it('a symbol has its own pauses and the pauses of its market', () => {
    const history = historyOf(['EURUSD', 100, 30], ['us_fx', 300, 5], ['crypto', 100, 30], ['GBPUSD', 100, 30])
    expect(salePauses(history, EURUSD)).toEqual([
      { from: at(100), until: at(130) },
      { from: at(300), until: at(305) },
    ])
  })

  it('a pause that is announced later and starts earlier replaces no other pause', () => {
    const pauses = salePauses(historyOf(['EURUSD', 200, 10], ['EURUSD', 100, 10], ['EURUSD', 200, 1]), EURUSD)
    expect(isSalePaused(pauses, at(195), at(205))).toBe(true)
    expect(isSalePaused(pauses, at(95), at(105))).toBe(true)
    expect(isSalePaused(pauses, at(229), at(240))).toBe(true)
  })
})

describe('a pause from 100 to 130 minutes', () => {
  const pauses = salePauses(historyOf(['EURUSD', 100, 30]), EURUSD)
  it.each([
    ['an order that ends before it', 60, at(100) - 1, false],
    ['an order that ends when it starts', 60, at(100), true],
    ['an order that ends during it', 110, at(115), true],
    ['an order that goes on after it', 90, at(140), true],
    ['an order of later, up to 20 minutes after it', 150, at(160), true],
    ['an order of more than 20 minutes later', 150 + 1 / MINUTE_MS, at(160), false],
  ])('%s', (_, now, expiresAt, isPaused) => {
    expect(isSalePaused(pauses, at(now), instant(expiresAt))).toBe(isPaused)
  })
})
