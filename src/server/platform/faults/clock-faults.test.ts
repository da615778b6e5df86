import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  await app.start()
  user = await app.verifiedUser('ann')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
})
afterEach(() => app.stop())

/** Publishes a price with the current time, and waits for its effects. */
async function speak(units: number): Promise<void> {
  app.feed.tick(BTC, units, app.ctx.now())
  await settle()
}

async function settle(): Promise<void> {
  app.ctx.clock.advance(100)
  await new Promise((resolve) => setTimeout(resolve, 20))
}

let orders = 0
async function place(): Promise<string> {
  orders += 1
  const answer = await app.engine.place(orderRequest(user.id, `order-${orders}`, { stake: money(1_000n) }))
  return answer.ok ? 'taken' : answer.refusal
}

const isReady = async () => (await app.inject({ url: '/readyz' })).status === 200

/** Advances time until the condition is true. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      app.ctx.clock.advance(SECOND_MS / 2)
      expect(await isSo()).toBe(true)
    },
    { interval: 5 },
  )
}

describe('A2: an untrusted clock', () => {
  it('A2: the server writes no prices, accepts no orders and is not ready until the clock is trusted', async () => {
    await speak(9_400_000)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)?.price).toBe(9_400_000))
    expect(await place()).toBe('taken')
    const { lastSeq } = app.ticks.head()

    app.ctx.clock.trusted = false
    expect(await place()).toBe('trading_paused')
    expect(app.engine.takesOrders()).toBe(false)
    expect(await isReady()).toBe(false)
    await speak(9_500_000)
    app.feed.heartbeat(BTC, app.ctx.now())
    await settle()
    expect(app.ticks.head().lastSeq).toBe(lastSeq)

    app.ctx.clock.trusted = true
    await speak(9_600_000)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)?.price).toBe(9_600_000))
    expect(await place()).toBe('taken')
    expect(await isReady()).toBe(true)
  })

  it('A2: decides no expiry, so that none is void because of a wrong time', async () => {
    await speak(9_400_000)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)).not.toBeNull())
    expect(await place()).toBe('taken')
    app.ctx.clock.trusted = false
    app.ctx.clock.jump(HOUR_MS)
    await app.engine.settleDue()
    expect(await database.db.selectFrom('settlement_price').selectAll().execute()).toEqual([])
    app.ctx.clock.jump(-HOUR_MS)
    app.ctx.clock.trusted = true
    await app.engine.settleDue()
    expect(await database.db.selectFrom('open_order').select('id').execute()).toHaveLength(1)
  })

  it('A2: logs by how much the tick log is ahead of the clock, and accepts orders again afterwards', async () => {
    await speak(9_400_000)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)).not.toBeNull())
    app.ctx.clock.step(-20 * SECOND_MS)
    await until(() => app.ctx.lines.some(({ level }) => level === 'error'))
    // The clock of the test advances faster than the database replies, so other faults may be logged too.
    const named = app.ctx.lines.filter(({ facts }) => 'fault' in facts && facts.fault === 'log_ahead')
    expect(named).toMatchObject([{ level: 'error', facts: { fault: 'log_ahead' } }])
    expect(named[0]?.message).toContain('wait for as long as the line says')
    expect(named[0]?.facts).toHaveProperty('seconds', expect.closeTo(20, -0.5))
    expect(await place()).toBe('trading_paused')
    expect(await isReady()).toBe(false)

    app.ctx.clock.advance(15 * SECOND_MS)
    await until(() => app.engine.takesOrders())
    app.ctx.clock.advance(10 * SECOND_MS)
    await speak(9_500_000)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)?.price).toBe(9_500_000))
    expect(await place()).toBe('taken')
    const said = app.ctx.lines.filter(
      ({ level, facts }) => level === 'error' && 'fault' in facts && facts.fault === 'log_ahead',
    )
    expect(said).toHaveLength(1)
  })

  it.each([-10 * MINUTE_MS, HOUR_MS])(
    'A2: takes nothing from the rate limit of a caller when the clock moves by %d ms',
    async (ms) => {
      const limited = await createTestApp(database, { perAddress: { perSecond: 5, burst: 10 } })
      try {
        app.ctx.clock.step(ms)
        limited.ctx.clock.step(ms)
        for (let call = 0; call < 10; call += 1)
          expect((await limited.inject({ url: '/api/user/general-setting' })).status).not.toBe(429)
        limited.ctx.clock.step(-ms)
        await limited.inject({ url: '/api/user/general-setting' })
        limited.ctx.clock.advance(SECOND_MS)
        expect((await limited.inject({ url: '/api/user/general-setting' })).status).not.toBe(429)
      } finally {
        await limited.stop()
      }
    },
  )
})
