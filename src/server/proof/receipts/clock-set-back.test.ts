import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { BatchKind } from '#core/proof/receipt.ts'
import { HOUR_MS, instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { listWithoutReceipt } from '#server/proof/receipts/amended-orders.queries.ts'
import { createBackfill } from '#server/proof/receipts/backfill.ts'
import { sweepStart } from '#server/proof/receipts/receipt-batch.queries.ts'
import { listUnsignedSales } from '#server/proof/receipts/sold-orders.queries.ts'
import { withoutRules } from '#test/support/bare-rows.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const NOW = instant(1_800_000_000_000)
const database = useTestDatabase()
const own = { user_id: randomUUID(), order_id: randomUUID() }

/** Adds a batch of receipts that a server made while the clock showed `atMs`. */
async function addBatch(kind: BatchKind, atMs: number): Promise<void> {
  const times = { first_ms: atMs, last_ms: atMs, made_ms: atMs }
  await database.db
    .insertInto('receipt_batch')
    .values({ id: randomUUID(), kind, ...times, keys: Buffer.alloc(32), signature: '' })
    .execute()
}

/** Adds a payment and a sale at `atMs` without the order that they belong to. */
async function addPaymentAndSale(atMs: number): Promise<void> {
  await withoutRules(database, async (tx) => {
    const decision = { symbol_id: 1, source: 'a', expires_ms: atMs, max_tick_age_ms: 1, rule: 1, evidence: 'a' }
    const payment = { result: 1, amount: 1, noted_ms: atMs, due_ms: atMs, paid_ms: atMs }
    await tx
      .insertInto('made_good')
      .values({ ...decision, ...own, ...payment })
      .execute()
    const value = { movement: '1', left_ms: 1, win: 500_000_000, same: 0, stake: 10_000 }
    const amounts = { gross: 9_400, fee: 400, paid: 9_000, decided_ms: atMs, head_seq: 1 }
    await tx
      .insertInto('sale_end')
      .values({ ...own, n: 1, reason: null, tick_seq: 1, received_ms: atMs, ...value, ...amounts })
      .execute()
  })
}

it('payments and sales get their receipts after a clock that was an hour ahead was set back', async () => {
  for (const kind of ['amended', 'sale'] as const) await addBatch(kind, NOW + HOUR_MS)
  await addPaymentAndSale(NOW)
  const missing = [{ userId: own.user_id, orderId: own.order_id }]
  expect(await listWithoutReceipt(database.db, instant(NOW + SECOND_MS))).toEqual(missing)
  expect(await listUnsignedSales(database.db, instant(NOW + SECOND_MS), 10)).toEqual(missing)
})

it('the search for missing receipts begins ten minutes before the newest receipt that is not from the future', async () => {
  for (const atMs of [NOW - 3 * HOUR_MS, NOW - 2 * HOUR_MS, NOW + HOUR_MS]) await addBatch('accepted', atMs)
  expect(await sweepStart(database.db, 'accepted', NOW)).toBe(NOW - 2 * HOUR_MS - 10 * MINUTE_MS)
})

it('a running server makes missing receipts of orders that were accepted after its clock was set back', async () => {
  const ctx = createTestContext(database.db, instant(NOW + HOUR_MS))
  const receipts: string[] = []
  const backfill = createBackfill(ctx, async (kind, keys) => {
    receipts.push(...keys.map(({ orderId }) => `${kind} ${orderId}`))
  })
  const none = { accepted: new Set<string>(), result: new Set<string>(), money: new Set<string>() }
  const run = () =>
    backfill.run(
      () => none,
      async () => true,
    )
  await run()
  expect(receipts).toEqual([])
  const { user_id, order_id: id } = own
  await withoutRules(database, async (tx) => {
    await tx
      .insertInto('order_history')
      .values(historyRow({ user_id, id, settled_ms: NOW + MINUTE_MS, head_seq: 1, rule_version: 2 }))
      .execute()
  })
  ctx.clock.jump(5 * MINUTE_MS - HOUR_MS)
  await run()
  expect(receipts).toEqual([`accepted ${id}`, `result ${id}`])
})
