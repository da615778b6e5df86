import { expect, it } from 'vitest'
import { assert } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { calibrateSymbols } from '#server/trading/sales/calibrate-symbols.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { SaleRun, WARM_UP_TICKS } from '#test/support/sale-run.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

function lengthsOf(row: { report: unknown } | undefined): number[] {
  assert(row, 'there is a report')
  const { lengths } = row.report as { lengths: { lengthMs: number }[] }
  return lengths.map(({ lengthMs }) => lengthMs / 1_000)
}

it('calibrates each symbol whose terms name selling back, once a day, by its ticks in the tick log of the installation', async () => {
  const run = await SaleRun.start(database)
  const { app } = run
  const { ctx, catalogue } = app
  try {
    await run.warmUp()
    const reports = () => database.db.selectFrom('sale_report').selectAll().orderBy('made_ms').execute()
    await calibrateSymbols({ ctx, catalogue })
    expect(await reports()).toEqual([])
    await forceTerms(database.db, [{ what: 'sale', of: 'BTC', value: 'off' }])
    await catalogue.reload()
    for (let times = 0; times < 2; times += 1) await calibrateSymbols({ ctx, catalogue })
    const [report, ...others] = await reports()
    expect(others).toEqual([])
    expect(report).toMatchObject({ symbol_id: 1, scale: 90, days: 1, prices: BigInt(WARM_UP_TICKS), is_fair: false })
    expect(report?.min_fee).toBeGreaterThanOrEqual(200)
    expect(report?.report).toMatchObject({ faults: expect.arrayContaining(['days', 'orders']) })
    expect(Number(report?.from_ms)).toBe(Number(report?.made_ms) - 20 * DAY_MS)
    ctx.clock.step(DAY_MS)
    // No stock order can last a day, so a day is not among the durations that stocks need.
    await forceTerms(database.db, [{ what: 'sale', of: 'AAPL', value: 'off' }])
    await catalogue.reload()
    await calibrateSymbols({ ctx, catalogue })
    const [, second, stock] = await reports()
    expect([second, stock].map(lengthsOf).toSorted((a, b) => a.length - b.length)).toEqual([
      [300, 1_800, 3_600],
      [300, 1_800, 3_600, 86_400],
    ])
    expect(await reports()).toHaveLength(3)
  } finally {
    await app.stop()
  }
})
