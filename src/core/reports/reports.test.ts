import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TRANSFER_KINDS, type TransferKind } from '#core/ledger/transfer-kinds.ts'
import { isUserAccount } from '#core/ledger/account.ts'
import { lineTotals, type LineTotals, positionsOf } from '#core/reports/report-lines.ts'
import { closableAt, MAX_REPORT_DAYS, periodDays } from '#core/reports/report-period.ts'
import { DAY_MS, HOUR_MS, instant } from '#core/time/instant.ts'

/** The kinds of money. Reports leave practice out. */
const KINDS = (Object.keys(TRANSFER_KINDS) as TransferKind[]).filter((kind) => !kind.startsWith('practice'))
/** Computes from the lines of a report by how much the money of all users changed. */
function changeOfUsers(lines: LineTotals): bigint {
  const added = lines.money_in - lines.money_out + lines.came_back + lines.bonus + lines.adjustments + lines.made_good
  return added - lines.house_result - lines.fees_withdrawal - lines.fees_deposit - lines.fees_sale
}

const NOW = instant(Date.UTC(2026, 10, 28, 12))
const dayOf = (text: string) => Date.parse(text) / DAY_MS

describe('OD13.1: lines of a report', () => {
  it('OD13.1: the lines add up to the change of the money of all users, and all accounts together stay at zero', () => {
    const total = fc.record({ kind: fc.constantFrom(...KINDS), amount: fc.bigInt({ min: 1n, max: 10n ** 12n }) })
    fc.assert(
      fc.property(fc.array(total), (totals) => {
        const positions = positionsOf(totals)
        const users = Object.entries(positions).filter(([account]) => isUserAccount(account as 'cash'))
        expect(users.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(changeOfUsers(lineTotals(totals)))
        expect(Object.values(positions).reduce((sum, amount) => sum + amount, 0n)).toBe(0n)
      }),
    )
  })

  it('OD13.1: a kind of transfer that the ledger does not have changes no line and no position', () => {
    const totals = [{ kind: 'gift', amount: 5n }]
    expect(Object.values(lineTotals(totals)).every((amount) => amount === 0n)).toBe(true)
    expect(Object.values(positionsOf(totals)).every((amount) => amount === 0n)).toBe(true)
  })
})

describe('OD13.2: periods', () => {
  it('OD13.1: a period has whole days of its zone, with 25 hours when daylight saving ends', () => {
    const found = periodDays({ from: dayOf('2026-10-24'), to: dayOf('2026-10-26'), zone: 'Europe/Berlin' }, NOW)
    expect(found).toMatchObject({
      ok: true,
      value: { start: Date.UTC(2026, 9, 23, 22), end: Date.UTC(2026, 9, 26, 23) },
    })
    const hours = found.ok
      ? found.value.starts.map((start, nth) => ((found.value.starts[nth + 1] ?? found.value.end) - start) / HOUR_MS)
      : []
    expect(hours).toEqual([24, 25, 24])
    expect(found.ok && closableAt(found.value)).toBe(Date.UTC(2026, 9, 27, 0))
  })

  it.each([
    ['ends before it begins', '2026-11-02', '2026-11-01', 'UTC', 'period_invalid'],
    ['begins later than now', '2026-11-29', '2026-11-30', 'UTC', 'period_invalid'],
    ['is a day that the zone skipped', '2011-12-30', '2011-12-30', 'Pacific/Apia', 'period_invalid'],
    [
      'has days that begin between two quarters of an hour',
      '1971-01-01',
      '1971-01-02',
      'Africa/Monrovia',
      'period_invalid',
    ],
    ['has more than 400 days', '2025-10-24', '2026-11-28', 'UTC', 'period_too_long'],
  ])('OD13.2: periodDays refuses a period that %s', (_what, from, to, zone, refusal) => {
    expect(periodDays({ from: dayOf(from), to: dayOf(to), zone }, NOW)).toMatchObject({ ok: false, refusal })
  })

  it('OD13.2: periodDays accepts a period of 400 days that ends today, and a period that contains a day skipped by its zone', () => {
    const to = dayOf('2026-11-28')
    expect(periodDays({ from: to - MAX_REPORT_DAYS + 1, to, zone: 'UTC' }, NOW).ok).toBe(true)
    const skipped = { from: dayOf('2011-12-29'), to: dayOf('2011-12-31'), zone: 'Pacific/Apia' }
    expect(periodDays(skipped, NOW)).toMatchObject({ ok: true })
  })
})
