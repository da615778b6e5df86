import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { money, shareHalfEven, basisPoints } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { later, MINUTE_MS } from '#core/time/instant.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import { Acceptor, type AcceptorOptions } from '#server/trading/engine/acceptor.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import type { OrderRequest } from '#server/trading/engine/engine.ts'
import { GENESIS_HASH } from '#server/market-data/tick-log/tick-text.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { capGate, insertBtc, termsWithCaps } from '#test/support/caps.ts'
import { BTC, createFundedUser, fixedCatalogue, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const USERS = 200
const ORDERS_EACH = 10
const STAKE = money(1_000n)
const FITTING = 50
const PROFIT = shareHalfEven(STAKE, ONE_MINUTE.payout)
const CAP = Number(PROFIT) * FITTING

const database = useTestDatabase()
let ctx: TestContext
beforeEach(async () => {
  ctx = createTestContext(database.db)
  await insertBtc(ctx)
})

/** Creates the acceptor of a server. Unless other caps are given, the cap of BTC has room for 50 orders. */
function server(caps: Readonly<Record<string, number>> = { symbol_BTC: CAP }, change: Partial<AcceptorOptions> = {}) {
  const catalogue = fixedCatalogue({ terms: termsWithCaps(caps) })
  const newest = { seq: 1, symbolId: BTC.id, price: price(6_000_000), volume: volume(1), source: 'test' }
  return new Acceptor({
    ctx,
    store: createEngineStore(ctx),
    ticks: {
      latest: () => ({ ...newest, time: ctx.now(), receivedAt: ctx.now() }),
      doubt: () => null,
      head: () => ({ lastSeq: 1, hash: GENESIS_HASH }),
      feedDelayMs: () => 0,
      waitingSince: () => null,
    },
    catalogue,
    caps: capGate(ctx, catalogue),
    lanes: Math.min(2, database.connections),
    maxBatchSize: 100,
    maxQueueLength: 5_000,
    maxOpenOrders: 100,
    closed: () => null,
    onAccepted: () => {},
    onBatch: () => {},
    ...change,
  })
}

async function crowd(count: number, cash = money(1_000_000n)): Promise<string[]> {
  const users: string[] = []
  for (let at = 0; at < count; at += 1) users.push(await createFundedUser(ctx, cash))
  return users
}

const requests = (users: readonly string[], change: Partial<OrderRequest> = {}) =>
  Array.from({ length: users.length * ORDERS_EACH }, (_, at) =>
    orderRequest(users[at % users.length] ?? '', `order-${at}`, { stake: STAKE, ...change }),
  )

async function placeAll(acceptor: Acceptor, all: readonly OrderRequest[]): Promise<string[]> {
  return await Promise.all(
    all.map(async (one) => {
      const answer = await acceptor.place(one)
      return answer.ok ? 'open' : answer.refusal
    }),
  )
}

const countOf = (codes: readonly string[]) => {
  const counts: Record<string, number> = {}
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

/** Sums the open profits of each side from the database alone. */
async function openProfits(): Promise<Record<string, bigint>> {
  const rows = await ctx.db.selectFrom('open_order').select(['direction', 'stake', 'profit_basis_points']).execute()
  const sums: Record<string, bigint> = {}
  for (const row of rows) {
    const profit = shareHalfEven(money(row.stake), basisPoints(row.profit_basis_points))
    sums[row.direction] = (sums[row.direction] ?? 0n) + profit
  }
  return sums
}

const waitingLocks = async () => {
  const { rows } = await sql<{ waiting: bigint }>`
    select count(*) as waiting from pg_locks where not granted and mode = 'ShareLock' and relation = 'open_order'::regclass`.execute(
    ctx.db,
  )
  return Number(rows[0]?.waiting)
}

const refusedOrders = async () =>
  await ctx.db.selectFrom('cap_refusal').select(['symbol_id', 'direction', 'orders']).orderBy('direction').execute()

describe('many concurrent orders against a cap', () => {
  it('OD7.6: of 2,000 orders at once from 200 users against a cap for 50, exactly 50 are taken', async () => {
    const users = await crowd(USERS)
    const acceptor = server()
    const codes = await placeAll(acceptor, requests(users))
    expect(countOf(codes)).toEqual({ open: FITTING, exposure_full: USERS * ORDERS_EACH - FITTING })
    expect(await openProfits()).toEqual({ 1: BigInt(CAP) })
    expect(codes.slice(0, FITTING)).toEqual(Array.from({ length: FITTING }, () => 'open'))
    expect(await refusedOrders()).toEqual([
      { symbol_id: BTC.id, direction: 1, orders: BigInt(USERS * ORDERS_EACH - FITTING) },
    ])
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, openOrders: FITTING })
  })

  it('OD7.6: a server that is killed in the middle and started again never exceeds the cap', async () => {
    const users = await crowd(USERS)
    const all = requests(users)
    const store = createEngineStore(ctx)
    const dead = new Promise<never>(() => {})
    let isDying = false
    let running = (): void => {}
    let end = (): void => {}
    const isRunning = new Promise<void>((resolve) => (running = resolve))
    const committed = new Promise<void>((resolve) => (end = resolve))
    /**
     * The process dies during its third statement. The database still runs that statement, and no reply reaches the
     * process.
     */
    let statements = 0
    const dying: EngineStore = {
      ...store,
      async acceptWholeUsers(orders, maxOpenOrders, lane) {
        statements += 1
        if (isDying) return await dead
        if (statements < 3) return await store.acceptWholeUsers(orders, maxOpenOrders, lane)
        isDying = true
        void ctx.db.transaction().execute(async (tx) => {
          await acceptWholeUsers(tx, orders, maxOpenOrders)
          running()
          await committed
        })
        return await dead
      },
      acceptBatch: (...args) => (isDying ? dead : store.acceptBatch(...args)),
    }
    const first = server({ symbol_BTC: CAP }, { store: dying, maxBatchSize: 7 })
    for (const one of all) void first.place(one)
    await isRunning

    const placed = placeAll(server(), all)
    if (database.kind === 'postgres') await expect.poll(waitingLocks).toBeGreaterThan(0)
    end()
    const codes = await placed
    expect(await openProfits()).toEqual({ 1: BigInt(CAP) })
    // Orders that the first server opened are repeats here, and get the reply of their first request.
    expect(countOf(codes)).toEqual({ open: FITTING, exposure_full: all.length - FITTING })
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true, openOrders: FITTING })
  })

  it('OD7.6: the outcome of the same orders does not depend on the ids of their users', async () => {
    const outcomes: string[][] = []
    const ids = (await crowd(20)).toSorted()
    const cases = [ids, ids.toReversed(), ids.toSorted((a, b) => a.slice(-6).localeCompare(b.slice(-6)))]
    for (const users of cases) {
      await ctx.db.deleteFrom('open_order').execute()
      await ctx.db.updateTable('balance').set({ open_orders: 0 }).execute()
      const name = outcomes.length
      const all = requests(users).map((one, at) => ({
        ...one,
        clientOrderId: `${name} ${one.clientOrderId}`,
        // Uneven stakes, so that a small order can fit where a large one does not.
        stake: money(1_000n * BigInt(1 + (at % 7))),
      }))
      outcomes.push(await placeAll(server({ symbol_BTC: CAP }, { maxBatchSize: 13 }), all))
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[2]).toEqual(outcomes[0])
    expect(outcomes[0]).toContain('exposure_full')
  })
})

describe('the check of caps among the other checks of an order', () => {
  const place = async (acceptor: Acceptor, userId: string, change: Partial<OrderRequest> = {}) =>
    await acceptor.place(orderRequest(userId, ctx.newId(), { stake: STAKE, ...change }))

  it('OD7.2: an order that the balance does not cover leaves the room under the cap to the next order', async () => {
    const [poor, rich] = [await createFundedUser(ctx, money(999n)), await createFundedUser(ctx, STAKE)]
    const acceptor = server({ symbol_BTC: Number(PROFIT) })
    const answers = await Promise.all([place(acceptor, poor), place(acceptor, rich)])
    expect(answers.map((one) => (one.ok ? 'open' : one.refusal))).toEqual(['insufficient_balance', 'open'])
  })

  it('OD7.2: an order that breaks another rule is refused by that rule, even when a cap is full', async () => {
    const [poor, rich] = [await createFundedUser(ctx, money(999n)), await createFundedUser(ctx, money(9_000n))]
    const acceptor = server({ symbol_BTC: 1 })
    expect(await place(acceptor, poor)).toMatchObject({ refusal: 'insufficient_balance' })
    expect(await place(acceptor, rich, { stake: money(1n) })).toMatchObject({ refusal: 'below_minimum' })
    expect(await place(acceptor, rich)).toEqual({
      ok: false,
      refusal: 'exposure_full',
      params: { side: 1, symbol: 'BTC', seconds: 60 },
    })
  })

  it('OD7.2: a repeat of an accepted order gets its first reply although the cap is full', async () => {
    const userId = await createFundedUser(ctx, money(9_000n))
    const acceptor = server({ symbol_BTC: Number(PROFIT) })
    const request = orderRequest(userId, 'one', { stake: STAKE })
    const first = await acceptor.place(request)
    expect(first).toMatchObject({ ok: true })
    const again = await acceptor.place(request)
    expect(again.ok && again.value.orderId).toBe(first.ok && first.value.orderId)
  })

  it('OD7.2: both directions have the same cap, and orders of bots count against a cap of their own', async () => {
    const users = await crowd(4)
    const acceptor = server({ symbol_BTC: Number(PROFIT) })
    const [a = '', b = '', c = '', d = ''] = users
    await database.asOwner((owner) =>
      owner.updateTable('app_user').set({ is_bot: true }).where('id', 'in', [c, d]).execute(),
    )
    const codes: string[] = []
    for (const [userId, direction, isBot] of [
      [a, 1, false],
      [b, 1, false],
      [b, 2, false],
      [a, 2, false],
      [c, 1, true],
      [d, 1, true],
    ] as const) {
      const answer = await place(acceptor, userId, { direction, isBot })
      codes.push(answer.ok ? 'open' : answer.refusal)
    }
    expect(codes).toEqual(['open', 'exposure_full', 'open', 'exposure_full', 'open', 'exposure_full'])
    // The public numbers count only refused orders of users, not of bots.
    expect((await refusedOrders()).map(({ orders }) => orders)).toEqual([1n, 1n])
    // Another server counts the same open orders from the database, so it refuses too.
    const answer = await place(server({ symbol_BTC: Number(PROFIT) }), d, { isBot: true })
    expect(answer).toMatchObject({ refusal: 'exposure_full' })
  })

  it('OD7.3: without a cap nothing is refused and nothing counted', async () => {
    const users = await crowd(10)
    expect(countOf(await placeAll(server({}), requests(users)))).toEqual({ open: 100 })
    expect(await refusedOrders()).toEqual([])
  })

  it('OD7.4: orders that waited while another server took over are refused', async () => {
    const [userId = ''] = await crowd(1)
    const catalogue = fixedCatalogue({ terms: termsWithCaps({ symbol_BTC: CAP }) })
    const acceptor = server({ symbol_BTC: CAP }, { caps: capGate(ctx, catalogue, () => false) })
    expect(await place(acceptor, userId)).toMatchObject({ refusal: 'restarting' })
    expect(await openProfits()).toEqual({})
  })

  it('OD7.4: an order that ended no longer counts against the cap, even when its end was not announced', async () => {
    const [a, b] = [await createFundedUser(ctx, money(9_000n)), await createFundedUser(ctx, money(9_000n))]
    const acceptor = server({ symbol_BTC: Number(PROFIT) })
    const first = await place(acceptor, a)
    expect(await place(acceptor, b)).toMatchObject({ refusal: 'exposure_full' })
    await ctx.db.deleteFrom('open_order').execute()
    expect(await place(acceptor, b)).toMatchObject({ refusal: 'exposure_full' })
    if (!first.ok) throw new Error(first.refusal)
    ctx.clock.advance(MINUTE_MS)
    expect(ctx.now()).toBe(later(TEST_START, MINUTE_MS))
    expect(await place(acceptor, b)).toMatchObject({ ok: true })
    expect(await place(acceptor, a)).toMatchObject({ refusal: 'exposure_full' })
  })

  it('OD7.4: after a statement whose outcome is unknown, the server counts the open orders again', async () => {
    const [a, b] = [await createFundedUser(ctx, money(9_000n)), await createFundedUser(ctx, money(9_000n))]
    const store = createEngineStore(ctx)
    let isLost = true
    const losing: EngineStore = {
      ...store,
      async acceptWholeUsers(...args) {
        const done = await store.acceptWholeUsers(...args)
        if (!isLost) return done
        isLost = false
        throw new Error('the reply was lost')
      },
    }
    const acceptor = server({ symbol_BTC: Number(PROFIT) }, { store: losing })
    await expect(place(acceptor, a)).rejects.toThrow('the reply was lost')
    expect(await place(acceptor, b)).toMatchObject({ refusal: 'exposure_full' })
  })
})
