import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { ChosenTopic } from '#core/accounts/notices.ts'
import { DAY_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { tellLimitReached } from '#server/ledger/limit-reached.queries.ts'
import { tellDue, tellReviews } from '#server/users/notices/notices.queries.ts'
import { unsubscribeToken } from '#server/users/notices/unsubscribe-token.ts'
import { historyRow } from '#test/support/history-row.ts'
import { passLimitTime } from '#test/support/pass-limit-time.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const inbox = async ({ token } = user) => (await app.call(calls.notices, { token })).body.data.notices
const kinds = async () => (await inbox()).map(({ kind }) => kind)
const mails = async () => {
  const all = database.db.selectFrom('notice_delivery').select('channel')
  return (await all.where('channel', '=', 'mail').where('user_id', '=', user.id).execute()).length
}
const choose = (topic: ChosenTopic, choice: { mail: boolean; inbox?: boolean }) =>
  app.call(calls.chooseNoticeMail, { token: user.token, body: { topic, ...choice } })

describe('a notice of unseen results', () => {
  let numbered = 0
  beforeEach(async () => {
    numbered = 0
    // The first run of the job only stores a mark in time. Only results that end after this mark cause a notice.
    await tellDue(app.ctx.db, later(app.ctx.now(), 2 * MINUTE_MS - 1))
  })
  const end = async (count: number, result_amount = -100n) => {
    const settledMs = app.ctx.now()
    const rows = Array.from({ length: count }, () => {
      numbered += 1
      const own = { user_id: user.id, id: app.ctx.newId(), settled_ms: settledMs }
      return historyRow({ ...own, result: 2, result_amount, result_number: numbered })
    })
    await app.ctx.db.insertInto('order_history').values(rows).execute()
  }
  const see = (untilNumber: number) =>
    app.ctx.db.insertInto('result_seen').values({ user_id: user.id, until_number: untilNumber, beyond: [] }).execute()
  /** Advances the clock in steps of 30 s, and runs the job after each step on two servers. */
  const pass = async (seconds: number) => {
    for (let at = 0; at < seconds; at += 30) {
      app.ctx.clock.jump(30 * SECOND_MS)
      await Promise.all([tellDue(app.ctx.db, app.ctx.now()), tellDue(app.ctx.db, app.ctx.now())])
    }
  }

  it('US3.6: reports 300 orders that end within five minutes in one notice, with their number', async () => {
    for (let minute = 0; minute < 5; minute += 1) {
      await end(60)
      await pass(60)
    }
    expect(await inbox()).toEqual([])
    await pass(120)
    await pass(300)
    const [only, ...others] = await inbox()
    expect([only?.kind, others]).toEqual(['orders_ended', []])
    expect(only?.text).toContain('300')
    expect(only?.text).toContain('-$300.00')
    expect(only?.link).toBe('/account/history')
  })

  it('US3.6: is not written when a page confirmed the results within 120 s', async () => {
    await end(3)
    await pass(60)
    await see(3)
    await pass(300)
    expect(await inbox()).toEqual([])
  })

  it('US3.6: counts only results that the user did not see after a reconnect, and sends another notice for later ones', async () => {
    await end(2)
    await see(2)
    await end(3)
    await pass(180)
    expect((await inbox())[0]?.text).toContain('3')
    await end(4)
    await pass(180)
    expect((await inbox()).map(({ text }) => /\d+/.exec(text.split('\n')[1] ?? '')?.[0])).toEqual(['4', '3'])
  })

  it('reaches only the inbox until the user chooses mail, is not mailed during a break, and is not written when turned off', async () => {
    await end(1)
    await pass(150)
    expect([await kinds(), await mails()]).toEqual([['orders_ended'], 0])
    await choose('results', { mail: true })
    await end(1)
    await pass(150)
    expect(await mails()).toBe(1)
    await app.call(calls.takeTimeOut, { token: user.token, body: { days: 1 } })
    const before = await mails()
    await end(1)
    await pass(150)
    expect(await mails()).toBe(before)
    await choose('results', { mail: false, inbox: false })
    await end(1)
    await pass(150)
    expect((await kinds()).filter((kind) => kind === 'orders_ended')).toHaveLength(3)
  })

  it('a notice of unseen results is not written for a user that is a bot', async () => {
    await database.asOwner((owner) => sql`update app_user set is_bot = true where id = ${user.id}`.execute(owner))
    await end(5)
    await pass(180)
    expect(await inbox()).toEqual([])
  })
})

describe('a notice of a limit that was reached', () => {
  const deposit = (amount: number) => app.call(calls.saveDeposit, { token: user.token, body: { amount, method_id: 1 } })
  const reached = async () => (await inbox()).filter(({ kind }) => kind === 'limit_reached')
  beforeEach(async () => {
    // The deposit limit uses the clock of the database, so the clock of the app must show the same time.
    app.ctx.clock.jump(Date.now() - app.ctx.now())
    user = await app.verifiedUser('carol')
    const changes = [{ key: 'deposit_day' as const, value: 100 }]
    await app.call(calls.changeLimits, { token: user.token, body: { changes } })
  })

  it('US3.1: is written at the first refusal within the 24 hours of a limit and not at later ones, even if refusals are concurrent', async () => {
    await deposit(100)
    expect(await reached()).toEqual([])
    const codes = await Promise.all(Array.from({ length: 6 }, async () => (await deposit(50)).body.code))
    expect([...new Set(codes)]).toEqual(['self_deposit_limit'])
    expect(await reached()).toMatchObject([{ title: 'Limit reached', link: '/account/limits' }])
    expect((await reached())[0]?.text).toContain('Deposit limit (24 hours)')
  })

  it('a notice of a reached limit is written again after the 24 hours have passed, and never for a limit that the user has not set', async () => {
    const tell = (key: 'deposit_day' | 'loss_day') =>
      tellLimitReached(app.ctx.db, { userId: user.id, key, freesAt: null })
    await tell('deposit_day')
    await database.asOwner((owner) => sql`update notice set stored_ms = stored_ms - ${DAY_MS}::int8`.execute(owner))
    await tell('deposit_day')
    await tell('loss_day')
    expect(await reached()).toHaveLength(2)
  })
})

describe('the notice that asks users to look at their figures and limits', () => {
  const DAYS = (days: number) => days * DAY_MS
  const age = async (days: number) => {
    await database.asOwner(async (owner) => {
      await sql`update app_user set created_ms = ${Date.now() - DAYS(days)}::int8`.execute(owner)
      await sql`update notice set stored_ms = stored_ms - ${DAYS(days)}::int8`.execute(owner)
    })
    await passLimitTime(database, DAYS(days))
    await tellReviews(app.ctx.db, app.ctx.now())
    await tellReviews(app.ctx.db, app.ctx.now())
  }
  const reviews = async () => (await kinds()).filter((kind) => kind === 'review_due').length
  const limit = () =>
    app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key: 'stake_max', value: 5 }] } })

  it('reaches users without limits once a year', async () => {
    await age(300)
    expect(await reviews()).toBe(0)
    await age(366)
    expect(await reviews()).toBe(1)
  })

  it('reaches users with limits every six months, counted from their last change', async () => {
    await limit()
    await age(100)
    expect(await reviews()).toBe(0)
    await age(183)
    expect(await reviews()).toBe(1)
  })

  it('the notice that asks users to look at their figures and limits is not written during a break from trading', async () => {
    await age(10)
    await app.confirm(user.token)
    await app.call(calls.takeExclusion, { token: user.token, body: { months: 6, understood: true } })
    await age(366)
    expect(await reviews()).toBe(0)
  })
})

describe('the link that turns off a mail', () => {
  const look = (token: string) => app.call(calls.unsubscribing, { params: { token } })
  const stop = (token: string) => app.call(calls.unsubscribe, { params: { token } })
  const mailOf = async (topic: ChosenTopic) =>
    (await app.call(calls.noticeMail, { token: user.token })).body.data.topics.find((one) => one.topic === topic)?.mail

  it('US3.5: changes nothing when it is opened, and turns off its topic for its user when the form is sent', async () => {
    const other = await app.verifiedUser('bob')
    const token = unsubscribeToken(app.ctx.vault, { userId: user.id, topic: 'deposits' })
    expect(token).not.toContain(user.id)
    // A path with a part of more than 100 characters gets a 404.
    expect(token.length).toBeLessThanOrEqual(100)
    expect((await look(token)).body.data).toEqual({ topic: 'deposits', mail: true })
    expect(await mailOf('deposits')).toBe(true)
    for (let nth = 0; nth < 2; nth += 1)
      expect((await stop(token)).body.data).toEqual({ topic: 'deposits', mail: false })
    expect([await mailOf('deposits'), await mailOf('limits')]).toEqual([false, true])
    const { topics } = (await app.call(calls.noticeMail, { token: other.token })).body.data
    expect(topics.find(({ topic }) => topic === 'deposits')?.mail).toBe(true)
  })

  it('accepts the form body that mail programs send, which no other call accepts', async () => {
    const token = unsubscribeToken(app.ctx.vault, { userId: user.id, topic: 'limits' })
    const form = {
      method: 'POST' as const,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    }
    expect((await app.inject({ ...form, url: `/api/notices/unsubscribe/${token}` })).status).toBe(200)
    expect(await mailOf('limits')).toBe(false)
    expect((await app.inject({ ...form, url: '/api/user/auth/login' })).status).toBe(415)
  })

  it('US3.5: with a forged token, or one for a topic that cannot be turned off, changes nothing and gets the same reply', async () => {
    const token = unsubscribeToken(app.ctx.vault, { userId: user.id, topic: 'deposits' })
    const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    const elsewhere = app.ctx.vault.encrypt(app.ctx.vault.decrypt(token, 'unsubscribe'), 'another place')
    const fixed = unsubscribeToken(app.ctx.vault, { userId: user.id, topic: 'withdrawals' as never })
    for (const wrong of [forged, elsewhere, fixed, 'x', token.slice(1)]) {
      expect((await look(wrong)).body.data, wrong).toEqual({ topic: null, mail: false })
      expect((await stop(wrong)).body.code, wrong).toBe('not_found')
    }
    expect(await mailOf('deposits')).toBe(true)
  })
})

it("a payment for a result that a provider's record contradicted is always mailed, whatever the user chose for orders", async () => {
  await choose('orders', { mail: false })
  await database.asOwner((owner) =>
    sql`select tell(${user.id}, 'made_good', 'x', '{"trx":"FW-1","amount":100}', ${app.ctx.now()}::int8)`.execute(
      owner,
    ),
  )
  expect([await kinds(), await mails()]).toEqual([['made_good'], 1])
  expect((await inbox())[0]?.link).toBe('/check/FW-1')
})
