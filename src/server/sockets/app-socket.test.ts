import { DAY_MS, instant } from '#core/time/instant.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppSocketOut } from '#contract/live/app-socket.ts'
import { hashToken } from '#server/platform/credentials/session-token.ts'
import { unseenResults } from '#server/sockets/live.queries.ts'
import { setRights } from '#test/support/set-rights.ts'
import { type LiveBench, openLiveBench, type TestSocket } from '#test/support/socket-harness.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: LiveBench
beforeEach(async () => {
  bench = await openLiveBench(database)
})
afterEach(() => bench.close())

const ORDER = { type: 'buy', tradeSettingId: 1, amount: 100, symbol: 'BTC', marketType: 'crypto' }

async function subscribed(token: string | null): Promise<TestSocket> {
  const socket = await bench.connect()
  socket.say({ action: 'subscribe', token })
  socket.say({ action: 'ping', token })
  await bench.until(() => socket.typed('pong').length > 0)
  return socket
}

/** Places one order, lets it win, and returns its id. */
async function winOne(socket: TestSocket, token: string): Promise<string> {
  await bench.priced(BTC.id, 100_00)
  const before = socket.typed('newTrade').length
  socket.say({ action: 'newTrade', token, data: ORDER })
  await bench.until(() => socket.typed('newTrade').length > before)
  bench.ctx.clock.advance(58_000)
  await bench.priced(BTC.id, 110_00)
  bench.ctx.clock.advance(2_500)
  await bench.priced(BTC.id, 90_00)
  return String(socket.typed('newTrade').at(-1)?.data?.['id'])
}

describe('the socket server for prices', () => {
  it('SO1, SO6: sends a visitor the latest prices at once and then every change, with the time in its field', async () => {
    await bench.priced(BTC.id, 100_00)
    await bench.priced(AAPL.id, 50_25)
    const socket = await subscribed(null)
    expect(socket.messages).toContainEqual({ s: 'BTCUSDT', c: 100, P: 0, E: bench.ticks.latest(BTC.id)?.time })
    expect(socket.messages).toContainEqual({ s: 'AAPL', c: 50.25, P: 0, t: bench.ticks.latest(AAPL.id)?.time })
    await bench.priced(BTC.id, 101_00)
    await bench.until(() => socket.prices('BTCUSDT').at(-1) === 101)
    expect(socket.messages.at(-1)).toMatchObject({ P: 1 })
  })

  it('sends only watched symbols, by code or product id in any case', async () => {
    await bench.priced(BTC.id, 100_00)
    await bench.priced(AAPL.id, 50_25)
    const socket = await bench.connect()
    socket.say({ action: 'watch', symbols: ['aapl'] })
    await bench.until(() => socket.prices('AAPL').length > 0)
    await bench.priced(BTC.id, 101_00)
    await bench.priced(AAPL.id, 50_30)
    await bench.until(() => socket.prices('AAPL').includes(50.3))
    socket.say({ action: 'subscribe', token: null })
    await bench.priced(AAPL.id, 50_40)
    await bench.until(() => socket.prices('AAPL').includes(50.4))
    expect(socket.prices('BTCUSDT')).toEqual([])
    socket.say({ action: 'watch', symbols: ['btcusdt', 'nope'] })
    await bench.until(() => socket.typed('error').length > 0)
    expect(socket.typed('error')).toMatchObject([{ code: 'symbol_unknown' }])
  })

  it('sends every tick with its sequence number on request, and otherwise one price per symbol', async () => {
    const all = await bench.connect()
    const newest = await bench.connect()
    all.say({ action: 'watch', symbols: ['BTC'], every: true })
    newest.say({ action: 'watch', symbols: ['BTC'] })
    await bench.priced(BTC.id, 1)
    await bench.until(() => all.prices('BTCUSDT').length > 0 && newest.prices('BTCUSDT').length > 0)
    for (let units = 2; units <= 50; units += 1) bench.feed.tick(BTC.id, units, bench.ctx.now())
    await bench.until(() => newest.prices('BTCUSDT').at(-1) === 0.5 && all.prices('BTCUSDT').at(-1) === 0.5)
    expect(new Set(all.messages.map(({ q }) => q)).size).toBe(50)
    expect(newest.prices('BTCUSDT').filter((value) => value > 0.01)).toEqual([0.5])
  })
})

describe('the socket server for orders', () => {
  it('SO4, SO5: accepts an order, sends its result, and repeats it after a reconnect until it is confirmed', async () => {
    const { token, userId } = await bench.user()
    const socket = await subscribed(token)
    const id = await winOne(socket, token)
    await bench.until(() => socket.typed('tradeResult').length === 1)
    const [result] = socket.typed('tradeResult')
    expect(result?.data).toMatchObject({ id, result: 1, result_amount: 80, price_was: 100, post_trade_price: 110 })
    expect(result?.data).toMatchObject({ user_balance: 1_080, crypto: { name: 'Bitcoin', symbol: 'BTC' }, high_low: 1 })
    socket.ws.terminate()

    const again = await subscribed(token)
    await bench.until(() => again.typed('tradeResult').length === 1)
    expect(again.typed('tradeResult')).toEqual([result])
    const other = await bench.user()
    const stranger = await subscribed(other.token)
    stranger.say({ action: 'seen', ids: [id, 'not-an-id'] })
    await stillThere(userId, 1)
    again.say({ action: 'seen', ids: [id] })
    await stillThere(userId, 0)
    expect(stranger.typed('tradeResult')).toEqual([])
    const third = await subscribed(token)
    const next = await winOne(third, token)
    await bench.until(() => third.typed('tradeResult').length > 0)
    expect(third.typed('tradeResult')).toMatchObject([{ data: { id: next } }])
  })

  it('sends messages to all sockets of a user, and each matches the contract', async () => {
    const { token } = await bench.user()
    const [one, two] = [await subscribed(token), await subscribed(token)]
    await winOne(one, token)
    await bench.until(() => one.typed('tradeResult').length + two.typed('tradeResult').length === 2)
    for (const frame of [...one.frames, ...two.frames])
      expect(AppSocketOut.safeParse(JSON.parse(frame)).error).toBeUndefined()
  })

  it.each([
    ['no token', { token: null }, 'not_signed_in', undefined],
    ['a token of nobody', { token: 'x'.repeat(43) }, 'not_signed_in', undefined],
    ['an amount with an exponent', { data: { ...ORDER, amount: '1e2' } }, 'amount_invalid', 'amount'],
    ['a negative amount', { data: { ...ORDER, amount: -5 } }, 'amount_invalid', 'amount'],
    ['too small an amount', { data: { ...ORDER, amount: 1 } }, 'below_minimum', 'amount'],
    ['a market the symbol is not in', { data: { ...ORDER, marketType: 'us_stocks' } }, 'symbol_unknown', 'symbol'],
    ['a market nobody knows', { data: { ...ORDER, marketType: 'moon' } }, 'symbol_unknown', 'symbol'],
    ['no direction', { data: { ...ORDER, type: 'sideways' } }, 'bad_request', 'type'],
    ['no data', { data: null }, 'bad_request', undefined],
  ])('refuses an order with %s', async (_, change, code, field) => {
    const { token, userId } = await bench.user()
    const socket = await subscribed(token)
    await bench.priced(BTC.id, 100_00)
    const data = { ...ORDER, clientOrderId: 'mine' }
    const message = { action: 'newTrade', token, data, ...change }
    if (message.data !== null) message.data = { ...message.data, clientOrderId: 'mine' }
    socket.say(message)
    await bench.until(() => socket.typed('newTrade').length > 0)
    const [refused] = socket.typed('newTrade')
    expect(refused).toMatchObject({ status: 'error', code, clientOrderId: message.data === null ? null : 'mine' })
    expect(refused?.field).toBe(field)
    expect(refused?.message).not.toContain('{')
    const open = await database.db.selectFrom('open_order').selectAll().where('user_id', '=', userId).execute()
    expect(open).toEqual([])
  })

  it('refuses an order for slippage only when the order names a limit, and never uses the displayed price as the strike', async () => {
    const { token } = await bench.user()
    const socket = await subscribed(token)
    await bench.priced(BTC.id, 100_00)
    socket.say({ action: 'newTrade', token, data: { ...ORDER, strikePrice: 90, maxSlippage: 0.000001 } })
    await bench.until(() => socket.typed('newTrade').length === 1)
    socket.say({ action: 'newTrade', token, data: { ...ORDER, strikePrice: 90 } })
    await bench.until(() => socket.typed('newTrade').length === 2)
    expect(socket.typed('newTrade')).toMatchObject([{ code: 'price_moved' }, { status: 'success', trade_price: 100 }])
  })

  it('stores when the order request arrived', async () => {
    const { token } = await bench.user()
    const socket = await subscribed(token)
    await bench.priced(BTC.id, 100_00)
    const before = bench.ctx.now()
    socket.say({ action: 'newTrade', token, data: ORDER })
    await bench.until(() => socket.typed('newTrade').length === 1)
    const order = await database.db.selectFrom('open_order').selectAll().executeTakeFirstOrThrow()
    expect(Number(order.received_ms)).toBeGreaterThanOrEqual(before)
    expect(Number(order.received_ms)).toBeLessThanOrEqual(Number(order.opened_ms))
  })
})

describe('balances', () => {
  it('notify all sockets of their user about a change, and no other socket', async () => {
    const [alice, bob] = [await bench.user(), await bench.user()]
    const own = [await subscribed(alice.token), await subscribed(alice.token)]
    const others = [await subscribed(bob.token), await subscribed(null)]
    bench.ctx.publish({ kind: 'balance-changed', userId: alice.userId })
    await bench.until(() => own.every((socket) => socket.typed('balanceChanged').length === 1))
    expect(own[0]?.typed('balanceChanged')).toEqual([{ type: 'balanceChanged' }])
    expect(others.flatMap((socket) => socket.typed('balanceChanged'))).toEqual([])
  })
})

it('notifies only the sockets of a user when the own limits of this user change', async () => {
  const [alice, bob] = [await bench.user(), await bench.user()]
  const [own, other] = [await subscribed(alice.token), await subscribed(bob.token)]
  bench.ctx.publish({ kind: 'limits-changed', userId: alice.userId })
  await bench.until(() => own.typed('limitsChanged').length === 1)
  expect(own.typed('limitsChanged')).toEqual([{ type: 'limitsChanged' }])
  expect(other.typed('limitsChanged')).toEqual([])
})

it('sends a notice only to the sockets of the user to whom it is addressed', async () => {
  const [alice, bob] = [await bench.user(), await bench.user()]
  const [own, other] = [await subscribed(alice.token), await subscribed(bob.token)]
  bench.ctx.publish({ kind: 'notice', userId: alice.userId })
  await bench.until(() => own.typed('notice').length === 1)
  expect([own.typed('notice'), other.typed('notice')]).toEqual([[{ type: 'notice' }], []])
})

it('sends a new-device notice only to the sockets of its user', async () => {
  const [alice, bob] = [await bench.user(), await bench.user()]
  const [own, other] = [await subscribed(alice.token), await subscribed(bob.token)]
  bench.ctx.publish({ kind: 'new-device', userId: alice.userId, device: 'Chrome · Windows' })
  await bench.until(() => own.typed('newDevice').length === 1)
  expect(own.typed('newDevice')).toEqual([{ type: 'newDevice', data: { device: 'Chrome · Windows' } }])
  expect(other.typed('newDevice')).toEqual([])
})

describe('the socket server for sessions', () => {
  it('closes the sockets of an ended session, and no others', async () => {
    const { token, userId } = await bench.user()
    const [socket, second] = [await subscribed(token), await subscribed(await bench.signIn(userId))]
    bench.ctx.publish({ kind: 'session-ended', userId, tokenHash: hashToken(token) })
    await bench.until(() => socket.closed !== null)
    expect(socket.closed).toEqual({ code: 1008, reason: 'session ended' })
    expect(second.closed).toBeNull()
    bench.ctx.publish({ kind: 'session-ended', userId, tokenHash: null })
    await bench.until(() => second.closed !== null)
  })

  it("SO3: includes in a pong the end of the user's break", async () => {
    const { token, userId } = await bench.user()
    await database.db
      .insertInto('self_break')
      .values({ user_id: userId, id: userId, kind: 'time_out', length: 2 })
      .execute()
    const socket = await subscribed(token)
    const { tradeStatus, tradeReason } = socket.typed('pong')[0]?.data ?? {}
    expect(tradeStatus).toBe(0)
    expect(tradeReason).toMatch(/^You are on a break until \d{4}-.* UTC\. A break does not stop withdrawals\.$/)
  })

  it('SO3: includes in a pong whether the user may trade, without a query for visitors', async () => {
    const { token, userId } = await bench.user()
    await setRights(bench.ctx, database.db, userId, { tradeOff: 'documents are missing' })
    const socket = await subscribed(token)
    expect(socket.typed('pong')[0]?.data).toMatchObject({ tradeStatus: 0, tradeReason: 'documents are missing' })
    expect(socket.typed('pong')[0]?.pingMarketStatus).toEqual({ crypto: true, us_stocks: true, us_fx: true })
    const visitor = await subscribed(null)
    expect(visitor.typed('pong')[0]?.data).toMatchObject({ tradeStatus: 1, tradeReason: '' })
    visitor.say({ action: 'ping', token: 'x'.repeat(43) })
    visitor.say({ action: 'seen', ids: [] })
    await bench.until(() => visitor.typed('error').length === 2)
    expect(visitor.typed('error').map(({ code }) => code)).toEqual(['not_signed_in', 'not_signed_in'])
  })

  it('closes a socket whose subscription failed, so that its client reconnects and receives its results', async () => {
    const { token } = await bench.user()
    await database.asOwner((owner) => owner.schema.alterTable('result_seen').renameTo('gone').execute())
    const socket = await bench.connect()
    socket.say({ action: 'subscribe', token })
    await bench.until(() => socket.closed !== null)
    expect(socket.closed?.code).toBe(1011)
    expect(socket.typed('error')).toHaveLength(1)
    await database.asOwner((owner) => owner.schema.alterTable('gone').renameTo('result_seen').execute())
  })

  it('closes with 1012 when the server stops', async () => {
    const socket = await subscribed(null)
    await bench.live.stop()
    await bench.until(() => socket.closed !== null)
    expect(socket.closed?.code).toBe(1012)
  })
})

it('stores pending confirmations before a stop', async () => {
  const { token, userId } = await bench.user()
  const socket = await subscribed(token)
  const id = await winOne(socket, token)
  await bench.until(() => socket.typed('tradeResult').length === 1)
  const timers = bench.ctx.clock.pendingTimers
  socket.say({ action: 'seen', ids: [id] })
  await vi.waitFor(() => expect(bench.ctx.clock.pendingTimers).toBeGreaterThan(timers))
  expect(await unseen(userId)).toHaveLength(1)
  await bench.live.stop()
  expect(await unseen(userId)).toEqual([])
})

it.each([null, 'no-token'])('SO1: a subscription with the token %s ends the previous one', async (token) => {
  const alice = await bench.user()
  const [socket, other] = [await subscribed(alice.token), await subscribed(alice.token)]
  socket.say({ action: 'subscribe', token })
  socket.say({ action: 'seen', ids: [] })
  await bench.until(() => socket.typed('error').some(({ code }) => code === 'not_signed_in'))
  await winOne(other, alice.token)
  await bench.until(() => other.typed('tradeResult').length === 1)
  expect(socket.typed('tradeResult')).toEqual([])
})

it('does not resend a result that its user has just confirmed, and ignores confirmations of other users', async () => {
  const { token, userId } = await bench.user()
  const socket = await subscribed(token)
  const id = await winOne(socket, token)
  await bench.until(() => socket.typed('tradeResult').length === 1)
  /** Waits for the reply to a later message. No time passes, so the confirmation is not stored yet. */
  const confirm = async (by: TestSocket, of: string): Promise<void> => {
    const before = by.typed('pong').length
    by.say({ action: 'seen', ids: [id] })
    by.say({ action: 'ping', token: of })
    await bench.until(() => by.typed('pong').length > before, 0)
  }
  const stranger = await bench.user()
  await confirm(await subscribed(stranger.token), stranger.token)
  const second = await subscribed(token)
  await bench.until(() => second.typed('tradeResult').length === 1, 0)
  await confirm(second, token)
  expect(await unseen(userId)).toHaveLength(1)
  const third = await bench.connect()
  third.say({ action: 'subscribe', token })
  const next = await winOne(third, token)
  await bench.until(() => third.typed('tradeResult').length > 0)
  expect(third.typed('tradeResult')).toMatchObject([{ data: { id: next } }])
})

it('never resends a result that is a day old, confirmed or not', async () => {
  const { token } = await bench.user()
  const first = await subscribed(token)
  await winOne(first, token)
  // A socket that subscribes during the settlement may receive the result twice: as an event and as an unconfirmed
  // result.
  await bench.until(() => first.typed('tradeResult').length === 1)
  const again = await subscribed(token)
  await bench.until(() => again.typed('tradeResult').length > 0)
  await database.db
    .updateTable('session')
    .set({ expires_ms: bench.ctx.now() + 2 * DAY_MS })
    .execute()
  bench.ctx.clock.advance(DAY_MS)
  const later = await subscribed(token)
  expect(later.typed('tradeResult')).toEqual([])
})

function unseen(userId: string) {
  return unseenResults(database.db, [userId], instant(0), 100)
}

async function stillThere(userId: string, count: number): Promise<void> {
  const rows = () => {
    // Confirmations are stored in batches.
    bench.ctx.clock.advance(50)
    return unseen(userId)
  }
  await expect.poll(async () => (await rows()).length).toBe(count)
}
