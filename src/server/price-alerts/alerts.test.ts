import { describe, expect, it, vi } from 'vitest'
import type { AlertOut } from '#contract/alerts.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { passLimitTime } from '#test/support/pass-limit-time.ts'
import { useWorld } from '#test/support/use-world.ts'

let app: TestApp
let user: TestUser
let units: (price: number) => number
let symbolId: number
const { database, share } = useWorld({
  begin: async (database) => {
    app = await createTestApp(database)
    user = await app.verifiedUser('alice')
    await app.startMarkets()
    const symbol = app.catalogue.find('BTC')
    assert(symbol, 'BTC is listed')
    symbolId = symbol.id
    units = (price) => Math.round(price * 10 ** symbol.decimals)
    await tick(100)
  },
  end: () => app.stop(),
})

/** Sends a price, and waits until it is the newest price of the tick log. */
async function tick(price: number) {
  app.ctx.clock.advance(1)
  const time = app.ctx.now()
  app.feed.tick(symbolId, units(price), time)
  await vi.waitFor(() => {
    app.ctx.clock.advance(5)
    expect(app.ticks.latest(symbolId)?.time).toBe(time)
  })
}

type Body = Partial<(typeof calls.setAlert)['body']['_input']>
const set = (body: Body = {}, as: TestUser = user) =>
  app.call(calls.setAlert, { token: as.token, body: { symbol: 'BTC', kind: 'above', level: '110', ...body } })
async function setOne(body: Body = {}): Promise<AlertOut> {
  const reply = await set(body)
  expect(reply.status).toBe(200)
  return reply.body.data.alert
}
const list = async () => (await app.call(calls.alerts, { token: user.token })).body.data
async function find(id: string): Promise<AlertOut | undefined> {
  return (await list()).alerts.find((one) => one.id === id)
}
const notified = async () =>
  (await app.call(calls.notices, { token: user.token })).body.data.notices.filter(({ kind }) => kind === 'price_alert')

/** Advances the clock, so that the watcher reads the tick log, until the assertion passes. */
const until = (isSo: () => Promise<void>) =>
  vi.waitFor(async () => {
    app.ctx.clock.advance(300)
    await isSo()
  })
const untilFired = (id: string) => until(async () => expect((await find(id))?.fired).toBeTruthy())

describe('an alert', () => {
  it('fires once at the first tick beyond its level, with a notice and a message to its user', async () => {
    const alert = await setOne({ note: 'my level' })
    expect(alert).toMatchObject({ symbol: 'BTC', kind: 'above', level: 110, state: 'running', fired: null, version: 1 })
    expect(alert.basis).toEqual({ price: 100, q: app.ticks.latest(symbolId)?.seq })
    await tick(109)
    const before = app.ticks.latest(symbolId)
    await tick(111)
    const crossing = app.ticks.latest(symbolId)
    await untilFired(alert.id)
    await tick(105)
    await tick(112)
    app.ctx.clock.advance(2_000)
    expect(await find(alert.id)).toMatchObject({
      state: 'fired',
      fired: { q: crossing?.seq, price: 111, time_ms: crossing?.time, previous_q: before?.seq },
    })
    const notices = await notified()
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatchObject({ title: 'BTC crossed 110.0000', link: '/alerts' })
    expect(notices[0]?.text).toContain('my level')
    expect(app.ctx.announced.filter(({ kind }) => kind === 'alert-fired')).toMatchObject([
      { userId: user.id, alert: { id: alert.id, symbolId, seq: crossing?.seq } },
    ])
  })

  it('says in its notice between which times there were no prices', async () => {
    const alert = await setOne()
    app.ctx.clock.advance(20 * MINUTE_MS)
    await tick(111)
    await untilFired(alert.id)
    expect((await notified())[0]?.text).toMatch(/There were no prices from .* to /)
  })

  it('repeats after its pause, and shows its current state', async () => {
    const alert = await setOne({ kind: 'move', level: null, percent: 10, repeats: true, cool_minutes: 5 })
    await tick(110)
    await untilFired(alert.id)
    expect(await find(alert.id)).toMatchObject({ state: 'cooling', percent: 10, basis: { price: 110 } })
    app.ctx.clock.advance(6 * MINUTE_MS)
    expect((await find(alert.id))?.state).toBe('running')
    await tick(121)
    await until(async () => expect((await find(alert.id))?.fired?.price).toBe(121))
    expect(await notified()).toHaveLength(2)
  })

  it('ends at its expiry, even without a later tick', async () => {
    const alert = await setOne({ expires_at: new Date(app.ctx.now() + HOUR_MS).toISOString() })
    app.ctx.clock.advance(HOUR_MS + 1)
    expect((await find(alert.id))?.state).toBe('expired')
    app.ctx.clock.advance(3 * MINUTE_MS)
    await until(async () => expect((await list()).left).toBe(20))
    expect(await notified()).toEqual([])
  })

  describe('with wrong input', () => {
    share()

    it.each([
      [{ level: '100' }, 'alert_at_price'],
      [{ level: '99' }, 'alert_wrong_side'],
      [{ kind: 'below', level: '101' }, 'alert_wrong_side'],
      [{ level: '110.123456789' }, 'alert_level'],
      [{ level: 'much' }, 'alert_level'],
      [{ level: null }, 'alert_level'],
      [{ kind: 'move', level: null, percent: 1.005 }, 'alert_level'],
      [{ symbol: 'NONE' }, 'symbol_unknown'],
      [{ symbol: 'ETH' }, 'price_stale'],
      [{ expires_at: new Date(0).toISOString() }, 'alert_expiry'],
      [{ expires_at: new Date(4e12).toISOString() }, 'alert_expiry'],
    ] satisfies [Body, string][])('with %o is refused as %s, and nothing is stored', async (body, code) => {
      const reply = await set(body)
      expect([reply.status, reply.body.code]).toEqual([422, code])
      expect((await list()).alerts).toEqual([])
    })
  })

  it('cannot be the 21st running alert, even when 40 are set concurrently', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => set()))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['too_many_alerts']),
    )
    expect(await list()).toMatchObject({ left: 0 })
  })
})

describe('a change', () => {
  const named = ({ id, version }: AlertOut) => ({ token: user.token, params: { id }, body: { version } })

  it('restarts the alert from the newest price', async () => {
    const alert = await setOne()
    await tick(105)
    const changed = await app.call(calls.changeAlert, {
      ...named(alert),
      body: { version: 1, kind: 'below', level: '104' },
    })
    expect(changed.body.data.alert).toMatchObject({ kind: 'below', level: 104, version: 2, basis: { price: 105 } })
    await tick(111)
    await tick(103)
    await untilFired(alert.id)
    expect((await find(alert.id))?.fired?.price).toBe(103)
  })

  it('keeps the end of an alert that ends within the hour, and refuses another end within the hour', async () => {
    const end = new Date(app.ctx.now() + 2 * HOUR_MS).toISOString()
    const alert = await setOne({ expires_at: end })
    app.ctx.clock.advance(90 * MINUTE_MS)
    await tick(100)
    const edit = (expires: string) =>
      app.call(calls.changeAlert, {
        ...named(alert),
        body: { version: 1, kind: 'above', level: '120', expires_at: expires },
      })
    const other = await edit(new Date(Date.parse(end) + MINUTE_MS).toISOString())
    expect([other.status, other.body]).toMatchObject([422, { code: 'alert_expiry' }])
    const edited = await edit(end)
    expect(edited.status).toBe(200)
    expect(edited.body.data.alert).toMatchObject({ level: 120, expires_at: end, state: 'running' })
  })

  it('succeeds alone: a concurrent end or edit, and an end after a firing, are refused as alert_changed', async () => {
    const alert = await setOne()
    const edit = { ...named(alert), body: { version: 1, kind: 'above' as const, level: '120' } }
    const replies = await Promise.all([app.call(calls.endAlert, named(alert)), app.call(calls.changeAlert, edit)])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('alert_changed')

    const other = await setOne()
    await tick(111)
    await untilFired(other.id)
    expect((await app.call(calls.endAlert, named(other))).body.code).toBe('alert_changed')
    expect((await find(other.id))?.state).toBe('fired')
  })

  it('starts an ended alert again, for 30 days', async () => {
    const alert = await setOne()
    const stopped = (await app.call(calls.endAlert, named(alert))).body.data.alert
    expect(stopped).toMatchObject({ state: 'ended', version: 2 })
    await tick(111)
    expect((await app.call(calls.repeatAlert, named(stopped))).body.code).toBe('alert_wrong_side')
    await tick(100)
    const again = (await app.call(calls.repeatAlert, named(stopped))).body.data.alert
    expect(again).toMatchObject({ state: 'running', version: 3 })
    expect(Date.parse(again.expires_at) - app.ctx.now()).toBe(30 * DAY_MS)
  })
})

describe('a break', () => {
  const confirmed = () => app.confirm(user.token)

  it('lets alerts fire without a notice, and sends their notices when a time-out is over', async () => {
    const alert = await setOne()
    await app.call(calls.takeTimeOut, { token: user.token, body: { days: 1 } })
    await tick(111)
    await untilFired(alert.id)
    expect(await notified()).toEqual([])
    await passLimitTime(database, 2 * DAY_MS)
    app.ctx.clock.advance(31_000)
    await until(async () => expect(await notified()).toHaveLength(1))
  })

  it('ends all alerts when it is an exclusion, and an exclusion refuses new alerts', async () => {
    const alert = await setOne()
    await confirmed()
    const excluded = await app.call(calls.takeExclusion, { token: user.token, body: { months: 6, understood: true } })
    expect(excluded.status).toBe(200)
    expect((await find(alert.id))?.state).toBe('ended')
    expect((await set()).body.code).toBe('excluded')
    await tick(111)
    app.ctx.clock.advance(2_000)
    expect((await find(alert.id))?.fired).toBeNull()
  })
})
