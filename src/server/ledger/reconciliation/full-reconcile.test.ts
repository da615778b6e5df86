import fc from 'fast-check'
import { type RawNode, sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { reconcile, type CheckKind } from '#server/ledger/reconciliation/reconcile.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { reconcileNextRange } from '#server/ledger/reconciliation/full-reconcile.ts'
import { addPortion, findPortionEnd } from '#server/ledger/reconciliation/full-reconcile.queries.ts'
import {
  BOOK_STEPS,
  createBookkeeper,
  payIn,
  settleAll,
  takeOrder,
  wrongRecount,
  wrongSums,
} from '#test/support/ledger-steps.ts'
import { allowBareTransfers } from '#test/support/bare-rows.ts'
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

/** A context whose clock advances by `ms` at each reading, as if checks and portions took time. */
const slowly = (ms = SECOND_MS) => ({
  ...ctx,
  now: () => {
    ctx.clock.advance(ms)
    return ctx.now()
  },
})
const check = (kind: CheckKind) => reconcile(slowly(), kind)
const theRun = () => ctx.db.selectFrom('ledger_run').selectAll().executeTakeFirstOrThrow()
const setPortion = (maxRows: number) => ctx.db.updateTable('ledger_run').set({ recount_portion: maxRows }).execute()
/** Reads the next portion of at most `maxRows` rows, after the pause that follows the last portion. */
async function portion(maxRows: number, parts = slowly()): Promise<number | null> {
  await setPortion(maxRows)
  ctx.clock.advance(Math.max(0, Number((await theRun()).recount_next_ms) - ctx.now()))
  return reconcileNextRange(parts)
}
async function toTheEnd(maxRows: number): Promise<number> {
  for (let portions = 1; ; portions += 1) if ((await portion(maxRows)) === null) return portions
}
const runsOfSums = async () =>
  (await ctx.db.selectFrom('ledger_sum').select('run').distinct().orderBy('run').execute()).map(({ run }) => run)

/**
 * Creates a ledger with one user and a settled order, and starts a recount that has read nothing yet. Returns the
 * user's id.
 */
async function beginRecount(): Promise<string> {
  const user = await createFundedUser(ctx, money(1_000n))
  const expiresAt = later(ctx.now(), MINUTE_MS)
  await takeOrder(ctx, user, BUY, expiresAt)
  ctx.clock.advance(2 * MINUTE_MS)
  await settleAll(ctx, expiresAt, 1)
  for (let nth = 0; nth < 5; nth += 1) {
    ctx.clock.advance(MINUTE_MS)
    await payIn(ctx, user, 5n)
  }
  ctx.clock.advance(2 * MINUTE_MS)
  await check('usual')
  ctx.clock.advance(500 * SECOND_MS)
  await check('usual')
  expect(await theRun()).toMatchObject({ run: 1n, recount_run: 2n, recount_until_ms: 0n })
  return user
}

describe('a recount', () => {
  it('builds the same sums as a full read, whatever happens between its portions', async () => {
    let recounted = 0
    const anyStep = fc.oneof(
      ...BOOK_STEPS,
      fc.record({ do: fc.constant('check' as const), kind: fc.constantFrom<CheckKind>('quick', 'usual', 'usual') }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: HOUR_MS }) }),
      fc.record({ do: fc.constant('portion' as const), maxRows: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constant('portion' as const), maxRows: fc.constant(3) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 40, maxLength: 90 }), async (steps) => {
        await database.truncateAll()
        const users: string[] = []
        for (let nth = 0; nth < 3; nth += 1) users.push(await createFundedUser(ctx, money(2_000n)))
        await check('usual')
        const take = createBookkeeper(ctx, users, later(ctx.now(), DAY_MS))
        let { run } = await theRun()
        for (const step of steps) {
          if (step.do === 'portion') {
            await portion(step.maxRows)
            if ((await theRun()).recount_run !== 0n) expect(await wrongRecount(ctx.db)).toEqual([])
          } else if (step.do === 'check') {
            const report = await check(step.kind)
            expect({ ...report, sums: null }).toEqual(await checkLedger(ctx.db))
            expect(report.clean).toBe(true)
            expect(await wrongSums(ctx.db)).toEqual([])
            const now = await theRun()
            if (now.run !== run) recounted += 1
            ;({ run } = now)
          } else await take(step)
        }
      }),
      { numRuns: 16 },
    )
    expect(recounted).toBeGreaterThan(4)
    expect(ctx.lines).toEqual([])
  })

  it('reads up to the end of the old sums, then replaces and deletes the old sums', async () => {
    await beginRecount()
    const begun = await theRun()
    expect(await toTheEnd(2)).toBeGreaterThan(2)
    const currentRun = await theRun()
    expect(currentRun).toMatchObject({ run: 1n, until_ms: begun.until_ms, recount_until_ms: begun.until_ms })
    expect(await runsOfSums()).toEqual([1n, 2n])
    expect(await portion(2)).toBeNull()
    expect(await check('usual')).toMatchObject({
      clean: true,
      sums: { until: Number(begun.until_ms), wholeAt: Number(begun.recount_started_ms) },
    })
    expect(await theRun()).toMatchObject({
      run: 2n,
      recount_run: 0n,
      whole_ms: begun.recount_started_ms,
      whole_took_ms: currentRun.recount_worked_ms,
    })
    expect(await runsOfSums()).toEqual([2n])
    expect(await wrongSums(ctx.db)).toEqual([])
    expect(await portion(2)).toBeNull()
  })

  it('continues on any server and after a restart, because its progress is in the database', async () => {
    await beginRecount()
    let last = await theRun()
    for (let nth = 0; nth < 3; nth += 1) {
      ctx.clock.advance(HOUR_MS)
      const next = createTestContext(database.db, ctx.now())
      await setPortion(1)
      expect(await reconcileNextRange(next)).not.toBeNull()
      const run = await theRun()
      expect(run.recount_until_ms).toBeGreaterThan(last.recount_until_ms)
      expect(run).toMatchObject({ recount_run: 2n, recount_started_ms: last.recount_started_ms })
      expect(await wrongRecount(ctx.db)).toEqual([])
      last = run
    }
    await toTheEnd(1)
    expect(await check('quick')).toMatchObject({ clean: true, sums: { wholeAt: Number(last.recount_started_ms) } })
    expect(await theRun()).toMatchObject({ run: 2n })
  })

  it('ignores a failed portion', async () => {
    await beginRecount()
    await portion(2)
    const before = await theRun()
    const dying = {
      ...ctx,
      now: () => {
        if (failing) throw new Error('the power is gone')
        failing = true
        return later(instant(Number(before.recount_next_ms)), 1)
      },
    }
    let failing = false
    await expect(reconcileNextRange(dying)).rejects.toThrow('the power is gone')
    expect(await theRun()).toEqual(before)
    expect(await wrongRecount(ctx.db)).toEqual([])
  })

  it.each([
    { by: 'a whole check', kind: 'whole', wrong: false },
    { by: 'sums that do not add up', kind: 'quick', wrong: true },
  ] as const)('ends when $by reads everything, and its sums are deleted', async ({ kind, wrong }) => {
    await beginRecount()
    await portion(2)
    if (wrong) await ctx.db.updateTable('ledger_sum').set({ amount: 3n }).where('run', '=', 1n).execute()
    expect(await check(kind)).toMatchObject({ clean: true, sums: null })
    expect(await theRun()).toMatchObject({ run: 3n, recount_run: 0n })
    expect(await runsOfSums()).toEqual([3n])
    expect(await wrongSums(ctx.db)).toEqual([])
    expect(await portion(2)).toBeNull()
  })

  it('continues while the ledger is wrong, and raises no alarm after the repair', async () => {
    const user = await beginRecount()
    await portion(2)
    const cash = ctx.db.updateTable('balance').where('user_id', '=', user)
    await cash.set((eb) => ({ cash: eb('cash', '+', 1n) })).execute()
    expect(await check('usual')).toMatchObject({ clean: false, sums: null })
    expect(await theRun()).toMatchObject({ run: 1n, recount_run: 2n })
    await cash.set((eb) => ({ cash: eb('cash', '-', 1n) })).execute()
    await toTheEnd(2)
    expect(await check('usual')).toMatchObject({ clean: true, sums: {} })
    expect(await theRun()).toMatchObject({ run: 2n })
  })

  it('a recount that missed a transfer committed late causes a full read, but no alarm', async () => {
    const user = await beginRecount()
    await toTheEnd(2)
    await payIn(ctx, user, 5n, later(ctx.now(), -HOUR_MS))
    expect(await check('usual')).toMatchObject({ clean: true, sums: null })
    expect(await theRun()).toMatchObject({ run: 3n, recount_run: 0n })
    expect(await runsOfSums()).toEqual([3n])
    expect(await wrongSums(ctx.db)).toEqual([])
    expect(ctx.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('reading everything') }])
  })

  it.each(['removed', 'changed', 'added'])('finds a transfer that was %s after it was summed', async (what) => {
    const user = await beginRecount()
    await database.asOwner(async (owner) => {
      const deposits = sql`kind = 'deposit' and amount = 1000`
      if (what === 'removed') await sql`delete from transfer where ${deposits}`.execute(owner)
      else if (what === 'changed') await sql`update transfer set amount = 7 where ${deposits}`.execute(owner)
      else
        await sql`insert into transfer select user_id, gen_random_uuid(), step, kind, from_account, to_account, currency, amount, created_ms
        from transfer where ${deposits}`.execute(owner)
    })
    await toTheEnd(2)
    for (const kind of ['usual', 'quick'] as const) {
      const report = await check(kind)
      expect(report).toMatchObject({ clean: false, sums: null, mismatches: [{ userId: user, what: 'cash' }] })
    }
    expect(await theRun()).toMatchObject({ run: 1n, recount_run: 2n })
  })

  it('a recount that summed a changed transfer causes a full read, but no alarm, once the transfer is restored', async () => {
    await beginRecount()
    const change = (from: bigint, to: bigint) =>
      database.asOwner((owner) =>
        owner.updateTable('transfer').set({ amount: to }).where('amount', '=', from).execute(),
      )
    await change(1_000n, 7n)
    await toTheEnd(2)
    expect(await check('usual')).toMatchObject({ clean: false, sums: null })
    await change(7n, 1_000n)
    expect(await check('usual')).toMatchObject({ clean: true, sums: null })
    expect(await theRun()).toMatchObject({ run: 3n, recount_run: 0n })
    expect(await runsOfSums()).toEqual([3n])
    expect(await wrongSums(ctx.db)).toEqual([])
    expect(await check('quick')).toMatchObject({ clean: true, sums: {} })
  })
})

describe('a portion of a recount', () => {
  it.each([
    { tookMs: 0, portion: 40_000, restMs: 250 },
    { tookMs: 50, portion: 40_000, restMs: 500 },
    { tookMs: 200, portion: 25_000, restMs: 2_000 },
    { tookMs: 250, portion: 20_000, restMs: 2_500 },
    { tookMs: 400, portion: 12_500, restMs: 4_000 },
    { tookMs: 1_000, portion: 10_000, restMs: 10_000 },
    { tookMs: 60_000, portion: 10_000, restMs: 300_000 },
  ])('that took $tookMs ms is followed by $restMs ms of pause and a portion of $portion rows', async (row) => {
    const user = await beginRecount()
    // One millisecond has more rows than a portion should have, so the first portion ends before it.
    await database.asOwner((owner) =>
      sql`insert into transfer select ${user}::uuid, gen_random_uuid(), 'x', 'demo_funds', 'house:deposits', 'cash', 'USDT', 1, 5000
        from generate_series(1, 20001)`.execute(owner),
    )
    await sql`update ledger_run set recount_portion = 20000`.execute(ctx.db)
    const times = [ctx.now(), later(ctx.now(), row.tookMs)]
    expect(await reconcileNextRange({ ...ctx, now: () => times.shift() ?? ctx.now() })).toBe(row.restMs)
    expect(await theRun()).toMatchObject({
      recount_until_ms: 5_000n,
      recount_worked_ms: BigInt(row.tookMs),
      recount_next_ms: BigInt(ctx.now() + row.tookMs + row.restMs),
      recount_portion: BigInt(row.portion),
    })
    // Every server waits until the pause is over.
    ctx.clock.advance(row.tookMs)
    expect(await reconcileNextRange(ctx)).toBe(row.restMs)
    expect((await theRun()).recount_until_ms).toBe(5_000n)
    // A portion never splits a millisecond, so the next one reads all 20,001 rows with the time 5,000.
    await portion(20_000, ctx)
    expect((await theRun()).recount_until_ms).toBe(5_001n)
    expect(await wrongRecount(ctx.db)).toEqual([])
  })

  it('with the last rows does not change the size of portions', async () => {
    await beginRecount()
    await sql`update ledger_run set recount_portion = 10000`.execute(ctx.db)
    expect(await reconcileNextRange(ctx)).toBeNull()
    expect(await theRun()).toMatchObject({ recount_portion: 10_000n })
  })

  it('starts soon although the last portion ran with a clock that was 400 days ahead', async () => {
    await beginRecount()
    await setPortion(1)
    const futureCtx = createTestContext(database.db, later(ctx.now(), 400 * DAY_MS))
    expect(await reconcileNextRange(futureCtx)).toBe(250)
    await setPortion(1)
    expect(await reconcileNextRange(ctx)).toBe(250)
    expect(Number((await theRun()).recount_next_ms)).toBe(ctx.now() + 250)
    expect(await wrongRecount(ctx.db)).toEqual([])
  })

  it('may span years without rows, and the next portion is no larger', async () => {
    const user = await createFundedUser(ctx, money(1_000n))
    ctx.clock.advance(3_000 * DAY_MS)
    for (let nth = 0; nth < 40; nth += 1) {
      await payIn(ctx, user, 1n)
      ctx.clock.advance(SECOND_MS)
    }
    ctx.clock.advance(3_000 * DAY_MS)
    await payIn(ctx, user, 1n)
    ctx.clock.advance(2 * MINUTE_MS)
    await check('usual')
    ctx.clock.advance(500 * SECOND_MS)
    await check('usual')
    let last = 0n
    const added: bigint[] = []
    for (let isDone = false; !isDone; ) {
      isDone = (await portion(10)) === null
      const { rows } = await sql<{ all: bigint }>`
        select coalesce(sum(transfers), 0)::int8 as all from ledger_sum where run = 2`.execute(ctx.db)
      added.push((rows[0]?.all ?? 0n) - last)
      last = rows[0]?.all ?? 0n
    }
    expect(added).toEqual([10n, 10n, 10n, 10n, 2n])
  })

  it.each([true, false])('reads no more than its time range, by indexes, with table statistics: %s', async (known) => {
    await beginRecount()
    // The plan depends on the sizes of indexes, and another test file may have filled these tables before.
    await database.asOwner((owner) => sql`reindex table order_history`.execute(owner))
    await database.asOwner((owner) => sql`reindex table transfer`.execute(owner))
    if (known) await database.asOwner((owner) => sql`analyze order_history, transfer`.execute(owner))
    const plans: string[] = []
    const explained = (db: Db) =>
      db.withPlugin({
        transformQuery({ node }) {
          const { sqlFragments } = node as RawNode
          if (sqlFragments.some((part) => part.includes('set_config'))) return node
          const [first, ...rest] = sqlFragments
          return { ...(node as RawNode), sqlFragments: [`explain ${first}`, ...rest] }
        },
        transformResult({ result }) {
          const lines = result.rows.flatMap((row) => ('QUERY PLAN' in row ? [String(row['QUERY PLAN'])] : []))
          if (lines.length > 0) plans.push(lines.join('\n'))
          return Promise.resolve({ ...result, rows: [] })
        },
      })
    await ctx.db.transaction().execute(async (tx) => {
      const explaining = explained(tx) as typeof tx
      await findPortionEnd(explaining, instant(5), 10_000)
      await addPortion(explaining, { run: 2n, from: instant(5), until: instant(6) })
    })
    expect(plans).toHaveLength(3)
    const used = plans.map((plan) => [...plan.matchAll(/(?:using|Index Scan on) (\w+)/gu)].map(([, name]) => name))
    expect(used).toEqual([
      ['order_history_newest', 'order_history_settled', 'transfer_newest'],
      ['transfer_created'],
      ['order_history_settled'],
    ])
    expect(plans.join('\n')).not.toContain('Seq Scan')
  })
})

describe('recounts of several servers', () => {
  it('count each transfer once', async () => {
    const user = await beginRecount()
    for (let isDone = false; !isDone; ) {
      await setPortion(1)
      ctx.clock.advance(HOUR_MS)
      await payIn(ctx, user, 1n)
      const rests = await Promise.all([reconcileNextRange(ctx), reconcileNextRange(ctx), reconcileNextRange(ctx)])
      expect(await wrongRecount(ctx.db)).toEqual([])
      isDone = rests.includes(null)
    }
    await payIn(ctx, user, 5n)
    const reports = await Promise.all([check('usual'), check('usual'), check('quick')])
    for (const { clean } of reports) expect(clean).toBe(true)
    expect(await check('usual')).toMatchObject({ clean: true })
    expect(await theRun()).toMatchObject({ run: 2n, recount_run: 0n })
    expect(await runsOfSums()).toEqual([2n])
    expect(await wrongSums(ctx.db)).toEqual([])
    expect(ctx.lines).toEqual([])
  })

  it.runIf(process.env['TEST_DATABASE_URL'])('never wait for each other', async () => {
    await beginRecount()
    const before = await theRun()
    await ctx.db.transaction().execute((tx) =>
      onOtherSessions(async () => {
        await tx.selectFrom('ledger_run').selectAll().forUpdate().execute()
        expect(await reconcileNextRange(slowly())).toBe(2_500)
      }),
    )
    expect(await theRun()).toEqual(before)
    expect(await reconcileNextRange(slowly())).toBeNull()
  })
})
