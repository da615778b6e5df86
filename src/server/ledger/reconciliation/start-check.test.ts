import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import { readSavedCheck } from '#server/ledger/reconciliation/save-result.ts'
import { onOtherSessions } from '#test/support/one-session.ts'
import { useSettlingMarket } from '#test/support/settling-market.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const market = useSettlingMarket(database)
const saved = () => readSavedCheck(database.db)

it('the check at a start reads only new rows, and the server accepts orders; a full read follows by itself or on request', async () => {
  const { clock } = market.ctx
  const firstAt = market.ctx.now()
  expect(await saved()).toMatchObject({ checkedAt: firstAt, clean: true, transfers: 1, sums: null })
  await market.win(2)
  await market.settled(2)
  await market.shutDown()
  // The orders take a minute, after which a check may have read everything again.
  const { whole_ms: wholeMs } = await database.db.selectFrom('ledger_run').selectAll().executeTakeFirstOrThrow()
  const wholeAt = Number(wholeMs)
  clock.advance(10 * MINUTE_MS)

  await market.boot()
  const startedAt = market.ctx.now()
  expect(await saved()).toMatchObject({
    checkedAt: startedAt,
    clean: true,
    transfers: 7,
    sums: { until: firstAt - MINUTE_MS, wholeAt },
  })
  expect(market.engine.takesOrders()).toBe(true)
  expect(market.engine.lastCheck()).toEqual({ at: startedAt, clean: true, wholeAt })

  clock.advance(MINUTE_MS)
  await vi.waitFor(async () => expect((await saved())?.checkedAt).toBe(market.ctx.now()))
  expect(await saved()).toMatchObject({ clean: true, transfers: 7, sums: null })

  await market.shutDown()
  await market.boot()
  expect(await saved()).toMatchObject({ sums: { wholeAt: startedAt + MINUTE_MS } })
  await market.engine.checkLedgerNow()
  expect(await saved()).toMatchObject({ sums: null })
  expect(market.engine.lastCheck()).toMatchObject({ wholeAt: market.ctx.now() })
})

it('a start from sums that do not reconcile reads everything, and accepts no orders', async () => {
  await market.shutDown()
  await database.db.updateTable('balance').set({ cash: 5n }).execute()
  await market.boot()
  expect(market.engine.takesOrders()).toBe(false)
  expect(await saved()).toMatchObject({ clean: false, sums: null, mismatches: [{ what: 'cash', cached: 5n }] })
})

it('a stored report without sums counts as the report of a full read', async () => {
  await database.db
    .updateTable('ledger_check')
    .set({
      report: JSON.stringify({
        clean: true,
        users: 1,
        transfers: 1,
        openOrders: 0,
        sumOfAll: '0',
        accounts: [],
        unknownAccounts: [],
        mismatches: [],
      }),
    })
    .execute()
  expect(await saved()).toMatchObject({ clean: true, sums: null })
})

const theRun = () => database.db.selectFrom('ledger_run').selectAll().executeTakeFirstOrThrow()
/** Sets the state of a large ledger: its last full read took 1 s and was long ago. */
const beLarge = () => database.db.updateTable('ledger_run').set({ whole_took_ms: 1_000, whole_ms: 0 }).execute()
const waiting = () =>
  database.asOwner((owner) =>
    sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(owner),
  )

it('a large ledger is recounted after a check finds a recount due, and the next check uses its sums', async () => {
  const { clock } = market.ctx
  await beLarge()
  clock.advance(MINUTE_MS)
  const begunAt = market.ctx.now()
  await vi.waitFor(async () =>
    expect(await theRun()).toMatchObject({ run: 1n, recount_run: 2n, recount_worked_ms: 0n }),
  )
  await vi.waitFor(async () => expect((await theRun()).recount_until_ms).toBe(BigInt(begunAt - MINUTE_MS)))
  clock.advance(MINUTE_MS)
  await vi.waitFor(async () => expect(await theRun()).toMatchObject({ run: 2n, recount_run: 0n }))
  await vi.waitFor(() => expect(market.engine.lastCheck()).toMatchObject({ clean: true, wholeAt: begunAt }))
})

it.runIf(process.env['TEST_DATABASE_URL'])('a stop cancels a running check and prevents new ones', async () => {
  const { db } = database
  const lanes = { ordersDb: db, orderLanes: [db] }
  const store = createEngineStore(market.ctx, () => null, { ...lanes, cancel: database.cancel })
  await market.shutDown()
  await market.boot({ store })
  const before = await saved()
  await database.asOwner((owner) =>
    owner.transaction().execute((tx) =>
      onOtherSessions(async () => {
        await sql`lock table transfer in access exclusive mode`.execute(tx)
        market.ctx.clock.advance(MINUTE_MS)
        await vi.waitFor(async () => expect((await waiting()).rows).toHaveLength(1))
        await market.engine.stop()
        await expect(store.checkLedger('whole')).rejects.toThrow('the server is stopping')
      }),
    ),
  )
  expect(await saved()).toEqual(before)
})

it.runIf(process.env['TEST_DATABASE_URL'])('a stop cancels a portion of a recount, which leaves no trace', async () => {
  const { db } = database
  const store = createEngineStore(market.ctx, () => null, {
    ordersDb: db,
    orderLanes: [db],
    cancel: database.cancel,
  })
  await market.shutDown()
  await beLarge()
  market.ctx.clock.advance(MINUTE_MS)
  await store.checkLedger('usual')
  const before = await theRun()
  expect(before).toMatchObject({ recount_run: 2n, recount_until_ms: 0n })
  await database.asOwner((owner) =>
    owner.transaction().execute((tx) =>
      onOtherSessions(async () => {
        await sql`lock table order_history in access exclusive mode`.execute(tx)
        const failure = store.recountLedger().catch((error: unknown) => error)
        await vi.waitFor(async () => expect((await waiting()).rows).toHaveLength(1))
        await store.endChecks()
        expect(await failure).toMatchObject({ message: expect.stringContaining('canceling statement') })
        await expect(store.recountLedger()).rejects.toThrow('the server is stopping')
      }),
    ),
  )
  expect(await theRun()).toEqual(before)
})
