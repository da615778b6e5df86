import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { DISPLAY_CURRENCIES } from '#core/wallet/display-rates.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const EURUSD = 201

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

it('returns a rate for every currency of the demo, marked as indicative', async () => {
  const { body } = await app.call(calls.displayRates)
  expect(body.data.base).toBe('USDT')
  expect(body.data.rates.map(({ currency }) => currency)).toEqual(DISPLAY_CURRENCIES)
  expect(new Set(body.data.rates.map(({ source }) => source))).toEqual(new Set(['indicative']))
  expect(body.data.indicative_as_of).not.toBe('')
})

it('uses the price of a traded pair as soon as one exists', async () => {
  await app.startMarkets()
  app.feed.tick(EURUSD, 125_000, app.ctx.now(), 1_000_000)
  app.ctx.clock.advance(100)
  await vi.waitFor(async () => {
    const { body } = await app.call(calls.displayRates)
    expect(body.data.rates).toContainEqual({ currency: 'EUR', rate: 0.8, source: 'market' })
  })
})
