import { createPublicKey, verify } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, MINUTE_MS } from '#core/time/instant.ts'
import { countFairness } from '#server/proof/fairness/count-fairness.ts'
import { computeIfStale } from '#server/proof/fairness/refresh-fairness.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let finance: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  finance = await app.staff('finance')
})
afterEach(() => app.stop())

const REASON = 'Your documents are incomplete.'
const OPEN = { max_stake: null, max_open_stake: null, withdrawals: true, withdrawals_reason: '' }

async function limit(user: TestUser, change: object, reason = REASON) {
  const { version } = (await finance.call(staffCalls.staffUser, { params: { id: user.id } })).body.data
  const body = { ...OPEN, version, reason, ...change }
  return (await finance.call(staffCalls.staffSetLimits, { params: { id: user.id }, body })).body
}
const codeOf = (body: { code?: string; errors?: object }) => body.code ?? Object.keys(body.errors ?? {})[0] ?? 'done'
const measuresOf = async ({ token }: TestUser) => (await app.call(calls.userMeasures, { token })).body.data

/** Returns the content of a signed statement, after checking it with the published keys only. */
async function readStatement(jws: string) {
  const [head = '', content = '', signature = ''] = jws.split('.')
  const { alg, kid, typ } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, string>
  expect([alg, typ]).toEqual(['EdDSA', 'fairwick-measures'])
  const { keys } = (await app.call(calls.proofKeys)).body.data
  const key = keys.find((one) => one.kid === kid)
  assert(key, 'the key is published')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' })
  const isValid = verify(null, Buffer.from(`${head}.${content}`), publicKey, Buffer.from(signature, 'base64url'))
  expect(isValid).toBe(true)
  return JSON.parse(Buffer.from(content, 'base64url').toString()) as Record<string, unknown>
}

async function priced(user: TestUser): Promise<(stake: number, tradeSettingId?: number) => Promise<string>> {
  await app.startMarkets()
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  const time = app.ctx.now()
  app.feed.tick(1, 9_000_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => assert(app.ticks.latest(1)?.time === time, 'there is a price'))
  let orders = 0
  return async (stake, tradeSettingId = 1) => {
    orders += 1
    const placed = await app.engine.place({
      userId: user.id,
      clientOrderId: `order-${orders}`,
      direction: 1,
      tradeSettingId,
      stake: money(stake * 100),
      symbol: 'BTC',
      marketType: null,
      slippageGuard: null,
    })
    return placed.ok ? 'taken' : placed.refusal
  }
}

it('A95: attack: a limit of 0.01', async () => {
  const alice = await app.verifiedUser('alice')
  await app.startMarkets()
  for (const change of [{ max_stake: 0.01 }, { max_open_stake: 0.01 }, { max_stake: 9.99 }])
    expect(codeOf(await limit(alice, change))).toBe('limit_is_ban')
  const { measures, statement } = await measuresOf(alice)
  expect(measures).toEqual([])
  expect(await readStatement(statement)).toEqual({ v: 1, user: alice.id, made_ms: app.ctx.now(), measures: [] })
})

it('A96: attack: a limit with an empty or hidden reason', async () => {
  const alice = await app.verifiedUser('alice')
  for (const hidden of ['', '   ', '\u200B\u200B\u200B\u200B', '\u3164\u3164\u3164', '…', '- - -'])
    expect(codeOf(await limit(alice, { max_stake: 50 }, hidden)), JSON.stringify(hidden)).toBe('words_needed')
  expect((await measuresOf(alice)).measures).toEqual([])
  expect(codeOf(await limit(alice, { max_stake: 50 }))).toBe('done')
  const place = await priced(alice)
  expect(await place(51)).toBe('staff_limit')
  const { user } = (await app.call(calls.profile, { token: alice.token })).body.data
  expect(user.stake_limits).toMatchObject([{ kind: 'stake_limit', value: 50, reason: REASON }])
  expect(codeOf(await limit(alice, {}, 'lifted'))).toBe('done')
  const { measures, statement } = await measuresOf(alice)
  expect(measures, 'it stays in the list after its end').toMatchObject([
    { kind: 'stake_limit', value: 50, reason: REASON },
  ])
  expect(measures[0]?.ended).not.toBeNull()
  expect(await readStatement(statement)).toMatchObject({
    user: alice.id,
    measures: [{ kind: 'stake_limit', value: 5_000, reason: REASON }],
  })
})

it('a measure whose call has returned applies to each order that commits after the call', async () => {
  const alice = await app.verifiedUser('alice')
  const place = await priced(alice)
  const openOrders = async () => (await database.db.selectFrom('open_order').select('id').execute()).length
  const outcomes = Array.from({ length: 60 }, () => place(10))
  const done = await limit(alice, { max_stake: 10, max_open_stake: 10 })
  expect(codeOf(done)).toBe('done')
  const committed = await openOrders()
  outcomes.push(place(10), place(10))
  const accepted = (await Promise.all(outcomes)).filter((outcome) => outcome === 'taken')
  expect(accepted).toHaveLength(Math.max(committed, 1))
  expect(await openOrders()).toBe(accepted.length)
})

it('A97: attack: limit every winner within the rules', async () => {
  const users: TestUser[] = []
  for (let at = 0; at < 6; at += 1) users.push(await app.verifiedUser(`user${at}`))
  const today = Math.floor(app.ctx.now() / DAY_MS)
  await database.db
    .insertInto('fairness_user')
    .values(
      users.map(({ id }, at) => ({
        day: today,
        user_id: id,
        is_bot: false,
        result: at % 2 === 0 ? 500 : -500,
        timed: 1,
      })),
    )
    .execute()
  const times = ['acceptance', 'lateness'].map((kind) => ({ day: today, is_bot: false, kind, ms: 5, count: 6 }))
  await database.db.insertInto('fairness_time').values(times).execute()
  await countFairness(app.ctx)
  await computeIfStale(app.ctx)
  const figures = async () => {
    app.ctx.clock.jump(MINUTE_MS)
    const { kinds, all } = (await app.call(calls.proofMeasures)).body.data
    return { all, limits: kinds.find(({ kind }) => kind === 'stake_limit') }
  }
  const all = { users: 6, ahead: 3 }
  const none = { kind: 'stake_limit', accounts: 0, accounts_90_days: 0, ahead: 0 }
  expect(await figures()).toEqual({ all, limits: none })
  const winners = users.filter((_, at) => at % 2 === 0)
  for (const winner of winners) expect(codeOf(await limit(winner, { max_stake: 20 }))).toBe('done')
  expect(await figures(), 'all of them were ahead, of all users a half').toEqual({
    all,
    limits: { ...none, accounts: 3, accounts_90_days: 3, ahead: 3 },
  })
  // Later losses of the users and an early end of the limits do not change how many users were ahead when they were
  // limited.
  await database.db.updateTable('fairness_user').set({ result: -9_000 }).execute()
  for (const winner of winners) expect(codeOf(await limit(winner, {}, 'lifted'))).toBe('done')
  expect((await figures()).limits).toEqual({ ...none, accounts_90_days: 3, ahead: 3 })
})

it('A98: attack: unlist with orders open', async () => {
  const alice = await app.verifiedUser('alice')
  const place = await priced(alice)
  expect(await place(20, 2)).toBe('taken')
  const owner = await app.staff('owner')
  const { newest_n: seen } = (await owner.call(staffCalls.staffTermsState)).body.data
  const closing = { what: 'symbol', of: 'BTC', value: 'closing', applies_at: null, seen_n: seen } as const
  expect((await owner.call(staffCalls.staffAnnounceTerms, { body: closing })).status).toBe(200)
  await app.passNotice()
  expect(await place(20, 2), 'it takes no orders').toBe('symbol_unknown')

  const shownTo = async (token?: string) =>
    (await app.call(calls.currencyList, token === undefined ? {} : { token })).body.data.currencies.find(
      ({ symbol }) => symbol === 'BTC',
    )
  expect(await shownTo(), 'strangers do not see it').toBeUndefined()
  expect(await shownTo(alice.token), 'its user finds it, with its price').toMatchObject({
    is_open: false,
    price: 90_000,
  })
  const chart = await app.call(calls.klineHistorical, { body: { symbol: 'BTC', interval: '1m' } })
  expect(chart.body.data).toHaveLength(1)

  const order = await database.db.selectFrom('open_order').selectAll().executeTakeFirstOrThrow()
  app.ctx.clock.advance(Number(order.expires_ms) - app.ctx.now() - 1_000)
  app.feed.tick(1, 9_100_000, app.ctx.now())
  app.ctx.clock.advance(2_000)
  app.feed.tick(1, 8_000_000, app.ctx.now())
  await vi.waitFor(async () => {
    app.ctx.clock.advance(100)
    expect(await database.db.selectFrom('open_order').select('id').execute()).toEqual([])
  })
  const result = await database.db.selectFrom('order_history').selectAll().executeTakeFirstOrThrow()
  expect(result, 'the result is as ever').toMatchObject({ result: 1, exit_price: 9_100_000n })
  expect(await shownTo(alice.token)).toBeDefined()
  app.ctx.clock.jump(DAY_MS)
  const again = await app.signIn('alice', alice.password)
  expect(await shownTo(again.token), 'a day later it is gone').toBeUndefined()
})
