import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '#core/ledger/account.ts'
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import { transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import { later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Cursor } from '#server/platform/database/keyset-pagination.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import { loadDueOrders } from '#server/trading/engine/due-orders.queries.ts'
import { settleBatch } from '#server/trading/engine/settle.queries.ts'
import { writeSettlementPrices } from '#server/trading/engine/settlement-prices.queries.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import {
  ALL_TRANSFERS,
  LEDGER_COLUMNS,
  type LedgerRow,
  newestTransfers,
  placeOf,
  type TransferFilters,
} from '#server/back-office/ledger/newest-transfers.queries.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { allowBareTransfers } from '#test/support/bare-rows.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const ENTRY = 6_728_410
const MAX_OPEN_ORDERS = 100
const RUNS = 60
/** Maximum number of pages that a generated query is divided into. */
const MAX_PAGES = 6
const KINDS = [
  'order_stake',
  'order_win',
  'order_lose',
  'order_draw',
  'order_void',
  'order_profit',
  'deposit',
  'beginner_task',
]

const database = useTestDatabase({ emptied: 'once' })
allowBareTransfers(database)
let ctx: TestContext
let users: string[]
/** All transfers in the order that the lists must return. */
let everything: LedgerRow[]
let pagesRead = 0

/**
 * Creates hours of trading in rounds with different prices. Many orders open at the same instant, and many settle at
 * the same instant.
 */
beforeAll(async () => {
  ctx = createTestContext(database.db)
  users = []
  for (let nth = 0; nth < 3; nth += 1) users.push(await createFundedUser(ctx, money(1_000_000)))
  for (const exit of [ENTRY + 1, ENTRY - 1, ENTRY, null]) await round(exit)
  await order(5)
  const rows = await sql<LedgerRow>`
    select ${LEDGER_COLUMNS} from transfer t left join app_user u on u.id = t.user_id`.execute(database.db)
  everything = rows.rows.toSorted(newestFirst)
})

async function round(exit: number | null): Promise<void> {
  await order(12)
  for (const [nth, userId] of users.entries()) {
    const own = { userId, ref: ctx.newId(), amount: money(100 + nth) }
    await database.db.transaction().execute(async (tx) => {
      await postTransfers(tx, [transfer('deposit', own), transfer('beginner_task', own)], ctx.now())
    })
  }
  // Half of the orders expire after one minute. This round's price settles them in two batches at different instants.
  const expiresAt = later(ctx.now(), MINUTE_MS)
  await order(12, expiresAt)
  ctx.clock.advance(MINUTE_MS + SECOND_MS)
  const tick = { symbolId: BTC.id, seq: 2, volume: volume(1), source: 'test', time: expiresAt, receivedAt: expiresAt }
  const due = { symbolId: BTC.id, expiresAt }
  await writeSettlementPrices(
    database.db,
    [
      {
        ...due,
        exit: exit === null ? null : { ...tick, price: price(exit) },
        next: { ...tick, seq: 3, price: price(ENTRY), time: later(expiresAt, 1) },
        watermark: later(expiresAt, 1),
        voidReason: exit === null ? 'no_tick_before_expiry' : null,
        maxTickAgeMs: 5_000,
        head: { lastSeq: 3, hash: new Uint8Array(32) },
        writerToken: null,
      },
    ],
    ctx.now(),
  )
  for (const limit of [7, 100]) {
    const orders = await loadDueOrders(database.db, [due], limit)
    const rows = orders.map((one) => ({
      userId: one.userId,
      orderId: one.orderId,
      settled: settleOrder(one.facts, one.price),
    }))
    await settleBatch(database.db, rows, ctx.now())
    ctx.clock.advance(1)
  }
}

/** Opens `count` orders, alternating users, three at a time. */
async function order(count: number, expiresAt = later(ctx.now(), 60 * MINUTE_MS)): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    if (nth % 3 === 0) ctx.clock.advance(1)
    const planned = plannedOrder(ctx, users[(nth * 7) % 3] ?? '', { direction: nth % 2 === 0 ? BUY : SELL })
    const placement = { ...planned.placement, expiresAt }
    await acceptWholeUsers(database.db, [{ ...planned, placement }], MAX_OPEN_ORDERS)
  }
}

function newestFirst(a: LedgerRow, b: LedgerRow): number {
  const key = ({ created_ms: at, ref, step }: LedgerRow) => `${String(at).padStart(20, '0')} ${ref} ${step}`
  return key(a) < key(b) ? 1 : -1
}

function isOf({ userId, kind, account, period }: TransferFilters, row: LedgerRow): boolean {
  const at = Number(row.created_ms)
  return (
    (userId === null || row.user_id === userId) &&
    (kind === null || row.kind === kind) &&
    (account === null || row.from_account === account || row.to_account === account) &&
    (period.from === null || at >= period.from) &&
    (period.until === null || at < period.until)
  )
}

async function readAll(filters: TransferFilters, limit: number): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = []
  for (let after: Cursor | null = null; ; ) {
    pagesRead += 1
    const page = await newestTransfers(database.db, filters, { after, limit })
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return rows
    after = placeOf(last)
  }
}

describe('transfers', () => {
  it('in the test data have every kind, and the ledger reconciles', async () => {
    expect(new Set(everything.map(({ kind }) => kind))).toEqual(new Set(KINDS))
    expect(await checkLedger(database.db)).toMatchObject({ clean: true, mismatches: [] })
  })

  it('P24: are listed newest first, each once, with any filters and page size', async () => {
    pagesRead = 0
    const accounts: Account[] = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS]
    // Each filter is absent in half of the cases.
    const maybe = { freq: 1 }
    const times = fc.option(
      fc.nat({ max: 4 * 65 }).map((seconds) => seconds * SECOND_MS),
      maybe,
    )
    const start = Number(everything.at(-1)?.created_ms)
    const since = (offset: number | null) => (offset === null ? null : start + offset)
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.nat({ max: 2 }), maybe),
        fc.option(fc.constantFrom(...KINDS), maybe),
        fc.option(fc.constantFrom(...accounts), maybe),
        fc.record({ from: times, until: times }),
        fc.integer({ min: 1, max: MAX_PAGES }),
        async (user, kind, account, { from, until }, pages) => {
          const period = { from: since(from), until: since(until) }
          const filters = { userId: user === null ? null : (users[user] ?? null), kind, account, subject: null, period }
          const expected = everything.filter((row) => isOf(filters, row))
          const limit = Math.max(1, Math.ceil(expected.length / pages))
          expect(await readAll(filters, limit)).toEqual(expected)
        },
      ),
      { numRuns: RUNS },
    )
    // Limits the work of all generated cases. A full last page needs one more page to detect the end.
    expect(pagesRead).toBeLessThanOrEqual(RUNS * (MAX_PAGES + 1))
  })

  it.each([1, 2, 3, 5, 1_000])('are listed completely in pages of %i', async (limit) => {
    expect(await readAll(ALL_TRANSFERS, limit)).toEqual(everything)
    const userId = users[0] ?? ''
    expect(await readAll({ ...ALL_TRANSFERS, userId }, limit)).toEqual(
      everything.filter((row) => row.user_id === userId),
    )
  })

  it('the transfers of one requested order are listed completely, without transfers of other orders or users', async () => {
    const one = everything.find(({ kind }) => kind === 'order_profit')
    const subject = { userId: one?.user_id ?? '', id: one?.ref ?? '' }
    const own = everything.filter(({ ref }) => ref === subject.id)
    expect(own).toHaveLength(3)
    expect(await readAll({ ...ALL_TRANSFERS, subject }, 2)).toEqual(own)
    expect(await readAll({ ...ALL_TRANSFERS, subject: { ...subject, userId: ctx.newId() } }, 2)).toEqual([])
  })

  it.each<[string, Cursor]>([
    ['a time that is none', ['now', '00000000-0000-0000-0000-000000000000', 'stake']],
    ['no reference', [0, 'x', 'stake']],
    ['too little', [0]],
  ])('include none after a forged cursor with %s', async (_what, after) => {
    expect(await newestTransfers(database.db, ALL_TRANSFERS, { after, limit: 10 })).toEqual([])
  })
})
