import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/**
 * Sends each call as a client would that knows only the specification, and checks the path, the request fields and the
 * reply fields. Test files beside the code of each call cover its other behaviour.
 */
const BTC = 1
const USDT = { id: 102, label: 'Wallet address (TRC-20)' }
const FIELD = { name: 'wallet_address', label: USDT.label, type: 'destination', network: 'tron', is_required: true }

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let user: TestUser
beforeAll(async () => {
  await database.truncateAll()
  app = await createTestApp(database)
  await app.startMarkets()
  user = await app.verifiedUser('alice')
  await app.confirm(user.token)
  await speak(9_400_000)
})
afterAll(async () => {
  await app.stop()
})

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

async function send(method: 'GET' | 'POST', path: string, payload?: object, token: string | null = user.token) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const { status, body } = await app.inject({
    method,
    url: `/api${path}`,
    headers: { ...headers, locale: 'en' },
    ...(payload !== undefined && { payload }),
  })
  expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBe(200)
  return body
}
const get = async (path: string, token?: string | null) => (await send('GET', path, undefined, token)).data
const post = async (path: string, payload: object, token?: string | null) =>
  (await send('POST', path, payload, token)).data

/** Builds `{ a: expect.anything() }`: the fields exist, with any value. */
const holding = (...names: string[]) =>
  expect.objectContaining(
    Object.fromEntries(names.map((name) => [name, expect.toSatisfy((value) => value !== undefined)])),
  )

const USER_NAMES = `username balance points image_path customer_link withdrawal_code_enabled profile_complete ev
  currency_symbol currency_name firstname lastname mobile mobile_code country_code address`
const USER = holding(...USER_NAMES.split(/\s+/))
const SYMBOL_NAMES = 'id name isFavorite is_featured symbol market_type image color price change lastTickTime'
const SYMBOL = holding(...SYMBOL_NAMES.split(' '))
const TRADE_DATA = holding('trade_settings', 'prices', 'trading_profit', 'currencies', 'image_path')

it('CA1: GET /user/general-setting', async () => {
  const names = [
    'default_language',
    'invitation_code_status',
    'site_name',
    'deposit_feature',
    'logo_url',
    'favicon_url',
  ]
  expect(await get('/user/general-setting', null)).toEqual(holding(...names))
})

it('CA2: POST /user/auth/register', async () => {
  const sent = { username: 'bob', password: 'violet-17', password_confirmation: 'violet-17', mobile: '5551234567' }
  const more = { invitation_code: '', agree: true, country: 'US', country_code: 'US', something_else: 1 }
  const data = await post('/user/auth/register', { ...sent, ...more }, null)
  expect(data).toMatchObject({ user: { username: 'bob', balance: 0, ev: false }, image_path: expect.any(String) })
})

it('CA3: POST /user/auth/login', async () => {
  const data = await post('/user/auth/login', { username: 'alice', password: TEST_PASSWORD }, null)
  expect(data).toEqual(holding('token', 'user', 'image_path'))
  expect(data).toMatchObject({ user: USER })
})

it('CA9: GET /user/countries', async () => {
  expect(await get('/user/countries', null)).toMatchObject({
    countries: expect.arrayContaining([{ countryCode: 'DE', country: 'Germany', dialCode: '+49' }]),
  })
})

it('CA10: GET /user/crypto-currency/list', async () => {
  const data = await get('/user/crypto-currency/list')
  expect(data).toEqual(TRADE_DATA)
  expect(data).toMatchObject({
    trade_settings: expect.arrayContaining([
      expect.objectContaining({
        id: 1,
        time: 60,
        unit: 'minute',
        min_amount: 10,
        max_amount: 5000,
        profit_percentage: 80,
      }),
    ]),
    prices: expect.arrayContaining([{ amount: 100 }]),
    currencies: expect.arrayContaining([SYMBOL]),
  })
})

it('CA12: POST /user/crypto-currency/favorite', async () => {
  const sent = { crypto_currency_id: BTC }
  expect(await post('/user/crypto-currency/favorite', sent)).toEqual({ ...sent, isFavorite: true })
})

it('CA10, CA11: GET /user/crypto-currency/list/favorites', async () => {
  const { body } = await app.call(calls.favoriteList, { token: user.token })
  expect(body.data).toEqual(TRADE_DATA)
  expect(body.data.currencies.map(({ id, isFavorite }) => [id, isFavorite])).toEqual([[BTC, true]])
})

it('CA13: POST /user/kline-historical', async () => {
  const rows = await post('/user/kline-historical', { symbol: 'BTCUSDT', interval: '1m' }, null)
  expect(rows).toEqual([[expect.any(Number), 94_000, 94_000, 94_000, 94_000, 0]])
})

it('CA33: POST /user/deposits/save', async () => {
  const form = [
    ['amount', '1000'],
    ['method_id', '1'],
    ['fields[Receipt]', 'paid'],
  ]
  const boundary = 'edge'
  const payload = `${form.map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--${boundary}--\r\n`
  const headers = { authorization: `Bearer ${user.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` }
  const { status, body } = await app.inject({ method: 'POST', url: '/api/user/deposits/save', headers, payload })
  expect([status, body.data]).toMatchObject([200, { deposit: { amount: 1000, status: 1 } }])
})

it('CA29: GET /user/deposits', async () => {
  expect(await get('/user/deposits')).toMatchObject({ deposits: [holding('trx', 'amount', 'status', 'created_at')] })
})

it('CA31, CA32: GET /user/transactions/pending', async () => {
  await placeOrder()
  const data = await get('/user/transactions/pending')
  expect(data).toMatchObject({ transactions: [holding('trx', 'amount', 'updated_at', 'remainingTime', 'trade_log')] })
  expect(data).toMatchObject({ transactions: [{ remainingTime: -60, trade_log: { result: 0 } }] })
})

it('CA14: POST /user/latest_trades', async () => {
  expect(await post('/user/latest_trades', { currency: 'BTC', price: 94_000, count: 15 })).toMatchObject({
    trades: [{ user: 'a•••e', price: 94_000, time: 60, unit: 'minute', direction: 1 }],
  })
})

it('CA15: GET /user/trade-log/recent', async () => {
  expect(await get('/user/trade-log/recent')).toMatchObject({
    trades: [{ price_was: 94_000, trade_setting: { time: 60, unit: 'minute' }, high_low: 1, amount: 100, result: 0 }],
  })
})

it('CA32: GET /user/transactions', async () => {
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  await speak(9_500_000)
  app.ctx.clock.advance(2_000)
  await speak(9_500_001)
  await app.engine.settleDue()
  const log = holding(
    'high_low',
    'crypto_currency',
    'price_was',
    'post_trade_price',
    'trade_setting',
    'result',
    'profitCame',
  )
  expect(await get('/user/transactions')).toMatchObject({ transactions: [{ amount: 100, trade_log: log }] })
})

it('CA16: POST /user/trade/result', async () => {
  const { body } = await app.call(calls.recentTrades, { token: user.token })
  const [order] = body.data.trades
  const sent = { game_log_id: order?.id, price: 1 }
  const stored = { result: 1, result_amount: 80, post_trade_price: 95_000 }
  expect(await post('/user/trade/result', sent)).toMatchObject({ trade: stored })
})

it('CA17: GET /user/profile', async () => {
  const data = await get('/user/profile')
  expect(data).toMatchObject({ user: USER })
  expect(data).toMatchObject({
    user: { balance: 1080, address: holding('address', 'city', 'zip', 'state', 'country') },
  })
})

it('CA18: POST /user/profile', async () => {
  const sent = { firstname: 'Ada', lastname: 'L', username: 'alice', mobile: '1-5551234567', mobile_code: '+1' }
  const where = { country_code: 'US', address: '1 Road', city: 'Town', zip: '12345', state: 'CA' }
  expect(await post('/user/profile', { ...sent, ...where })).toMatchObject({
    user: { firstname: 'Ada', mobile: '5551234567', address: { city: 'Town', zip: '12345', state: 'CA' } },
  })
})

it('CA18, CA20: POST /user/profile/withdrawal-code', async () => {
  const sent = { withdrawal_code: '123456', withdrawal_code_confirmation: '123456' }
  await post('/user/profile/withdrawal-code', sent)
  await post('/user/profile/withdrawal-code', { ...sent, current_withdrawal_code: '123456' })
  expect(await get('/user/profile')).toMatchObject({ user: { withdrawal_code_enabled: true } })
})

it('CA26: GET /user/payment-gateways/deposit', async () => {
  const gateway = holding('id', 'name', 'single_currency', 'form', 'description')
  expect(await get('/user/payment-gateways/deposit')).toMatchObject({ gateways: expect.arrayContaining([gateway]) })
})

it('CA25: GET /user/payment-gateways/withdraw', async () => {
  const method = holding('id', 'name', 'hasMethod', 'user_withdrawal_details', 'single_currency', 'form', 'description')
  await app.endPauses()
  const data = await get('/user/payment-gateways/withdraw')
  expect(data).toMatchObject({ methods: expect.arrayContaining([method]), withdraw_status: 1, withdraw_reason: '' })
})

it('CA28: POST /user/withdrawals/user-withdrawals', async () => {
  const sent = {
    withdraw_method_id: USDT.id,
    withdrawal_information: { [USDT.label]: 'TLnAZ4XWmLqPSWQbLoh7sEBrnn9zv6i312' },
  }
  await post('/user/withdrawals/user-withdrawals', sent)
  const saved = await savedMethod()
  expect(saved?.hasMethod).toBe(true)
  const details: unknown = JSON.parse(saved?.user_withdrawal_details?.withdrawal_information ?? '')
  expect(details).toContainEqual({ ...FIELD, value: 'TLnAZ4XWmLqPSWQbLoh7sEBrnn9zv6i312' })
})

it('CA27, CA30: GET /user/withdrawals/user-withdrawals/{id}', async () => {
  expect(await get(`/user/withdrawals/user-withdrawals/${USDT.id}`)).toMatchObject({
    method: { id: USDT.id, form: { form_data: expect.arrayContaining([expect.objectContaining(FIELD)]) } },
    withdrawal_information: expect.arrayContaining([{ ...FIELD, value: 'TLnAZ4XWmLqPSWQbLoh7sEBrnn9zv6i312' }]),
  })
})

it('CA34: POST /user/withdrawals/save', async () => {
  await app.endPauses()
  const sent = {
    method_id: USDT.id,
    amount: 100,
    fields: { [USDT.label]: 'TLnAZ4XWmLqPSWQbLoh7sEBrnn9zv6i312' },
    withdrawal_code: '123456',
  }
  expect(await post('/user/withdrawals/save', sent)).toMatchObject({ withdrawal: { amount: 100, status: 2 } })
})

it('CA30: GET /user/withdrawals', async () => {
  const record = holding('trx', 'amount', 'status', 'created_at', 'admin_feedback')
  expect(await get('/user/withdrawals')).toMatchObject({ withdrawals: [record] })
})

it('CA21, CA22: GET /user/pages and GET /user/pages/{slug}', async () => {
  const { body } = await app.call(calls.pages, { token: user.token })
  expect(body.data.custom_pages).toContainEqual(holding('name', 'slug', 'icon', 'content_type', 'link'))
  expect(body.data).toEqual(holding('custom_pages', 'image_path'))
  const page = body.data.custom_pages.find(({ content_type }) => content_type === 'page')
  assert(page, 'a new installation has a page')
  expect(await get(`/user/pages/${page.slug}`)).toMatchObject({ page: holding('name', 'content') })
})

it('CA23, CA24: POST /user/email-verify and POST /user/email-verify/verify', async () => {
  const carol = await app.signUp('carol')
  app.ctx.clock.advance(MINUTE_MS)
  await post('/user/email-verify', {}, carol.token)
  await post('/user/email-verify/verify', { code: await app.sentCode('carol@example.com') }, carol.token)
  const { status } = await app.call(calls.profile, { token: carol.token })
  expect(status, 'the old session has ended').toBe(401)
  const again = await app.signIn('carol', carol.password)
  expect(await get('/user/profile', again.token)).toMatchObject({ user: { ev: true } })
})

it('CA18, CA19: POST /user/profile/password', async () => {
  const sent = { current_password: TEST_PASSWORD, password: 'brand-new-1', password_confirmation: 'brand-new-1' }
  await post('/user/profile/password', sent)
  expect(await app.signIn('alice', 'brand-new-1')).toMatchObject({ id: user.id })
})

it('CA4, CA5, CA6: the three calls of a forgotten password', async () => {
  const dora = await app.verifiedUser('dora')
  const email = 'dora@example.com'
  const before = await app.sentCode(email)
  app.ctx.clock.advance(MINUTE_MS)
  await post('/user/auth/forgetPassword', { value: email }, null)
  // The code is sent after the reply, so that the reply's time does not reveal whether the account exists.
  const code = await vi.waitFor(async () => {
    const newest = await app.sentCode(email)
    assert(newest !== before, 'a new code was sent')
    return newest
  })
  await post('/user/auth/verifyCode', { email, code }, null)
  const sent = { email, password: 'brand-new-2', password_confirmation: 'brand-new-2', token: code }
  await post('/user/auth/resetPassword', sent, null)
  expect(await app.signIn('dora', 'brand-new-2')).toMatchObject({ id: dora.id })
})

async function placeOrder(): Promise<void> {
  const placed = await app.engine.place({
    userId: user.id,
    clientOrderId: 'order-1',
    direction: BUY,
    tradeSettingId: 1,
    stake: money(10_000n),
    symbol: 'btc',
    marketType: 'crypto',
    slippageGuard: null,
  })
  assert(placed.ok, `placed${placed.ok ? '' : `: ${placed.refusal}`}`)
}

async function savedMethod() {
  const { body } = await app.call(calls.withdrawMethods, { token: user.token })
  return body.data.methods.find(({ id }) => id === USDT.id)
}
