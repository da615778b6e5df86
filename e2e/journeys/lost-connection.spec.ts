import { createServer } from 'node:net'
import { once } from 'node:events'
import type { Page, WebSocketRoute } from '@playwright/test'
import type { OwnTrade } from '#contract/trades.ts'
import { get } from '#test/support/app-client.ts'
import { expect, test } from '../fixtures.ts'
import { RECONNECTING, TradePage } from '../pages/trade-page.ts'
import { createData } from '../server-data.ts'
import { createUser, openAs } from '../users.ts'

// Browsers report servers that do not reply, and connections that break off.
test.use({
  allowedProblems: [
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|ERR_INCOMPLETE_CHUNKED_ENCODING|WebSocket connection/,
  ],
})

test('SO10, ET6: while sockets cannot connect, prices are not marked as live, and the result arrives after the reconnection', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 200 })
  const cable = await layCable(page)
  await openAs(page, user, site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.order('Buy', '50')
  await expect(page.getByText('Not live')).toHaveCount(0)

  await cable.cut()
  await expect(page.getByText(RECONNECTING)).toBeVisible()
  await expect(page.getByText(/^Not live · as of \d\d:\d\d:\d\d UTC$/)).toBeVisible()
  await expect(trade.countdown, 'the order stays open').toBeVisible()
  await expect(page.getByText('please wait a minute')).toBeVisible()
  const { result, result_amount } = await settledOrder(site, user.session.token)
  await expect(trade.verdict).toHaveCount(0)

  cable.mend()
  const verdict = { 0: '', 1: 'You won', 2: 'You lose', 3: 'Draw', 5: 'Sold back' }[result]
  // After a minute the page retries every 16 s, plus or minus a quarter.
  await expect(trade.verdict).toHaveText(verdict)
  await expect(page.getByText(RECONNECTING)).toHaveCount(0)
  await expect(page.getByText('Not live')).toHaveCount(0)
  await expect(page.getByText(`$${(200 + (result_amount ?? 0)).toFixed(2)}`, { exact: true })).toBeVisible()
})

test('SO10: the page reconnects to a restarted server, and the order and the account are unchanged', async ({
  page,
  startServer,
}) => {
  const data = await createData({ isEmbedded: true })
  const environment = { PORT: String(await freePort()) }
  const first = await startServer(environment, { data })
  const user = await createUser(first.address, { funds: 200 })
  await openAs(page, user, first.address, '/trade/BTC')
  const trade = new TradePage(page)
  await page.getByRole('button', { name: /^Buy/ }).click()
  await trade.chooseExpiry(/^5 min/)
  await trade.stake.fill('50')
  await trade.submit.click()
  await expect(trade.countdown).toBeVisible()

  await first.kill()
  await expect(page.getByText(RECONNECTING)).toBeVisible()
  await expect(page.getByText(/^Not live/)).toBeVisible()

  await startServer(environment, { data })
  await expect(page.getByText(RECONNECTING)).toHaveCount(0)
  await expect(page.getByText(/^Not live/)).toHaveCount(0)
  await expect(trade.countdown, 'the order is still there').toBeVisible()
  await trade.tradeOn()
  await trade.order('Sell', '20')
  expect(await get(first.address, '/user/transactions/pending', user.session.token)).toMatchObject({
    transactions: [{ amount: 20 }, { amount: 50 }],
  })
})

/**
 * Simulates a cable for the page's sockets. Cutting the cable closes open sockets and refuses new ones until the cable
 * is mended.
 */
async function layCable(page: Page) {
  let isCut = false
  const open = new Set<WebSocketRoute>()
  await page.routeWebSocket(/\/ws\//, (socket) => {
    if (isCut) {
      void socket.close({ code: 1012 })
      return
    }
    open.add(socket)
    socket.connectToServer()
  })
  return {
    async cut() {
      isCut = true
      await Promise.all([...open].map((socket) => socket.close({ code: 1012 })))
      open.clear()
    },
    mend() {
      isCut = false
    },
  }
}

async function settledOrder(site: string, token: string): Promise<OwnTrade> {
  const newest = async () => {
    const { trades } = (await get(site, '/user/trade-log/recent', token)) as { trades: OwnTrade[] }
    return trades[0]
  }
  await expect.poll(async () => (await newest())?.result).not.toBe(0)
  const order = await newest()
  if (order === undefined) throw new Error('the order is gone')
  return order
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
