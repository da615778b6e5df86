import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { type AttackBench, openAttackBench, type RawClient } from '#test/security/attack-harness.ts'
import { setRights } from '#test/support/set-rights.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const ONE_MINUTE = 1
const BANK = 101
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let alice: TestUser
let client: RawClient
beforeAll(async () => {
  bench = await openAttackBench(database)
})
afterAll(async () => {
  await bench.expectSoundBooks()
  await bench.close()
})
beforeEach(async () => {
  alice = await bench.funded(1_000)
  await bench.priced(9_400_000)
  client = await bench.connect()
})
afterEach(() => client.ws.terminate())

let sent = 0
/** Builds an order like the app, with the attacker's changes. */
function order(change: Readonly<Record<string, unknown>> = {}, token: unknown = alice.token) {
  sent += 1
  const data = { type: 'buy', tradeSettingId: ONE_MINUTE, amount: 100, symbol: 'BTC', marketType: 'crypto' }
  return { action: 'newTrade', token, data: { ...data, clientOrderId: `order-${sent}`, ...change } }
}

/** Sends all messages and returns the reply to each: a code, or `taken`. */
async function repliesTo(messages: readonly unknown[], from = client): Promise<string[]> {
  const before = from.said.length
  const answers = () => from.said.slice(before).filter(({ type }) => type === 'newTrade' || type === 'error')
  for (const message of messages) from.send(message)
  await bench.until(() => answers().length === messages.length)
  return answers().map(({ code }) => code ?? 'taken')
}

const openOrders = () => bench.app.ctx.db.selectFrom('open_order').selectAll().where('user_id', '=', alice.id).execute()
const untouched = { balance: 1_000, staked: 0, withdrawing: 0 }

it('AT1: an invalid stake takes no money', async () => {
  const stakes = [
    -1,
    0,
    0.1,
    '0',
    '-1',
    '1e3',
    ' 100',
    '+100',
    '0x64',
    '100.001',
    'NaN',
    'Infinity',
    null,
    [],
    [100],
    {},
  ]
  const huge = [2 ** 53, 2 ** 63, '9223372036854775808', 5_000.01, '99999999999999999999999']
  const none = [undefined, true, '', 9.99]
  const codes = await repliesTo([...stakes, ...huge, ...none].map((amount) => order({ amount })))
  expect(
    codes.filter((code) => !['amount_invalid', 'bad_request', 'below_minimum', 'above_maximum'].includes(code)),
  ).toEqual([])
  // Numbers that JSON allows and JavaScript cannot represent.
  const written = (amount: string) => JSON.stringify(order({ amount: '@' })).replace('"@"', amount)
  await repliesTo(['1e309', '-1e309', '1e-400', '100.0000000000000000001e0'].map(written))
  const { staked } = await bench.moneyOf(alice)
  // Every JSON parser reads the last number as 100, so it may become an order of exactly 100.
  expect([0, 100]).toContain(staked)
})

it('AT2: durations and expiries that are not offered are refused', async () => {
  const ids = [0, -5, 4.5, 99, 2 ** 31, 2 ** 53, null, '', 'x', [], {}, '1; drop table open_order', '1e9']
  const codes = await repliesTo(ids.map((tradeSettingId) => order({ tradeSettingId })))
  expect(codes.filter((code) => !['bad_request', 'setting_unknown'].includes(code))).toEqual([])
  const times = [0, -5, 4, 61, 2 ** 31, 'x']
  expect(await repliesTo(times.map((time) => order({ time })))).not.toContain('taken')
  expect(await openOrders()).toEqual([])

  const opensAt = bench.app.ctx.now()
  await repliesTo([order({ expires_at: 1, expiresAt: opensAt + 1, opened_at: 1, seconds: 1, duration: 1 })])
  const [open] = await openOrders()
  expect(Number(open?.expires_ms) - Number(open?.opened_ms)).toBe(60_000)
  expect(Number(open?.opened_ms)).toBeGreaterThanOrEqual(opensAt)
})

it('AT3: only exact existing directions, symbols and markets are accepted', async () => {
  const types = ['UP ', 'up\u0000', 'BUY', 'buy ', 1, null, undefined, ['buy'], '']
  const symbols = ['NOPE', '', 'BTC\u0000', '../BTC', null, 1, ['BTC'], 'B'.repeat(21), '__proto__', 'constructor']
  const markets = ['us_fx', 'CRYPTO ', 'nope', 7]
  const names = ['\u0000', 'a\u0000b', '', 'x'.repeat(65), 7, {}]
  const messages = [
    ...names.map((clientOrderId) => order({ clientOrderId })),
    ...types.map((type) => order({ type })),
    ...symbols.map((symbol) => order({ symbol })),
    ...markets.map((marketType) => order({ marketType })),
  ]
  const codes = await repliesTo(messages)
  expect(codes.filter((code) => !['bad_request', 'symbol_unknown'].includes(code))).toEqual([])
  expect(await bench.moneyOf(alice)).toEqual(untouched)
})

it('AT4: prices, payouts, balances and user ids sent by a client have no effect', async () => {
  const extra =
    '"price":1,"payout":900,"profit":900,"balance":1e9,"userId":"x","user_id":"x","role":"owner","verified":true'
  const written = JSON.stringify(order()).replace(
    '"data":{',
    `"data":{${extra},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},`,
  )
  expect(await repliesTo([written])).toEqual(['taken'])
  expect({}).not.toHaveProperty('polluted')
  const [row] = await openOrders()
  expect(row).toMatchObject({ entry_price: 9_400_000n, stake: 10_000n, profit_basis_points: 8_000 })
  expect(await bench.moneyOf(alice)).toEqual({ balance: 900, staked: 100, withdrawing: 0 })
})

it('AT5: one order sent a hundred times on two sockets is one order with equal replies', async () => {
  const other = await bench.connect()
  const one = order()
  for (let turn = 0; turn < 50; turn += 1) for (const socket of [client, other]) socket.send(one)
  await bench.until(() => client.answers('newTrade').length + other.answers('newTrade').length === 100)
  const answers = [...client.answers('newTrade'), ...other.answers('newTrade')].filter(({ code }) => code !== 'busy')
  const texts = answers.map(({ data }) => JSON.stringify({ ...(data as object), user_balance: 0 }))
  expect(new Set(texts).size).toBe(1)
  expect(await bench.moneyOf(alice)).toEqual({ balance: 900, staked: 100, withdrawing: 0 })
})

it('A23: an order after its validity is refused with a reason, takes no money, and never opens later', async () => {
  const now = bench.app.ctx.now()
  const late = order({ validUntil: now - 1 })
  expect(await repliesTo([late, order({ validUntil: now - 22_000 }), order({ validUntil: 1 })])).toEqual(
    Array.from({ length: 3 }, () => 'order_expired'),
  )
  expect(client.answers('newTrade')[0]).toMatchObject({
    status: 'error',
    clientOrderId: late.data.clientOrderId,
    field: 'validUntil',
    message: 'The order did not reach the server in time, so it was not opened. Nothing was taken from your balance.',
  })
  await bench.priced(9_500_000)
  expect(await repliesTo([late])).toEqual(['order_expired'])
  expect([await openOrders(), await bench.moneyOf(alice)]).toEqual([[], untouched])
})

it('A23: a valid order is accepted, and its repeat gets the first reply even after the end of the validity', async () => {
  const inTime = order({ validUntil: bench.app.ctx.now() + 3_000 })
  expect(await repliesTo([inTime, order({ validUntil: null })])).toEqual(['taken', 'taken'])
  bench.app.ctx.clock.advance(22_000)
  expect(await repliesTo([inTime])).toEqual(['taken'])
  expect(await bench.moneyOf(alice)).toEqual({ balance: 800, staked: 200, withdrawing: 0 })
})

it('A23: an invalid validity opens nothing', async () => {
  const none = [0, -1, 1.5, '', 'soon', '9999999999999', 8_640_000_000_000_001, true, [], {}]
  const codes = await repliesTo(none.map((validUntil) => order({ validUntil })))
  expect(new Set(codes)).toEqual(new Set(['bad_request']))
  expect([await openOrders(), await bench.moneyOf(alice)]).toEqual([[], untouched])
})

it('AT6: the same id with another stake is refused, and the first order stays', async () => {
  const clientOrderId = 'mine'
  expect(await repliesTo([order({ clientOrderId })])).toEqual(['taken'])
  const changes = [{ amount: 200 }, { type: 'sell' }, { tradeSettingId: 2 }, { symbol: 'ETH' }]
  const codes = await repliesTo(changes.map((change) => order({ clientOrderId, ...change })))
  expect(new Set(codes)).toEqual(new Set(['order_conflict']))
  expect(await bench.moneyOf(alice)).toEqual({ balance: 900, staked: 100, withdrawing: 0 })
})

it('AT7: exactly one of fifty orders for the whole balance is accepted', async () => {
  const codes = await repliesTo(Array.from({ length: 50 }, () => order({ amount: 1_000 })))
  expect(codes.filter((code) => code === 'taken')).toHaveLength(1)
  expect(codes.filter((code) => code === 'insufficient_balance')).toHaveLength(49)
  expect(await bench.moneyOf(alice)).toEqual({ balance: 0, staked: 1_000, withdrawing: 0 })
})

it('AT9: money is either staked or withdrawn, and a blocked account opens nothing', async () => {
  const { app } = bench
  await app.setPin(alice.token, PIN, { 101: DETAILS })
  const withdraw = () =>
    app.call(calls.saveWithdrawal, {
      token: alice.token,
      body: { amount: 1_000, method_id: BANK, withdrawal_code: PIN, fields: DETAILS },
    })
  const [codes, withdrawal] = await Promise.all([repliesTo([order({ amount: 1_000 })]), withdraw()])
  const isStaked = codes[0] === 'taken'
  expect(withdrawal.status).toBe(isStaked ? 422 : 200)
  const { balance, staked, withdrawing } = await bench.moneyOf(alice)
  expect([balance, staked + withdrawing]).toEqual([0, 1_000])

  const bob = await bench.funded(1_000)
  const stop = setRights(bench.app.ctx, bench.app.ctx.db, bob.id, { tradeOff: 'stopped' })
  await Promise.all([stop, repliesTo([order({ amount: 1_000 }, bob.token)])])
  expect(await repliesTo([order({}, bob.token)])).not.toContain('taken')
})

it("AT12: clients' clocks and old messages decide nothing", async () => {
  const day = 86_400_000
  const replayed = order({ clientOrderId: 'again', strikePrice: 93_000, maxSlippage: 0.5 })
  const claims = { sent_at: 1, timestamp: bench.app.ctx.now() - day, E: bench.app.ctx.now() + day }
  expect(await repliesTo([{ ...replayed, ...claims }])).toEqual(['price_moved'])
  expect(await repliesTo([order({ ...claims, clientOrderId: 'now' })])).toEqual(['taken'])
  expect(await openOrders()).toMatchObject([{ entry_price: 9_400_000n }])
  // The sender repeats the message at a price that is better for the sender. The reply is the first reply, with the
  // first price.
  await bench.priced(9_300_000)
  await repliesTo([order({ ...claims, clientOrderId: 'now' })])
  expect(await openOrders()).toMatchObject([{ entry_price: 9_400_000n }])
})

it('AT13: no user can cancel, change or settle an order', async () => {
  await repliesTo([order()])
  for (const action of ['cancelTrade', 'cancel', 'closeTrade', 'settle', 'updateTrade', 'setPrice', 'newTrade '])
    client.send({ action, token: alice.token, data: { clientOrderId: 'order-1' } })
  await bench.until(() => client.answers('error').length >= 7)
  for (const address of [
    '/user/trade/cancel',
    '/user/trade/settle',
    '/user/trade/result',
    '/admin/orders/settle',
    '/admin/prices',
  ])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const { status } = await bench.app.inject({
        method,
        url: `/api${address}`,
        headers: { authorization: `Bearer ${alice.token}` },
        payload: { game_log_id: 'order-1', price: 1, result: 1 },
      })
      expect([401, 403, 404], `${method} ${address}`).toContain(status)
    }
  expect(await bench.moneyOf(alice)).toEqual({ balance: 900, staked: 100, withdrawing: 0 })
})

it('AT16: stake limits hold under two hundred concurrent orders', async () => {
  await setRights(bench.app.ctx, bench.app.ctx.db, alice.id, { maxOpenStake: 35_000n })
  const sockets = [client, await bench.connect(), await bench.connect(), await bench.connect()]
  await Promise.all(
    sockets.map((socket) =>
      repliesTo(
        Array.from({ length: 50 }, () => order({ amount: 10 })),
        socket,
      ),
    ),
  )
  expect(await bench.moneyOf(alice)).toEqual({ balance: 650, staked: 350, withdrawing: 0 })
})
