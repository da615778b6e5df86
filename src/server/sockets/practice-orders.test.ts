import { afterEach, beforeEach, expect, it } from 'vitest'
import { unseenResults } from '#server/sockets/live.queries.ts'
import { instant } from '#core/time/instant.ts'
import { practiceOf } from '#test/support/practice.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { type LiveBench, openLiveBench, type TestSocket } from '#test/support/socket-harness.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: LiveBench
beforeEach(async () => {
  bench = await openLiveBench(database)
})
afterEach(() => bench.close())

const ORDER = { type: 'buy', tradeSettingId: 1, amount: 100, symbol: 'BTC', marketType: 'crypto' }

async function subscribed(token: string): Promise<TestSocket> {
  const socket = await bench.connect()
  socket.say({ action: 'subscribe', token })
  socket.say({ action: 'ping', token })
  await bench.until(() => socket.typed('pong').length > 0)
  return socket
}

it('an order goes to the account that its message names, and its result comes to the same user', async () => {
  const { userId, token } = await bench.user()
  const socket = await subscribed(token)
  await bench.priced(BTC.id, 100_00)
  socket.say({ action: 'newTrade', token, data: { ...ORDER, clientOrderId: 'none', account: 'practice' } })
  await bench.until(() => socket.typed('newTrade').length === 1)
  expect(socket.typed('newTrade')[0]).toMatchObject({ status: 'error', code: 'practice_none' })

  const practice = await practiceOf(bench, { id: userId })
  // Each order is where its message said, however often the account changes while orders are under way.
  const accounts = Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? 'live' : 'practice'))
  for (const [at, account] of accounts.entries()) {
    const named = account === 'live' && at % 2 === 0 ? {} : { account }
    socket.say({ action: 'newTrade', token, data: { ...ORDER, clientOrderId: `o${at}`, ...named } })
  }
  await bench.until(() => socket.typed('newTrade').length === 1 + accounts.length)
  const answers = socket.typed('newTrade').slice(1)
  for (const { data } of answers) {
    const at = Number(String(data?.['clientOrderId']).slice(1))
    expect(data?.['account']).toBe(accounts[at])
  }
  const open = await bench.ctx.db.selectFrom('open_order').select(['user_id', 'client_order_id']).execute()
  expect(open.length).toBe(accounts.length)
  for (const { user_id: owner, client_order_id: name } of open)
    expect(owner).toBe(accounts[Number(name.slice(1))] === 'live' ? userId : practice)

  bench.ctx.clock.advance(58_000)
  await bench.priced(BTC.id, 110_00)
  bench.ctx.clock.advance(2_500)
  await bench.priced(BTC.id, 90_00)
  await bench.until(() => socket.typed('tradeResult').length === accounts.length)
  for (const { data } of socket.typed('tradeResult'))
    expect(data?.['account']).toBe(accounts[Number(String(data?.['clientOrderId']).slice(1))])
  socket.say({ action: 'seen', ids: socket.typed('tradeResult').map(({ data }) => data?.['id']) })
  const unseen = () => unseenResults(bench.ctx.db, [userId, practice], instant(0), 100)
  let left = accounts.length
  await bench.until(() => {
    void unseen().then((orders) => (left = orders.length))
    return left === 0
  })
})
