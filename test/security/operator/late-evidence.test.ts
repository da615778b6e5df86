import { afterEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { RecordedProvider } from '#test/support/recorded-market.ts'
import { OPENS_MS, ORDERS, RecordedSite } from '#test/support/recorded-site.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let current: RecordedSite | null = null
afterEach(async () => {
  await current?.end()
  current = null
})

async function begin(
  provider: RecordedProvider,
  options: Parameters<typeof RecordedSite.begin>[2] = {},
): Promise<RecordedSite> {
  const begun = await RecordedSite.begin(database, provider, options)
  current = begun
  return begun
}

const PROVIDERS: readonly RecordedProvider[] = ['binance', 'coinbase']

describe.each(PROVIDERS)('late evidence of %s', (provider) => {
  it('the server requests no late evidence while the stream runs', async () => {
    const site = await begin(provider)
    await site.placeOrders()
    await site.runUntilSettled()
    expect(await site.differences()).toEqual([])
    expect(site.market.record.calls).toEqual([])
  })

  it('A80: attack: server killed 8 s before an expiry', async () => {
    const site = await begin(provider)
    await site.placeOrders()
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), 20 * SECOND_MS)
    await site.runUntilSettled()
    expect(await site.differences()).toEqual([])
  })

  it.each([
    ['8 s before it', -9 * SECOND_MS, 8 * SECOND_MS, 0],
    ['8 s over it', -4 * SECOND_MS, 8 * SECOND_MS, 0],
    ['8 s from the expiry on', 0, 8 * SECOND_MS, 0],
    ['10 minutes over it', -30 * SECOND_MS, 10 * MINUTE_MS, 0],
    ['10 minutes from the expiry on', 0, 10 * MINUTE_MS, 0],
    ['a day over it', -30 * SECOND_MS, DAY_MS, 1],
  ])('settles all orders as if the server had not stopped: %s', async (_, fromMs, forMs, days) => {
    const site = await begin(provider, { days })
    await site.placeOrders()
    await site.stopFrom(later(site.expiry, fromMs), forMs)
    await site.runUntilSettled()
    expect(await site.differences()).toEqual([])
  })

  it.each(['highest', 'lowest'] as const)(
    'A84: attack: started again at the %s price after an expiry',
    async (which) => {
      const site = await begin(provider)
      await site.placeOrders()
      const moment = site.market.extremeAfter(site.expiry, 3 * MINUTE_MS, which)
      await site.stopFrom(later(site.expiry, -8 * SECOND_MS), moment - site.expiry + 8 * SECOND_MS)
      await site.runUntilSettled()
      expect(await site.differences()).toEqual([])
    },
  )

  it('A81: attack: one packet dropped before an expiry', async () => {
    const site = await begin(provider)
    await site.placeOrders()
    const { last } = site.market.around(site.expiry)
    site.isDropped = ({ ref }) => ref === last?.ref
    await site.runUntilSettled()
    expect(await site.differences()).toEqual([])
  })
})

it('voids orders when their market has no trade for longer than the price age, even without a later trade', async () => {
  const restsFrom = later(TEST_START, OPENS_MS + 5 * SECOND_MS)
  const site = await begin('binance', { days: 1, isTraded: ({ timeMs }) => timeMs < restsFrom })
  await site.placeOrders(HOUR_MS / SECOND_MS)
  await site.stopFrom(later(TEST_START, MINUTE_MS), HOUR_MS)
  await site.runUntilSettled()
  const results = await site.results()
  expect(results.map((row) => row.void_reason)).toEqual(Array(ORDERS).fill('no_trade_before_expiry'))
})

describe('a market that halts for longer than the nearest ten minutes of the log', () => {
  const DROP_MS = 10 * SECOND_MS

  it('settles when the first trade after the expiry came as late evidence and the last trade is 15 minutes old', async () => {
    const [haltsMs, resumesMs] = [15 * MINUTE_MS, 30 * MINUTE_MS + DROP_MS]
    const isTraded = (at: number) => at < haltsMs || at > resumesMs
    const site = await begin('binance', { days: 1, isTraded: ({ timeMs }) => isTraded(timeMs - TEST_START) })
    await site.placeOrders((30 * MINUTE_MS) / SECOND_MS)
    expect(isTraded(site.expiry - TEST_START)).toBe(false)
    await site.stopFrom(later(TEST_START, MINUTE_MS), 13 * MINUTE_MS)
    await site.runUntil(later(TEST_START, haltsMs + SECOND_MS))
    await site.stopFrom(site.ctx.now(), 14 * MINUTE_MS)
    const { next } = site.market.around(site.expiry)
    site.isDropped = ({ ref }) => ref === next?.ref
    await site.runUntil(later(site.expiry, DROP_MS))
    await site.runUntilSettled(2 * MINUTE_MS)
    const results = await site.results()
    expect(results.map((row) => row.void_reason)).toEqual(Array(ORDERS).fill('no_trade_before_expiry'))
  })

  it('settles when the first trade after the expiry is 11 minutes later and the record was cut until then', async () => {
    const [haltsMs, resumesMs] = [MINUTE_MS + 4 * SECOND_MS, 12 * MINUTE_MS + 30 * SECOND_MS]
    const isTraded = (at: number) => at < haltsMs || at > resumesMs
    const site = await begin('binance', { isTraded: ({ timeMs }) => isTraded(timeMs - TEST_START) })
    await site.placeOrders()
    expect(isTraded(site.expiry - TEST_START)).toBe(false)
    site.market.record.mood = 'cut'
    await site.stopFrom(later(TEST_START, haltsMs + 500), 11 * MINUTE_MS)
    const { next } = site.market.around(site.expiry)
    site.isDropped = ({ ref }) => ref === next?.ref
    await site.runUntil(later(TEST_START, resumesMs))
    site.market.record.mood = 'well'
    // The last failed request is followed by a pause of at most five minutes.
    await site.runUntilSettled(7 * MINUTE_MS)
    expect(await site.differences()).toEqual([])
  })
})

describe('a provider that does not answer', () => {
  it('A82: attack: history host cut for a day', async () => {
    const site = await begin('binance', { days: 2 })
    await site.placeOrders()
    site.market.record.mood = 'cut'
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), MINUTE_MS)
    await site.runUntil(later(site.expiry, 2 * MINUTE_MS))
    // While the provider's history does not reply, the orders stay open.
    expect(await site.openOrders()).toBe(ORDERS)
    const waiting = await site.ownTrades()
    expect(waiting.map((trade) => trade.awaiting_record)).toEqual(Array(ORDERS).fill('binance'))
    await site.stopFrom(site.ctx.now(), DAY_MS - HOUR_MS)
    site.market.record.mood = 'well'
    await site.runUntilSettled()
    expect(await site.differences()).toEqual([])
    const settled = await site.ownTrades()
    expect(settled.map((trade) => trade.awaiting_record)).toEqual(Array(ORDERS).fill(null))
  })

  it('after a restart the server repeats its requests to the provider, and keeps the time of the first request', async () => {
    const site = await begin('binance')
    await site.placeOrders()
    site.market.record.mood = 'failing'
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), MINUTE_MS)
    await site.runUntil(later(site.expiry, 90 * SECOND_MS))
    const question = await database.db.selectFrom('history_question').selectAll().executeTakeFirstOrThrow()
    expect(question).toMatchObject({ source: 'binance', outcome: null })
    expect(Number(question.expires_ms)).toBe(site.expiry)
    await site.stopFrom(site.ctx.now(), MINUTE_MS)
    site.market.record.mood = 'well'
    await site.runUntilSettled()
    expect(await site.differences()).toEqual([])
    const first = await database.db
      .selectFrom('history_question')
      .select('first_requested_ms')
      .executeTakeFirstOrThrow()
    expect(first.first_requested_ms).toBe(question.first_requested_ms)
  })
})
