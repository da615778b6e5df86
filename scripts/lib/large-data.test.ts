import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { price } from '#core/money/price.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { toSettledFacts } from '#server/trading/engine/settled-facts.ts'
import { createTestApp } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { largeData } from './large-data.ts'

const SIZE = { users: 300, orders: 2_000, now: TEST_START }

const database = useTestDatabase({ emptied: 'once' })
beforeAll(async () => {
  const app = await createTestApp(database)
  await app.stop()
  // The statements run as the owner of the tables, because the server's role may not create tables, not even temporary
  // ones.
  await database.asOwner(async (db) => {
    for (const text of largeData(SIZE).flatMap((step) => step.sql)) await sql.raw(text).execute(db)
  })
})

it('the ledger of large data reconciles to the cent', async () => {
  const report = await checkLedger(database.db)
  expect(report).toMatchObject({ clean: true, mismatches: [], sumOfAll: 0n, openOrders: SIZE.orders / 500 })
  expect(report.transfers).toBeGreaterThan(2.8 * SIZE.orders)
})

it('the results of large data follow from its prices', async () => {
  const rows = await database.db
    .selectFrom('order_history as o')
    .innerJoin('settlement_price as p', (join) =>
      join.onRef('p.symbol_id', '=', 'o.symbol_id').onRef('p.expires_ms', '=', 'o.expires_ms'),
    )
    .selectAll('o')
    .select('p.exit_price as decided')
    .execute()
  expect(rows).toHaveLength(SIZE.orders)
  for (const row of rows) {
    const settled = settleOrder(toSettledFacts(row), { kind: 'price', exitPrice: price(row.decided ?? 0n) })
    expect([row.result, row.result_amount]).toEqual([settled.result, settled.netChange])
  }
})
