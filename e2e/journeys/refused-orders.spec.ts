import { AppClient, get } from '#test/support/app-client.ts'
import { expect, test } from '../fixtures.ts'
import { TradePage } from '../pages/trade-page.ts'
import { createUser, openAs } from '../users.ts'

test('SC53, VA17, VA18, VA19: the form names the error of an amount and cannot be sent', async ({ page, site }) => {
  await openAs(page, await createUser(site, { funds: 150 }), site, '/trade/BTC')
  const trade = new TradePage(page)
  await page.getByRole('button', { name: /^Buy/ }).click()
  await trade.chooseExpiry(/^5 min/)
  await expect(trade.stake, 'choosing an expiry fills in its minimum').toHaveValue('20.00')
  await expect(trade.submit).toBeEnabled()

  const cases = [
    ['19.99', 'Minimum amount is $20.00'],
    ['', 'Enter an amount'],
    ['150.01', 'insufficient balance'],
  ] as const
  for (const [amount, words] of cases) {
    await trade.stake.fill(amount)
    await trade.stake.blur()
    await expect(page.getByText(words)).toBeVisible()
    await expect(trade.stake).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('button', { name: /^Buy · / })).toBeDisabled()
  }
  await trade.stake.fill('150')
  await expect(trade.stake).not.toHaveAttribute('aria-invalid', 'true')
  await expect(trade.submit).toBeEnabled()

  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: /^Sell/ })).toBeVisible()
  await expect(trade.submit).toHaveCount(0)
})

test('VA18, ET3: without money every amount is too much', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.fillIn('Sell', '10')
  await expect(page.getByText('insufficient balance')).toBeVisible()
  await expect(trade.submit).toBeDisabled()
})

test('TX9, FA5: a refusal of the server appears in red above the form, and nothing is debited', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 50 })
  const { token } = user.session
  await openAs(page, user, site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.fillIn('Buy', '40')

  // The balance is spent from another device, unknown to the page.
  const elsewhere = await AppClient.open(site, token)
  const order = { type: 'sell', tradeSettingId: 1, amount: 30, symbol: 'eth', marketType: 'crypto' }
  expect(await elsewhere.order({ clientOrderId: 'elsewhere', ...order })).toMatchObject({ status: 'success' })
  elsewhere.close()

  await trade.submit.click()
  await expect(page.getByRole('alert')).toHaveText('Insufficient Balance')
  await expect(trade.stake).toHaveValue('40')
  await expect(trade.countdown).toHaveCount(0)
  expect(await openOrders(site, token)).toHaveLength(1)
})

test('two quick taps place one order', async ({ page, site }) => {
  const user = await createUser(site, { funds: 100 })
  await openAs(page, user, site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.fillIn('Buy', '25')
  await trade.submit.dblclick()
  await expect(trade.countdown).toBeVisible()
  expect(await openOrders(site, user.session.token)).toHaveLength(1)
})

async function openOrders(site: string, token: string): Promise<unknown[]> {
  const { transactions } = (await get(site, '/user/transactions/pending', token)) as { transactions: unknown[] }
  return transactions
}
