import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { TradePage } from '../pages/trade-page.ts'
import { createUser, openAs } from '../users.ts'

/** The market and trade screens. */

test('SC7, SC10: featured symbols and rows open the trade screen, and a star makes a favorite', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site)
  const main = page.getByRole('main')
  await main.getByRole('tab', { name: 'Favorites' }).click()
  await expect(main.getByText('No Data')).toBeVisible()
  await main.getByRole('tab', { name: 'All' }).click()
  await main.getByRole('button', { name: 'Add Ethereum to favorites' }).click()
  await main.getByRole('tab', { name: 'Favorites' }).click()
  await expect(main.getByRole('tabpanel').getByRole('listitem')).toHaveText([/ETH/])
  await main.getByRole('list', { name: 'Featured' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/trade\/[A-Z]+$/)
})

test('RT3, SC11, SC15: the trade screen has the symbol, price, figures, intervals, chart, transactions and both buttons', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const main = page.getByRole('main')
  for (const name of ['High', 'Low', 'Opening', '24H volume'])
    await expect(main.getByText(name, { exact: true })).toBeVisible()
  for (const name of ['1m', '5m', '30m', '1h', '1d'])
    await expect(main.getByRole('radio', { name, exact: true })).toBeAttached()
  await choose(main.getByRole('radio', { name: '5m', exact: true }))
  const chart = main.locator('canvas').first()
  await expect(chart).toBeVisible()
  await expect(main.getByRole('tab')).toHaveText([/^Public/, /^Own/])
  for (const name of ['Buy', 'Sell'])
    await expect(main.getByRole('button', { name: new RegExp(`^${name}`) })).toBeEnabled()

  await page.getByRole('button', { name: /Choose a symbol/ }).click()
  await page.getByRole('dialog').getByRole('link', { name: /ETH/ }).click()
  await expect(page).toHaveURL(`${site}/trade/ETH`)
})

test('RT3: trade without a symbol opens one, and an unlisted symbol shows an error', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade')
  await expect(page).toHaveURL(/\/trade\/[A-Z]+$/)
  await page.goto(`${site}/trade/NOPE`)
  await expect(page.getByText('This symbol is not listed')).toBeVisible()
})

test('SC12, F53: the order form has expiries, balance, amount, quick amounts, submit and cancel', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site, { funds: 500 }), site, '/trade/BTC')
  await page.getByRole('button', { name: /^Sell/ }).click()
  const form = page.getByRole('dialog')
  for (const name of [/^1 min/, /^5 min/, /^30 min/, /^1 hour/, /^1 day/])
    await expect(form.getByRole('radio', { name })).toBeAttached()
  await expect(form.getByText('$500.00')).toBeVisible()
  await choose(form.getByRole('radio', { name: '$250' }))
  const trade = new TradePage(page)
  await expect(trade.stake).toHaveValue(/^250(\.00)?$/)
  await expect(trade.submit).toHaveText(/^Sell · \$250\.00 · 1 min$/)
  // F53: the Cancel button closes the form, and the page loads the chart again.
  const candles = page.waitForRequest(/\/user\/kline-historical$/)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(trade.stake).toHaveCount(0)
  expect((await candles).postDataJSON()).toMatchObject({ symbol: 'BTCUSDT', interval: '1m' })
})
