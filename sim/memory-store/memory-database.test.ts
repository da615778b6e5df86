import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { money, type Money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import type { Tick } from '#core/markets/tick.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import { instant, later } from '#core/time/instant.ts'
import { requestAdjustment } from '#server/payments/adjustments/request-adjustment.ts'
import { decideAdjustment } from '#server/payments/adjustments/decide-adjustment.ts'
import { findAdjustment } from '#server/payments/adjustments/adjustments.queries.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { creditOn } from '../simulation/staff.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import { saveDeposit } from '#server/payments/deposits/save-deposit.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import { findResultNumbers, noteSeen, unseenResults } from '#server/sockets/live.queries.ts'
import { newestCandles, insertCandles, closedCandles } from '#server/market-data/candles/candle.queries.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import { cancelWithdrawal } from '#server/payments/withdrawals/cancel-withdrawal.ts'
import { markPaid, startPaying } from '#server/payments/withdrawals/pay-withdrawal.ts'
import { returnWithdrawal } from '#server/payments/withdrawals/return-withdrawal.ts'
import { rejectWithdrawal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import { requestWithdrawal } from '#server/payments/withdrawals/request-withdrawal.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { runs } from '#test/support/random-plans.ts'
import { type Rights, setRights } from '#test/support/set-rights.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import {
  AUTOMATIC_GATEWAY,
  DEPOSIT_GATEWAY,
  seedWorld,
  type SeededWorld,
  WITHDRAW_GATEWAY,
} from '../simulation/seed-world.ts'
import { LIMITS, SETTINGS, SYMBOLS } from '../auditor/site-terms.ts'
import { PINS, RATE_OF, UPLOADS } from '../simulation/wallet-parts.ts'
import { MemoryDatabase } from './memory-database.ts'
import { memoryDialect } from './memory-dialect.ts'
import { createMemoryEngineStore } from './memory-engine-store.ts'
import { type Row, SPECS, type TableName } from './specs.ts'

/*
 * Makes the same calls, in the same order, on the memory store and on a database. Both must give equal replies and end
 * with equal rows. Runs on the embedded database, and on PostgreSQL when TEST_DATABASE_URL names one. `npm run fuzz --
 * --times 100 memory-database` makes 100 times as many calls.
 */

const RUNS = runs(4)
const USERS = 3
/** More orders than are ever due in a plan. */
const MAX_DUE = 1_000

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

interface Side {
  readonly ctx: TestContext
  readonly town: SeededWorld
  readonly store: EngineStore
  /** The references of the deposits and withdrawals made so far, in order. */
  readonly trx: string[]
  readonly corrections: string[]
  rows(table: TableName): Promise<Row[]>
  setRights(userId: string, rights: Required<Rights>): Promise<void>
}

async function bothSides(): Promise<readonly [Side, Side]> {
  await database.truncateAll()
  const real = createTestContext(database.db)
  const memory = new MemoryDatabase()
  const ctx = createTestContext(new Kysely<Tables>({ dialect: memoryDialect(memory) }))
  const given = () => ({ trx: [], corrections: [] })
  return [
    {
      ctx,
      town: await seedWorld(ctx, USERS),
      store: createMemoryEngineStore(memory),
      rows: (table) => Promise.resolve(memory.rows(table)),
      // The memory store has no measures against users, only the permissions that follow from measures.
      setRights: async (userId, { tradeOff, maxStake, maxOpenStake }) => {
        const columns: object = {
          trade_allowed: tradeOff === null,
          trade_reason: tradeOff ?? '',
          max_stake: maxStake,
          max_stake_reason: maxStake === null ? '' : 'a limit',
          max_open_stake: maxOpenStake,
          max_open_stake_reason: maxOpenStake === null ? '' : 'a limit',
        }
        await ctx.db.updateTable('app_user').set(columns).where('id', '=', userId).execute()
      },
      ...given(),
    },
    {
      ctx: real,
      town: await seedWorld(real, USERS),
      store: createEngineStore(real),
      rows: (table) => database.db.selectFrom(table).selectAll().execute(),
      // Random ids, because this call must not use up a counted id: the counted ids must stay equal on both sides.
      setRights: (userId, rights) => setRights({ newId: randomUUID, now: () => real.now() }, real.db, userId, rights),
      ...given(),
    },
  ]
}

type Step = (side: Side) => Promise<unknown>

const user = fc.integer({ min: 0, max: USERS - 1 })
const amount = fc.integer({ min: 100, max: 250_000 }).map((units) => money(BigInt(units)))
const nth = fc.nat(20)
const EXPIRIES = [5_000, 15_000]

const tick = (seq: number, units: number, at: number): Tick => ({
  seq,
  symbolId: 1,
  price: price(units),
  volume: volume(0),
  time: instant(TEST_START + at),
  receivedAt: instant(TEST_START + at),
  source: 'test',
})

interface OrderInput {
  readonly user: number
  readonly id: number
  readonly stake: Money
  readonly isBuy: boolean
  readonly long: number
  readonly symbol: number
}

const placed = fc.array(
  fc.record({ user, id: fc.nat(12), stake: amount, isBuy: fc.boolean(), long: fc.nat(1), symbol: fc.nat(1) }),
  { minLength: 1, maxLength: 5 },
)

/**
 * Accepts a batch of orders. With `wholeFirst`, both statements run, as in the engine, otherwise only the second.
 * Within a batch a user's client ids are unique, because the queue ensures this.
 */
const accepting =
  (inputs: readonly OrderInput[], maxOpenOrders: number, wholeFirst: boolean): Step =>
  async ({ ctx, store, town }) => {
    const orders = new Map<string, PlannedOrder>()
    for (const { user: at, id, stake, isBuy, long, symbol } of inputs) {
      const [userId = '', clientOrderId] = [town.userIds[at], `client-${id}`]
      const terms = SETTINGS[long]
      const traded = SYMBOLS[symbol]
      if (terms === undefined || traded === undefined) throw new Error('a setting and a symbol')
      orders.set(`${userId} ${clientOrderId}`, {
        userId,
        orderId: ctx.newId(),
        trx: `FW-${ctx.newId().slice(-6)}`,
        clientOrderId,
        direction: isBuy ? BUY : SELL,
        stake,
        placement: {
          symbol: traded,
          terms,
          entry: tick(7, 5_000, 0),
          openedAt: TEST_START,
          expiresAt: later(TEST_START, EXPIRIES[long] ?? 0),
        },
        isBot: false,
        maxTickAgeMs: traded.maxTickAgeMs,
        receivedAt: isBuy ? TEST_START : null,
        head: { lastSeq: 9, hash: new Uint8Array(32) },
      })
    }
    const all = [...orders.values()]
    if (!wholeFirst) return await store.acceptBatch(all, maxOpenOrders, 0)
    const balances = await store.acceptWholeUsers(all, maxOpenOrders, 0)
    const left = all.filter((_, at) => balances[at] === null)
    return [balances, left.length > 0 ? await store.acceptBatch(left, maxOpenOrders, 0) : []]
  }
const accept = fc.tuple(placed, fc.constantFrom(4, 100), fc.boolean()).map((all) => accepting(...all))

const keys = SYMBOLS.flatMap(({ id }) => EXPIRIES.map((ms) => ({ symbolId: id, expiresAt: later(TEST_START, ms) })))

interface Decided {
  readonly key: (typeof keys)[number]
  readonly units: number
  readonly isVoid: boolean
}

const pricing =
  (rows: readonly Decided[]): Step =>
  ({ store }) => {
    const wanted = new Map(rows.map((row) => [`${row.key.symbolId} ${row.key.expiresAt}`, row]))
    return store.writeSettlementPrices(
      [...wanted.values()].map(({ key, units, isVoid }) => ({
        ...key,
        exit: isVoid ? null : tick(8, units, 4_000),
        next: tick(9, units, 60_000),
        watermark: later(TEST_START, 60_000),
        voidReason: isVoid ? 'no_tick_before_expiry' : null,
        maxTickAgeMs: 5_000,
        head: { lastSeq: 9, hash: new Uint8Array(32) },
        writerToken: null,
      })),
      later(TEST_START, 61_000),
    )
  }
const writePrices = fc
  .array(
    fc.record({ key: fc.constantFrom(...keys), units: fc.integer({ min: 4_998, max: 5_002 }), isVoid: fc.boolean() }),
    { minLength: 1, maxLength: 3 },
  )
  .map(pricing)

/** Settles the due orders. `again` settles the same list once more, as after a lost reply. */
const settling =
  (limit: number, again: boolean): Step =>
  async ({ store }) => {
    const { length } = await store.loadDueOrders(keys, limit)
    // The store decides which due orders come within the limit.
    const due = (await store.loadDueOrders(keys, MAX_DUE)).slice(0, limit)
    const rows = due.map(({ userId, orderId, facts, price: found }) => ({
      userId,
      orderId,
      settled: settleOrder(facts, found),
    }))
    const now = later(TEST_START, 62_000)
    const first = rows.length > 0 ? await store.settleBatch(rows, now, 0) : []
    const second = again && rows.length > 0 ? await store.settleBatch(rows, now, 0) : null
    return [length, due, first, second, await store.findSettled(due)]
  }
const settle = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()).map((all) => settling(...all))

const sorted = (found: readonly { symbolId: number; expiresAt: number }[]) =>
  found.map(({ symbolId, expiresAt }) => `${symbolId} ${expiresAt}`).toSorted()
const lookUp = fc.tuple(user, fc.nat(12)).map(
  ([at, id]): Step =>
    async ({ store, town }) => [
      await store.findByClientOrderId(town.userIds[at] ?? '', `client-${id}`),
      sorted(await store.openExpiries()),
      sorted(await store.overdueExpiries(later(TEST_START, 10_000), 100)),
      sorted(await store.overdueExpiries(later(TEST_START, 10_000), 1)),
    ],
)

const limits = fc.tuple(user, fc.option(amount), fc.option(amount), fc.boolean()).map(
  ([at, maxStake, maxOpenStake, isAllowed]): Step =>
    (side) =>
      side.setRights(side.town.userIds[at] ?? '', { maxStake, maxOpenStake, tradeOff: isAllowed ? null : 'a pause' }),
)

const payingIn =
  (at: number, paid: Money, id: number, isAutomatic: boolean): Step =>
  async (side) => {
    const done = await saveDeposit(
      { ctx: side.ctx, uploads: UPLOADS, rateOf: RATE_OF },
      {
        userId: side.town.userIds[at] ?? '',
        gatewayId: isAutomatic ? AUTOMATIC_GATEWAY : DEPOSIT_GATEWAY,
        amount: paid,
        fields: {},
        clientRequestId: `deposit-${id}`,
      },
      { depositsOpen: true, depositReason: '', withdrawalsClosedUntil: null, withdrawReason: '', asksForLimit: false },
    )
    if (done.ok) side.trx.push(done.value.trx)
    return done
  }
const payIn = fc.tuple(user, amount, fc.nat(6), fc.boolean()).map((all) => payingIn(...all))

const payOut = fc.tuple(user, amount, fc.nat(6)).map(
  ([at, units, id]): Step =>
    async (side) => {
      const done = await requestWithdrawal(
        { ctx: side.ctx, pins: PINS },
        {
          userId: side.town.userIds[at] ?? '',
          methodId: WITHDRAW_GATEWAY,
          amount: units,
          pin: '1234',
          fields: {},
          clientRequestId: `withdrawal-${id}`,
        },
        { withdrawalsClosedUntil: null, withdrawReason: '', withdrawalPauseHours: 0 },
      )
      if (done.ok) side.trx.push(done.value.trx)
      return done
    },
)

const decide = fc
  .tuple(
    nth,
    fc.nat(2),
    user,
    fc.constantFrom('approve', 'pay', 'paid', 'return', 'reject', 'cancel', 'approve-deposit', 'reject-deposit'),
  )
  .map(
    ([which, staff, at, what]): Step =>
      async ({ ctx, town, trx: all }) => {
        const trx = all[which % Math.max(1, all.length)] ?? 'none'
        const actor = { who: 'x', what, staffId: town.staffIds[staff] ?? '', requestId: 'r' }
        const common = { trx, actor, words: 'no', limits: LIMITS }
        if (what === 'approve') return approveWithdrawal(ctx, { ...common, reason: 'looked at' })
        if (what === 'pay') return startPaying(ctx, common)
        if (what === 'paid') return markPaid(ctx, { ...common, reference: `of ${trx}` })
        if (what === 'return') return returnWithdrawal(ctx, { ...common, reference: 'back' })
        if (what === 'reject')
          return rejectWithdrawal(ctx, { ...common, reasonCode: 'provider_refused', mode: LIMITS.mode })
        if (what === 'cancel') return cancelWithdrawal(ctx, { userId: town.userIds[at] ?? '', trx, isLockFixed: false })
        return what === 'approve-deposit' ? creditOn(ctx, common) : rejectDeposit(ctx, common)
      },
  )

const correct = fc.tuple(user, fc.integer({ min: -50_000, max: 50_000 }), fc.nat(2), fc.nat(2), fc.boolean()).map(
  ([at, units, asks, decides, isPosted]): Step =>
    async ({ ctx, town, corrections }) => {
      const [requesterId = '', decidedBy = ''] = [town.staffIds[asks], town.staffIds[decides]]
      const actor = { who: 'x', what: 'correct', staffId: requesterId }
      const subject: { userId: string; amount: Money } = {
        userId: town.userIds[at] ?? '',
        amount: money(BigInt(units)),
      }
      const outcome = await requestAdjustment(ctx, {
        ...subject,
        kind: 'credit',
        link: '',
        reason: 'put right',
        message: 'sorry',
        staffId: requesterId,
        actor,
      })
      if (outcome.ok) corrections.push(outcome.value.id)
      const correction = await findAdjustment(ctx.db, corrections.at(-1) ?? ctx.newId())
      if (correction === null) return outcome
      const decision = isPosted ? 'approve' : 'reject'
      const seenHash = adjustmentHash(correction)
      const decided = { id: correction.id, decision, seenHash, staffId: decidedBy, words: 'w', actor } as const
      return decideAdjustment(ctx, { ...decided, mode: 'demo' })
    },
)

const delivering =
  (at: number, maxSeen: number): Step =>
  async ({ ctx, town }) => {
    const userId = town.userIds[at] ?? ''
    const results = (await unseenResults(ctx.db, [userId], TEST_START, 100)).toSorted((a, b) =>
      a.orderId < b.orderId ? -1 : 1,
    )
    const seen = results.slice(0, maxSeen).map(({ orderId }) => ({ userId, orderId }))
    // Confirms each result twice, and also tries to confirm it as another user, to whom it does not belong.
    const others = seen.map(({ orderId }) => ({ userId: town.userIds[at + 1] ?? userId, orderId }))
    const numbers = await findResultNumbers(ctx.db, [...seen, ...others, ...seen])
    await noteSeen(ctx.db, numbers)
    return [results, numbers]
  }
const deliver = fc.tuple(user, fc.nat(3)).map((all) => delivering(...all))

/** One user deposits, trades, settles and confirms, so that there are always results to confirm. */
const wholeTrade = fc
  .record({ user, id: fc.nat(12), stake: fc.constant(money(100n)), isBuy: fc.boolean(), isVoid: fc.boolean() })
  .map(
    ({ isVoid, ...order }): Step =>
      async (side) => {
        const steps = [
          payingIn(order.user, money(10_000n), order.id, true),
          accepting([{ ...order, long: 0, symbol: 0 }], 100, true),
          pricing(keys.map((key) => ({ key, units: 5_001, isVoid }))),
          settling(MAX_DUE, false),
          delivering(order.user, 2),
        ]
        const answers: unknown[] = []
        for (const step of steps) answers.push(await step(side))
        return answers
      },
  )

const candles = fc.tuple(fc.constantFrom('1m', '5m'), fc.nat(5)).map(
  ([interval, at]): Step =>
    async ({ ctx }) => {
      const candle = {
        openTime: instant(TEST_START + at * 300_000),
        open: price(5),
        high: price(at + 6),
        low: price(4),
        close: price(5),
        volume: volume(0),
      }
      await insertCandles(ctx.db, [{ symbolId: 1, interval, candle }])
      const page = { symbolId: 1, interval, before: instant(TEST_START + 900_000), limit: 2 }
      return [await newestCandles(ctx.db, [1, 2], 3), await closedCandles(ctx.db, page)]
    },
)

const audit: Step = ({ store }) => store.checkLedger('whole')
const anyStep = fc.oneof(
  { arbitrary: accept, weight: 5 },
  { arbitrary: payIn, weight: 4 },
  { arbitrary: settle, weight: 3 },
  { arbitrary: writePrices, weight: 2 },
  payOut,
  { arbitrary: decide, weight: 3 },
  correct,
  lookUp,
  limits,
  deliver,
  wholeTrade,
  candles,
  fc.constant(audit),
)

/** Columns that differ each time, because they are encrypted. */
const SEALED: ReadonlySet<string> = new Set(['details'])

/** The columns of a row that the memory store knows. */
function comparable(rows: readonly Row[], columns: ReadonlySet<string>): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name, value]) => columns.has(name) && !SEALED.has(name) && value !== null)
          .map(
            ([name, value]) =>
              [name, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value] as const,
          )
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        printable,
      ),
    )
    .toSorted()
}

function printable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // The database stores JSON keys in its own order.
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function answered(step: Step, side: Side): Promise<unknown> {
  try {
    return await step(side)
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? error.code : String(error) }
  }
}

describe('the memory store and the database', () => {
  it('return equal results for any calls, and end with equal rows', async () => {
    let usersWhoSaw = 0
    await fc.assert(
      fc.asyncProperty(
        wholeTrade,
        fc.array(anyStep, { minLength: 15, maxLength: 40, size: 'max' }),
        async (first, others) => {
          const [memory, real] = await bothSides()
          for (const step of [first, ...others])
            expect(await answered(step, memory)).toEqual(await answered(step, real))
          for (const name of Object.keys(SPECS) as TableName[]) {
            // The database adds the first step of each withdrawal by itself, and stores texts about users in a separate
            // table.
            if (name === 'payment_event' || name === 'admin_action_words') continue
            const rows = await memory.rows(name)
            const columns = new Set(rows.flatMap((row) => Object.keys(row)))
            if (name === 'admin_action') for (const words of ['reason', 'before', 'after']) columns.delete(words)
            expect(comparable(rows, columns), name).toEqual(comparable(await real.rows(name), columns))
          }
          usersWhoSaw += (await memory.rows('result_seen')).length
        },
      ),
      { numRuns: RUNS },
    )
    expect(usersWhoSaw, 'results were seen at all').toBeGreaterThan(0)
  })
})
