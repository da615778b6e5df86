import { expect, it, vi } from 'vitest'
import { MINUTE_MS } from '#core/time/instant.ts'
import { readSavedCheck } from '#server/ledger/saved-check.ts'
import { useSettlingMarket } from '#testing/settling-market.ts'
import { useTestDatabase } from '#testing/use-test-database.ts'

const database = useTestDatabase()
const market = useSettlingMarket(database)
const saved = () => readSavedCheck(database.db)

it('a start reads what is new and takes orders; everything is read after that, by itself and when asked for', async () => {
  const { clock } = market.ctx
  const firstAt = market.ctx.now()
  expect(await saved()).toMatchObject({ checkedAt: firstAt, clean: true, transfers: 1, sums: null })
  await market.win(2)
  await market.settled(2)
  await market.shutDown()
  // A minute had passed for the orders.
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

it('a start that finds the books wrong by sums reads everything, and takes no orders', async () => {
  await market.shutDown()
  await database.db.updateTable('balance').set({ cash: 5n }).execute()
  await market.boot()
  expect(market.engine.takesOrders()).toBe(false)
  expect(await saved()).toMatchObject({ clean: false, sums: null, mismatches: [{ what: 'cash', cached: 5n }] })
})

it('a report of before there were sums is read as one that had read everything', async () => {
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
