import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { DAY_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { reconcile, type CheckKind } from '#server/ledger/reconciliation/reconcile.ts'
import { checkLedger, type LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { reconcileNextRange } from '#server/ledger/reconciliation/full-reconcile.ts'
import { allowBareTransfers } from '#test/support/bare-rows.ts'
import { BOOK_STEPS, createBookkeeper, payIn, settleAll, takeOrder, wrongSums } from '#test/support/ledger-steps.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { onOtherSessions } from '#test/support/one-session.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
allowBareTransfers(database)
let ctx: TestContext
beforeEach(() => {
  ctx = createTestContext(database.db)
})

/** Runs a check that takes a second, as with a large ledger. */
const checkSlowly = (kind: CheckKind, db = ctx.db) =>
  reconcile(
    {
      ...ctx,
      db,
      now: () => {
        ctx.clock.advance(SECOND_MS)
        return ctx.now()
      },
    },
    kind,
  )
const checkQuickly = (kind: CheckKind) => reconcile(ctx, kind)
/** Removes the sums from a report, so that a test can compare it with the report of a full read. */
const figures = (report: LedgerReport): LedgerReport => ({ ...report, sums: null })
const theRun = () => ctx.db.selectFrom('ledger_run').selectAll().executeTakeFirstOrThrow()
const storedSums = async () => ({
  flows: await ctx.db.selectFrom('ledger_sum').selectAll().execute(),
  orders: await ctx.db.selectFrom('ledger_order_sum').selectAll().execute(),
  run: await ctx.db.selectFrom('ledger_run').selectAll().execute(),
})

const anyStep = fc.oneof(
  ...BOOK_STEPS,
  fc.record({ do: fc.constant('check' as const), kind: fc.constantFrom<CheckKind>('quick', 'usual', 'whole') }),
)

describe('a check from stored sums', () => {
  it('reports the same as a full read, and its sums always equal all data before their end', async () => {
    let bySums = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), async (steps) => {
        await database.truncateAll()
        const users: string[] = []
        for (let nth = 0; nth < 3; nth += 1) users.push(await createFundedUser(ctx, money(2_000n)))
        const take = createBookkeeper(ctx, users, later(ctx.now(), DAY_MS))
        for (const step of steps) {
          if (step.do !== 'check') await take(step)
          else {
            const report = await checkSlowly(step.kind)
            expect(figures(report)).toEqual(await checkLedger(ctx.db))
            expect(report.clean).toBe(true)
            expect(await wrongSums(ctx.db)).toEqual([])
            if (report.sums !== null) bySums += 1
          }
        }
      }),
      { numRuns: 12 },
    )
    expect(bySums).toBeGreaterThan(20)
    expect(ctx.lines).toEqual([])
  })

  it('reads new transfers, and adds the transfers older than a minute to the sums', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    ctx.clock.advance(2 * MINUTE_MS)
    expect(await checkSlowly('quick')).toMatchObject({ clean: true, transfers: 1, sums: null })
    const { whole_ms: wholeAt } = await theRun()
    await payIn(ctx, user, 5n)
    ctx.clock.advance(10 * SECOND_MS)
    for (const waitMs of [0, 2 * MINUTE_MS, 2 * MINUTE_MS]) {
      const { until_ms: until } = await theRun()
      const report = await checkSlowly('quick')
      expect(report).toMatchObject({
        clean: true,
        transfers: 2,
        sums: { until: Number(until), wholeAt: Number(wholeAt) },
      })
      ctx.clock.advance(waitMs)
    }
    const { flows } = await storedSums()
    expect(flows).toMatchObject([{ user_id: user, from_account: 'house:deposits', amount: 1_005n, transfers: 2n }])
  })

  it('keeps the sums when the clock moves backwards', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    ctx.clock.advance(10 * MINUTE_MS)
    await checkSlowly('quick')
    const { until_ms: until } = await theRun()
    const behind = createTestContext(database.db, later(ctx.now(), -5 * MINUTE_MS))
    expect((await reconcile(behind, 'quick')).sums).not.toBeNull()
    expect((await theRun()).until_ms).toBe(until)
    await payIn(ctx, user, 5n)
    expect((await checkSlowly('quick')).sums).not.toBeNull()
    expect(await wrongSums(ctx.db)).toEqual([])
  })
})

describe('a full read', () => {
  it('deletes old sums on request, and a recount follows after 500 times the duration of the read', async () => {
    await createFundedUser(ctx, money(1_000n))
    ctx.clock.advance(2 * MINUTE_MS)
    const kinds: (boolean | bigint)[] = []
    const check = async (kind: CheckKind, afterMs: number) => {
      ctx.clock.advance(afterMs)
      const { sums } = await checkSlowly(kind)
      kinds.push(sums === null)
      const runs = await ctx.db.selectFrom('ledger_sum').select('run').distinct().execute()
      kinds.push(...runs.map(({ run }) => run))
    }
    await check('usual', 0)
    await check('usual', 450 * SECOND_MS)
    await check('quick', 450 * SECOND_MS)
    await check('usual', 0)
    expect(await theRun()).toMatchObject({ run: 1n, recount_run: 2n, recount_until_ms: 0n })
    await check('usual', SECOND_MS)
    await check('whole', SECOND_MS)
    expect(kinds).toEqual([true, 1n, false, 1n, false, 1n, false, 1n, false, 1n, true, 3n])
    expect(await theRun()).toMatchObject({ run: 3n, recount_run: 0n })
    const orders = await ctx.db.selectFrom('ledger_order_sum').selectAll().execute()
    expect(orders).toEqual([])
  })

  it('runs at every check when it takes no time, and leaves the sums unchanged', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    ctx.clock.advance(2 * MINUTE_MS)
    for (let nth = 0; nth < 3; nth += 1) {
      await payIn(ctx, user, 5n)
      ctx.clock.advance(2 * MINUTE_MS)
      expect(await checkQuickly('usual')).toMatchObject({ clean: true, transfers: nth + 2, sums: null })
      expect(await theRun()).toMatchObject({ run: 1n, whole_ms: BigInt(ctx.now()) })
    }
    expect(await wrongSums(ctx.db)).toEqual([])
    expect(await checkQuickly('quick')).toMatchObject({ clean: true, transfers: 4, sums: { wholeAt: ctx.now() } })
  })
})

interface Wrong {
  readonly what: string
  readonly tamper: (user: string) => Promise<unknown>
}
const setBalance = (user: string, change: object) =>
  ctx.db.updateTable('balance').set(change).where('user_id', '=', user)
const insertTransfer = (userId: string, from: string, to: string) =>
  ctx.db.insertInto('transfer').values({
    user_id: userId,
    ref: ctx.newId(),
    step: 'x',
    kind: 'demo_funds',
    from_account: from,
    to_account: to,
    currency: BASE_CURRENCY,
    amount: 7n,
    created_ms: ctx.now(),
  })
const FOUND: readonly Wrong[] = [
  { what: 'cash', tamper: (user) => setBalance(user, { cash: 9_999n }).execute() },
  { what: 'credits', tamper: (user) => setBalance(user, { credits: 5n }).execute() },
  { what: 'open_orders', tamper: (user) => setBalance(user, { open_orders: 4 }).execute() },
  { what: 'withdrawing', tamper: (user) => setBalance(user, { withdrawing: 5n }).execute() },
  {
    what: 'orders_lost',
    tamper: async (user) => {
      await insertTransfer(user, 'staked', 'house:trading').execute()
      await sql`update balance set staked = staked - 7 where user_id = ${user}::uuid`.execute(ctx.db)
    },
  },
  { what: 'orders_staked', tamper: (user) => insertTransfer(user, 'cash', 'staked').execute() },
  { what: 'orders_won', tamper: (user) => insertTransfer(user, 'house:trading', 'cash').execute() },
  { what: 'an account', tamper: (user) => insertTransfer(user, 'house:fees', 'house:pockets').execute() },
  {
    what: 'stakes',
    tamper: () => database.asOwner((owner) => owner.updateTable('open_order').set({ stake: 99n }).execute()),
  },
  { what: 'stakes', tamper: () => ctx.db.deleteFrom('open_order').execute() },
]

describe('a wrong ledger', () => {
  let user: string
  beforeEach(async () => {
    user = await createFundedUser(ctx, money(1_000n))
    const expiresAt = later(ctx.now(), MINUTE_MS)
    await takeOrder(ctx, user, BUY, expiresAt)
    ctx.clock.advance(2 * MINUTE_MS)
    await settleAll(ctx, expiresAt, 1)
    await takeOrder(ctx, user, BUY, later(ctx.now(), MINUTE_MS))
    ctx.clock.advance(2 * MINUTE_MS)
    await checkSlowly('whole')
    ctx.clock.advance(2 * MINUTE_MS)
    await payIn(ctx, user, 5n)
    ctx.clock.advance(2 * MINUTE_MS)
  })

  it.each(FOUND)(
    'is found from sums, confirmed by a full read, and leaves the sums unchanged: $what',
    async ({ what, tamper }) => {
      await tamper(user)
      const before = await storedSums()
      const report = await checkSlowly('quick')
      expect(figures(report)).toEqual(await checkLedger(ctx.db))
      expect(report).toMatchObject({ clean: false, sums: null })
      if (what === 'an account') expect(report.unknownAccounts).toEqual(['house:pockets'])
      else expect(report.mismatches.map((one) => one.what)).toContain(what)
      expect(await storedSums()).toEqual(before)
      expect(ctx.lines.map(({ level }) => level)).toEqual(['warn'])
    },
  )

  it.each([
    {
      what: 'a transfer that is gone',
      tamper: () =>
        database.asOwner((owner) => owner.deleteFrom('transfer').where('kind', '=', 'order_profit').execute()),
    },
    {
      what: 'a transfer of more',
      tamper: () =>
        database.asOwner((owner) =>
          owner.updateTable('transfer').set({ amount: 7n }).where('kind', '=', 'deposit').execute(),
        ),
    },
    {
      what: 'an order that is gone',
      tamper: () => database.asOwner((owner) => owner.deleteFrom('order_history').execute()),
    },
  ])('is found only by a full check or a recount when data changed after it was summed: $what', async ({ tamper }) => {
    // This check adds all data to the sums.
    ctx.clock.advance(2 * MINUTE_MS)
    await checkSlowly('quick')
    await tamper()
    expect(await checkSlowly('quick')).toMatchObject({ clean: true, sums: {} })
    expect(await checkSlowly('whole')).toMatchObject({ clean: false, sums: null })
    ctx.clock.advance(500 * SECOND_MS)
    expect(await checkSlowly('usual')).toMatchObject({ clean: true, sums: {} })
    expect(await reconcileNextRange(ctx)).toBeNull()
    for (const kind of ['usual', 'quick'] as const) {
      expect(await checkSlowly(kind)).toMatchObject({ clean: false, sums: null })
    }
  })

  it('wrong sums raise no alarm: the check reads everything and begins new sums', async () => {
    await ctx.db.updateTable('ledger_sum').set({ amount: 3n }).execute()
    expect(await checkSlowly('quick')).toMatchObject({ clean: true, sums: null })
    expect(await theRun()).toMatchObject({ run: 2n })
    expect(await wrongSums(ctx.db)).toEqual([])
    expect(await checkSlowly('quick')).toMatchObject({ clean: true, sums: {} })
  })
})

it('a transfer committed late, with a time before the end of the sums, raises no alarm', async () => {
  const user = await createFundedUser(ctx, money(1_000n))
  const then = ctx.now()
  ctx.clock.advance(10 * MINUTE_MS)
  await checkSlowly('whole')
  await payIn(ctx, user, 5n, then)
  // New sums are begun even when each check reads everything, because the check at the next start uses the sums.
  expect(await checkQuickly('quick')).toMatchObject({ clean: true, transfers: 2, sums: null })
  expect(await theRun()).toMatchObject({ run: 2n })
  expect(await checkSlowly('quick')).toMatchObject({ clean: true, transfers: 2, sums: {} })
  expect(await wrongSums(ctx.db)).toEqual([])
  expect(ctx.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('reading everything') }])
})

describe('several concurrent checks', () => {
  it('retry twice after a conflict with another check, then fail', async () => {
    await createFundedUser(ctx, money(1_000n))
    let races = 2
    const racing = ctx.db.withPlugin({
      transformQuery({ node }) {
        if (node.kind === 'SelectQueryNode' && races > 0) {
          races -= 1
          throw Object.assign(new Error('could not serialize access due to concurrent update'), { code: '40001' })
        }
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    expect(await checkSlowly('quick', racing)).toMatchObject({ clean: true })
    races = 3
    await expect(checkSlowly('quick', racing)).rejects.toThrow('could not serialize')
  })

  it.runIf(process.env['TEST_DATABASE_URL'])('add each transfer to the sums once, and never wait', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    await checkSlowly('quick')
    for (let round = 0; round < 10; round += 1) {
      await payIn(ctx, user, 5n)
      ctx.clock.advance(2 * MINUTE_MS)
      const kinds: CheckKind[] = ['quick', 'usual', 'whole', 'quick', 'usual', 'quick']
      const reports = await Promise.all(kinds.map((kind) => checkSlowly(kind)))
      for (const report of reports) expect(report).toMatchObject({ clean: true, transfers: round + 2 })
      expect(await wrongSums(ctx.db)).toEqual([])
    }
    await ctx.db.transaction().execute((tx) =>
      onOtherSessions(async () => {
        await tx.selectFrom('ledger_run').selectAll().forUpdate().execute()
        await payIn(ctx, user, 5n)
        ctx.clock.advance(1_000 * SECOND_MS)
        const before = await storedSums()
        // A full check is due. The check that has locked the row will do it.
        expect(await checkSlowly('usual')).toMatchObject({ clean: true, transfers: 12, sums: {} })
        expect(await checkSlowly('whole')).toMatchObject({ clean: true, transfers: 12, sums: null })
        expect(await storedSums()).toEqual(before)
      }),
    )
    expect(ctx.lines).toEqual([])
  })
})
