import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Cursor } from '#server/platform/database/keyset-pagination.ts'
import { listOrders, type OrderFilters, type StaffOrder } from '#server/back-office/orders/orders.queries.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

/** Generates a settled order of one user: opening time, duration and result. */
const settled = fc.record({
  openedMs: fc.integer({ min: 0, max: 40 }),
  ranMs: fc.constantFrom(1, 2, 30, 200),
  symbol: fc.constantFrom(1, 2),
  result: fc.constantFrom(1, 2),
})
type Settled = typeof settled extends fc.Arbitrary<infer Value> ? Value : never

it('F5: the start of a reference together with another filter finds an old order among many newer ones', async () => {
  const app = await createTestApp(database)
  const alice = await app.verifiedUser('alice')
  const rows = Array.from({ length: 201 }, (_, at) =>
    historyRow({
      user_id: alice.id,
      id: `0195a000-0000-7000-9000-${at.toString(16).padStart(12, '0')}`,
      trx: `FW-0TX${at.toString().padStart(2, '0')}`,
      settled_ms: 100_000 + at,
      ...(at === 0 && { void_reason: 'no price' }),
    }),
  )
  await database.db.insertInto('order_history').values(rows).execute()
  const none = { state: null, symbol: null, trx: 'FW-0TX', period: { from: null, until: null }, userId: null }
  const list = async (filters: Partial<OrderFilters>, after: Cursor | null = null) =>
    (await listOrders(database.db, { ...none, ...filters }, { after, limit: 150 })).map(({ id }) => id)
  expect(await list({ state: 'void' })).toEqual([rows[0]?.id])
  expect(await list({ period: { from: null, until: 40_002 } })).toEqual([rows[1]?.id, rows[0]?.id])
  const first = await list({})
  const last = rows.find(({ id }) => id === first.at(-1))
  expect(await list({}, [Number(last?.opened_ms), last?.id ?? ''])).toHaveLength(51)
  await app.stop()
})

const FILTERS: Partial<OrderFilters>[] = [{}, { state: 'won' }, { symbol: 'BTC' }, { period: { from: 10, until: 30 } }]

async function storeOrders(userId: string, orders: readonly Settled[]): Promise<void> {
  const rows = orders.map(({ openedMs, ranMs, symbol, result }, at) =>
    historyRow({
      user_id: userId,
      id: `0195a000-0000-7000-9000-${at.toString(16).padStart(12, '0')}`,
      symbol_id: symbol,
      opened_ms: openedMs,
      result,
      settled_ms: openedMs + ranMs,
    }),
  )
  await database.db.insertInto('order_history').values(rows).execute()
}

it("lists a user's orders by opening time, whatever their settlement time, page by page", async () => {
  const app = await createTestApp(database)
  const alice = await app.verifiedUser('alice')
  const none = { state: null, symbol: null, trx: null, period: { from: null, until: null }, userId: alice.id }
  const keyOf = ({ opened_ms, id }: Pick<StaffOrder, 'opened_ms' | 'id'>) => `${opened_ms} ${id}`
  const pages = async (filters: OrderFilters, limit: number) => {
    const seen: string[] = []
    for (let after: Cursor | null = null; ; ) {
      const page: StaffOrder[] = await listOrders(database.db, filters, { after, limit })
      seen.push(...page.map(keyOf))
      const last = page.at(-1)
      if (last === undefined || page.length < limit) return seen
      after = [Number(last.opened_ms), last.id]
    }
  }
  const plain = fc.asyncProperty(
    fc.array(settled, { minLength: 1, maxLength: 30 }),
    fc.integer({ min: 1, max: 8 }),
    fc.constantFrom(...FILTERS),
    async (orders, limit, filter) => {
      await database.asOwner((owner) => sql`delete from order_history`.execute(owner))
      await storeOrders(alice.id, orders)
      const all = await pages({ ...none, ...filter }, 1_000)
      expect(await pages({ ...none, ...filter }, limit)).toEqual(all)
      const isWanted = ({ openedMs, symbol, result }: Settled) =>
        (filter.state === undefined || result === 1) &&
        (filter.symbol === undefined || symbol === 1) &&
        (filter.period === undefined || (openedMs >= 10 && openedMs < 30))
      expect(all.map((key) => Number(key.split(' ')[0]))).toEqual(
        orders
          .filter(isWanted)
          .map(({ openedMs }) => openedMs)
          .toSorted((a, b) => b - a),
      )
    },
  )
  await fc.assert(plain, { numRuns: 60 })
  await app.stop()
})
