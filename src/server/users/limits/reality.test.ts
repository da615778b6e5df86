import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { findRealityCheck } from '#server/users/limits/reality.queries.ts'
import { AppClient } from '#test/support/app-client.ts'
import { historyRow } from '#test/support/history-row.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { waitUntilLogged } from '#test/support/wait-until-logged.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser()
})
afterEach(() => app.stop())

const every = (minutes: 15 | 30 | 60 | 120 | null, { token } = user) =>
  app.call(calls.changeLimits, { token, body: { changes: [{ key: 'reality_check', value: minutes }] } })
const seen = (id: string) => app.call(calls.realitySeen, { token: user.token, body: { id } })
const now = () => findRealityCheck(app.ctx.db, user.id, { now: app.ctx.now() })

let results = 0
/** Inserts an order that was settled now and opened `minutes` before, one minute unless given. */
async function settle(
  own: { stake?: bigint; result_amount?: bigint; result?: number; void_reason?: string; minutes?: number } = {},
) {
  results += 1
  const { minutes = 1, ...row } = own
  const settledMs = app.ctx.now()
  await app.ctx.db
    .insertInto('order_history')
    .values(
      historyRow({
        user_id: user.id,
        id: app.ctx.newId(),
        settled_ms: settledMs,
        opened_ms: settledMs - minutes * MINUTE_MS,
        result_number: results,
        ...row,
      }),
    )
    .execute()
}
const pass = (minutes: number) => app.ctx.clock.jump(minutes * MINUTE_MS)

describe('the session of a reality check', () => {
  beforeEach(() => every(15))

  it('begins with the first order, and sums the orders that ended during the session', async () => {
    expect(await now()).toEqual({ minutes: 15, session: null })
    await settle({ stake: 1_000n, result_amount: -1_000n, result: 2 })
    pass(5)
    await settle({ stake: 500n, result_amount: 400n, result: 1 })
    await settle({ stake: 700n, result: 4, void_reason: 'no_price' })
    expect((await now())?.session).toMatchObject({ closedOrders: 3, staked: 1_500n, net: -600n, openOrders: 0 })
  })

  it('ends after 30 minutes without an order, and the next order begins another', async () => {
    await settle()
    pass(31)
    expect((await now())?.session).toBeNull()
    await settle({ stake: 300n, minutes: 1 })
    expect((await now())?.session).toMatchObject({ closedOrders: 1, staked: 300n, from: app.ctx.now() - MINUTE_MS })
  })

  it('begins when its longest order was opened, even if nothing read the session meanwhile', async () => {
    const openedAt = app.ctx.now()
    pass(100)
    await settle({ minutes: 100 })
    await settle({ minutes: 1 })
    expect((await now())?.session).toMatchObject({ from: openedAt, closedOrders: 2 })
  })

  it('counts each result once, however often the session is read', async () => {
    await settle()
    const looks = await Promise.all(Array.from({ length: 10 }, now))
    pass(1)
    await settle()
    expect([...new Set(looks.map((look) => look?.session?.closedOrders))]).toEqual([1])
    expect((await now())?.session?.closedOrders).toBe(2)
  })

  it("the check becomes due after the interval, and the user's answer restarts the interval", async () => {
    await settle()
    pass(14)
    const due = (await now())?.session?.dueAt ?? 0
    expect(due).toBe(app.ctx.now())
    const dueAt = Date.parse((await seen(String(due))).body.data.due_at ?? '')
    expect(dueAt).toBe(app.ctx.now() + 15 * MINUTE_MS)
    // A repeated answer, or an answer to another check, changes nothing.
    pass(1)
    for (const id of [String(due), String(dueAt), 'x']) {
      expect(Date.parse((await seen(id)).body.data.due_at ?? '')).toBe(dueAt)
    }
  })

  it('US1.4: a longer interval waits for 24 hours and a confirmation', async () => {
    expect((await every(60)).body.data.outcomes).toMatchObject([{ key: 'reality_check', in_force: 15 }])
    const { body } = await every(null)
    expect(body.data.limits.waiting).toMatchObject([{ key: 'reality_check', from: 15, to: null, ready: false }])
    expect(body.data.limits.reality.minutes).toBe(15)
  })
})

it('refuses intervals that are not offered', async () => {
  const body = { changes: [{ key: 'reality_check', value: 20 }] }
  const { status } = await app.inject({
    method: 'POST',
    url: '/api/user/limits',
    headers: { authorization: `Bearer ${user.token}` },
    payload: body,
  })
  expect([status, await now()]).toEqual([422, null])
})

describe('a reality check over sockets', () => {
  let address: string
  let sent = 0
  const order = async (socket: AppClient) => {
    sent += 1
    const data = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'btc', marketType: 'crypto' }
    const reply = await socket.order({ clientOrderId: `order-${sent}`, ...data })
    return reply.status === 'success' ? 'open' : reply['code']
  }
  /** Sends a fresh price, so that only the reality check can refuse an order. */
  const price = async () => {
    app.feed.tick(1, 6_000_000, app.ctx.now())
    app.ctx.clock.advance(500)
    await waitUntilLogged(app, [{ id: 1 }])
  }
  const isCheck = ({ type }: { type?: string }) => type === 'realityCheck'

  beforeEach(async () => {
    address = await app.start()
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id: 1 } })
    await every(15)
  })

  it('US1.8: blocks orders of every device until the user answers on one device, also after a reload', async () => {
    const first = await AppClient.open(address, user.token)
    await price()
    expect(await order(first)).toBe('open')
    pass(16)
    first.close()
    const phone = await AppClient.open(address, user.token)
    // A second socket that has not placed an order and does not show the check. Its orders must be refused too.
    const idle = await AppClient.open(address, user.token)
    expect(await order(idle)).toBe('reality_check_due')
    expect(await order(phone)).toBe('reality_check_due')
    const shown = await phone.hear(isCheck)
    expect(shown.data).toMatchObject({ ended: expect.any(Number), open: expect.any(Number), minutes: 16 })

    const again = await AppClient.open(address, user.token)
    expect((await again.hear(isCheck)).data?.['id']).toBe(shown.data?.['id'])
    await seen(String(shown.data?.['id']))
    await phone.hear(({ type }) => type === 'limitsChanged')
    await price()
    expect(await order(idle)).toBe('open')
    for (const socket of [phone, idle, again]) socket.close()
  })
})
