import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { DAY_MS, MINUTE_MS } from '#core/time/instant.ts'
import { clearEndedBreaks, insertBreak } from '#server/users/limits/breaks.queries.ts'
import { withoutRule, withoutRules } from '#test/support/bare-rows.ts'
import { AppClient } from '#test/support/app-client.ts'
import { meanwhile } from '#test/support/meanwhile.ts'
import { passLimitTime } from '#test/support/pass-limit-time.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  // The test clock is set to the real time, because the database uses its own clock for deposit limits and breaks.
  app.ctx.clock.jump(Date.now() - app.ctx.now())
  user = await app.verifiedUser()
})
afterEach(() => app.stop())

const timeOut = (days: number) => app.call(calls.takeTimeOut, { token: user.token, body: { days } })
const exclusion = async (months: number) => {
  await app.confirm(user.token)
  return await app.call(calls.takeExclusion, { token: user.token, body: { months, understood: true } })
}
const askToReturn = async () => {
  await app.confirm(user.token)
  return await app.call(calls.askToReturn, { token: user.token })
}
const confirmReturn = async () => {
  await app.confirm(user.token)
  return await app.call(calls.confirmReturn, { token: user.token })
}
const ownBreak = async () => (await app.call(calls.limits, { token: user.token })).body.data.break
const closedUntil = async () =>
  (
    await database.db
      .selectFrom('balance')
      .select('closed_until_ms')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
  ).closed_until_ms
/** Moves the end of a break that is stored with the balance a day into the past. */
const endCopy = (userId: string) =>
  withoutRules(database, async (tx) => {
    await sql`update balance set closed_until_ms = closed_until_ms - ${DAY_MS}::int8 where user_id = ${userId}`.execute(
      tx,
    )
  })
const passTime = (ms: number) => passLimitTime(database, ms)

describe('breaks', () => {
  it.each<[string, () => Promise<{ body: { code?: string } }>, string]>([
    ['a time-out of no day', () => timeOut(0), 'break_too_short'],
    ['a time-out of 43 days', () => timeOut(43), 'break_too_long'],
    ['an exclusion of five months', () => exclusion(5), 'break_too_short'],
    ['an exclusion of 61 months', () => exclusion(61), 'break_too_long'],
  ])('refuse %s', async (_what, take, code) => {
    expect((await take()).body.code).toBe(code)
    expect(await ownBreak()).toBeNull()
  })

  it('US1.5: can be made longer, but not shorter', async () => {
    const first = (await timeOut(7)).body.data.break
    expect((await timeOut(6)).body.code).toBe('break_shorter')
    expect(await ownBreak()).toEqual(first)
    const second = (await timeOut(8)).body.data.break
    // An extended break keeps the time at which it was first taken.
    expect(second?.from).toBe(first?.from)
    expect(Date.parse(second?.until ?? '') - Date.parse(second?.from ?? '')).toBeGreaterThanOrEqual(8 * DAY_MS)
    await exclusion(12)
    expect((await exclusion(6)).body.code).toBe('break_shorter')
    expect((await timeOut(42)).body.code).toBe('break_shorter')
    expect(await ownBreak()).toMatchObject({ kind: 'exclusion', state: 'on', ready_at: null })
    expect(await closedUntil()).toBe(2n ** 62n)
  })

  it('a time-out ends without an action of its user, and a later time-out has its full length', async () => {
    const first = (await timeOut(3)).body.data.break
    await passTime(3 * DAY_MS)
    expect(await ownBreak()).toBeNull()
    const second = (await timeOut(1)).body.data.break
    expect(Date.parse(second?.from ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.from ?? ''))
    expect(Date.parse(second?.until ?? '') - Date.parse(second?.from ?? '')).toBe(DAY_MS)
    await passTime(DAY_MS)
    expect((await app.call(calls.profile, { token: user.token })).body.data.user.break).toBeNull()
  })

  // The embedded database has one session, so no statement can wait for another one.
  it.runIf(process.env['TEST_DATABASE_URL'])(
    'an exclusion that begins while the copy of an ended time-out is cleared keeps the account closed',
    async () => {
      await timeOut(1)
      await passTime(DAY_MS)
      await endCopy(user.id)
      await meanwhile(
        database.db,
        async (tx) => {
          await sql`select lock_self_rules(${user.id})`.execute(tx)
          await insertBreak(tx, { userId: user.id, id: app.ctx.newId(), kind: 'exclusion', length: 6 })
        },
        () => clearEndedBreaks(database.db),
      )
      expect(await closedUntil()).toBe(2n ** 62n)
      // Without an exclusion, the copy is cleared.
      const bob = await app.verifiedUser('bob')
      await app.call(calls.takeTimeOut, { token: bob.token, body: { days: 1 } })
      await passTime(DAY_MS)
      await endCopy(bob.id)
      await clearEndedBreaks(database.db)
      const cleared = await database.db
        .selectFrom('balance')
        .select(['closed_until_ms', 'self_rules'])
        .where('user_id', '=', bob.id)
        .execute()
      expect(cleared).toEqual([{ closed_until_ms: null, self_rules: false }])
    },
  )

  it('an exclusion needs a fresh confirmation of the session, and a time-out needs none', async () => {
    const body = { months: 6, understood: true } as const
    expect((await app.call(calls.takeExclusion, { token: user.token, body })).body.code).toBe('confirmation_needed')
    expect((await app.call(calls.askToReturn, { token: user.token })).body.code).toBe('confirmation_needed')
    expect((await timeOut(1)).status).toBe(200)
  })

  it('a break that is requested three times concurrently starts once, with one notice', async () => {
    const replies = await Promise.all([timeOut(7), timeOut(7), timeOut(7)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const notices = await database.db.selectFrom('notice').select('kind').where('user_id', '=', user.id).execute()
    expect(notices).toEqual([{ kind: 'break_begun' }])
    expect((await timeOut(8)).status).toBe(200)
    expect((await timeOut(7)).body.code).toBe('break_shorter')
  })

  it('US1.6: after an exclusion the account stays closed until its user confirms the return, a day after requesting it', async () => {
    await exclusion(6)
    expect((await askToReturn()).body.code).toBe('excluded')
    expect((await confirmReturn()).body.code).toBe('excluded')
    await passTime(190 * DAY_MS)
    expect(await ownBreak()).toMatchObject({ state: 'over' })
    expect((await confirmReturn()).body.code).toBe('excluded')
    const request = (await askToReturn()).body.data.break
    expect(request).toMatchObject({ state: 'returning', ready_at: expect.any(String) })
    await passTime(DAY_MS - MINUTE_MS)
    expect((await confirmReturn()).body.code).toBe('return_waits')
    expect(await closedUntil()).toBe(2n ** 62n)
    await passTime(MINUTE_MS)
    expect((await confirmReturn()).body.data.break).toBeNull()
    expect(await closedUntil()).toBeNull()
    expect((await confirmReturn()).status).toBe(404)
  })

  it('US1.6: refuse deposits, but keep withdrawals open', async () => {
    const gateways = (await app.call(calls.depositGateways, { token: user.token })).body.data.gateways
    const gateway = gateways.find(({ is_automatic }) => is_automatic)
    const deposit = () =>
      app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id: gateway?.id ?? 0 } })
    expect((await deposit()).status).toBe(200)
    await timeOut(2)
    expect((await deposit()).body.code).toBe('on_break')
    await exclusion(6)
    expect((await deposit()).body.code).toBe('excluded')
    await passTime(190 * DAY_MS)
    await askToReturn()
    expect((await deposit()).body.code).toBe('return_waits')
    expect(await ownDeposits()).toHaveLength(1)
    await app.setPin(user.token, '123456')
    const methods = (await app.call(calls.withdrawMethods, { token: user.token })).body.data.methods
    expect(methods.length).toBeGreaterThan(0)
    expect((await app.call(calls.withdrawals, { token: user.token })).status).toBe(200)
  })
})

describe('orders over the socket', () => {
  it('US1.6: are refused with the kind of the break, and orders opened before still settle', async () => {
    const address = await app.start()
    const gateways = (await app.call(calls.depositGateways, { token: user.token })).body.data.gateways
    const method_id = gateways.find(({ is_automatic }) => is_automatic)?.id ?? 0
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id } })
    app.feed.tick(1, 6_000_000, app.ctx.now())
    await vi.waitFor(() => {
      app.ctx.clock.advance(100)
      expect(app.ticks.latest(1)).not.toBeNull()
    })
    const socket = await AppClient.open(address, user.token)
    let sent = 0
    const order = async () => {
      sent += 1
      const one = { clientOrderId: `order-${sent}`, type: 'buy', tradeSettingId: 1, amount: 10 } as const
      const answer = await socket.order({ ...one, symbol: 'btc', marketType: 'crypto' })
      return answer.status === 'success' ? 'open' : answer['code']
    }
    expect(await order()).toBe('open')
    await timeOut(2)
    expect(await order()).toBe('on_break')
    await exclusion(6)
    expect(await order()).toBe('excluded')
    const { user: shown } = (await app.call(calls.profile, { token: user.token })).body.data
    expect(shown).toMatchObject({ open_orders: 1, break: { kind: 'exclusion', state: 'on' } })
    await passLimitTime(database, 190 * DAY_MS)
    await askToReturn()
    expect(await order()).toBe('return_waits')
    socket.close()

    await vi.waitFor(async () => {
      app.ctx.clock.advance(1_000)
      app.feed.tick(1, 6_100_000, app.ctx.now())
      const settled = await database.db
        .selectFrom('order_history')
        .select('result')
        .where('user_id', '=', user.id)
        .execute()
      expect(settled).toHaveLength(1)
    })
    const totals = await database.db
      .selectFrom('balance')
      .select(['net_total', 'stake_total', 'staked'])
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(totals).toEqual({ net_total: 800n, stake_total: 1_000n, staked: 0n })
  })
})

describe('deposit limits', () => {
  it('US1.7: parallel deposits never exceed the limit, and a rejected deposit no longer counts', async () => {
    await app.call(calls.changeLimits, {
      token: user.token,
      body: { changes: [{ key: 'deposit_day', value: 250 }] },
    })
    const { gateways } = (await app.call(calls.depositGateways, { token: user.token })).body.data
    const automatic = gateways.find(({ is_automatic }) => is_automatic)
    const deposit = (id: string) =>
      app.call(calls.saveDeposit, {
        token: user.token,
        body: { amount: 100, method_id: automatic?.id ?? 0, client_request_id: id },
      })
    const replies = await Promise.all(Array.from({ length: 12 }, (_, at) => deposit(`request-${at % 6}`)))
    const credited = await ownDeposits()
    const [one = 0n] = credited
    expect(credited).toHaveLength(Number(25_000n / one))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2 * credited.length)
    expect(replies.filter(({ body }) => body.code === 'self_deposit_limit')).toHaveLength(12 - 2 * credited.length)
    const window = (await app.call(calls.limits, { token: user.token })).body.data.deposit.day
    expect(window).toMatchObject({ used: (Number(one) * credited.length) / 100, frees_at: expect.any(String) })

    const refused = (await deposit('another')).body
    expect(refused.code).toBe('self_deposit_limit')
    expect(refused.message).toMatch(/ left\. Frees up from \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
    const rejected = database.db.selectFrom('deposit').select('id').where('user_id', '=', user.id).limit(1)
    await withoutRule(database, { table: 'deposit', rule: 'deposit_decision_kept' }, (db) =>
      db.updateTable('deposit').set({ status: 3 }).where('id', 'in', rejected).execute(),
    )
    expect((await deposit('another')).status).toBe(200)
  })
})

const ownDeposits = async () =>
  (await database.db.selectFrom('deposit').select('credited').where('user_id', '=', user.id).execute()).map(
    ({ credited }) => credited,
  )
