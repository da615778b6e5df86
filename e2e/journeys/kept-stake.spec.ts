import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { TradePage } from '../pages/trade-page.ts'
import { takePicture } from '../take-picture.ts'
import { createUser, openAs } from '../users.ts'

test('the form fills in the last accepted stake only if the user chose to keep it, and other screens show the open order', async ({
  page,
  site,
}) => {
  const trade = new TradePage(page)
  await openAs(page, await createUser(site, { funds: 300 }), site, '/profile/options')
  await page.getByRole('switch', { name: 'Keep my stake' }).click()
  await takePicture(page, 'options keep stake')
  await page.goto(`${site}/trade/BTC`)
  await trade.order('Buy', '37.5')
  await page.getByRole('link', { name: 'Market', exact: true }).click()
  const rail = page.getByRole('region', { name: 'Open orders' })
  await expect(rail).toContainText('1 order running')
  await takePicture(page, 'market with open order')
  await rail.getByRole('button').click()
  await expect(page).toHaveURL(/\/trade\/BTC$/)
  await expect(trade.countdown).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: /^Buy/ }).click()
  await expect(trade.stake).toHaveValue('37.50')
  await page.goto(`${site}/profile/options`)
  await page.getByRole('switch', { name: 'Keep my stake' }).click()
  await page.goto(`${site}/trade/BTC`)
  await page.getByRole('button', { name: /^Buy/ }).click()
  await expect(trade.stake).not.toHaveValue('37.50')
})

test('"Same order again" in the history fills in the form but sends no order', async ({ page, site }) => {
  const trade = new TradePage(page)
  await openAs(page, await createUser(site, { funds: 300 }), site, '/trade/BTC')
  await trade.order('Sell', '42')
  await expect(trade.verdict).toBeVisible()
  await page.goto(`${site}/history/transaction`)
  await page.getByRole('tab', { name: 'Closed' }).click()
  await takePicture(page, 'history with same order again')
  await page.getByRole('button', { name: 'Same order again' }).click()
  await expect(page).toHaveURL(/\/trade\/BTC$/)
  await expect(trade.stake).toHaveValue('42.00')
  await expect(trade.submit).toHaveText(/^Sell · \$42\.00 · 1 min$/)
  await page.goto(`${site}/history/transaction`)
  await expect(page.getByText('No open orders.')).toBeVisible()
})

test('the form offers percentages of the balance as stakes if the user chose so, and several open orders have an overview', async ({
  page,
  site,
}) => {
  const trade = new TradePage(page)
  await openAs(page, await createUser(site, { funds: 1_000 }), site, '/profile/options')
  await page.getByRole('switch', { name: 'Shares of the balance' }).click()
  await page.getByRole('switch', { name: 'Sound' }).click()
  await takePicture(page, 'options of the order form')
  await page.goto(`${site}/trade/BTC`)
  await page.getByRole('button', { name: /^Buy/ }).click()
  await choose(page.getByRole('radio', { name: /^2%/ }))
  await expect(trade.stake).toHaveValue('20.00')
  await takePicture(page, 'order form with shares')
  await page.keyboard.press('Escape')
  await trade.order('Buy', '37.5')
  await page.getByRole('button', { name: 'Keep trading' }).click()
  await trade.order('Sell', '20')
  await page.getByRole('link', { name: 'Market', exact: true }).click()
  await page.getByRole('region', { name: 'Open orders' }).getByRole('button').click()
  const overview = page.getByRole('dialog', { name: 'Open orders' })
  await expect(overview.getByText('$57.50', { exact: true })).toBeVisible()
  await expect(overview.getByText('$17.50 more on Buy')).toBeVisible()
  await expect(overview.getByRole('listitem')).toHaveCount(2)
  await takePicture(page, 'overview of open orders')
  await overview.getByRole('button', { name: /Buy BTC/ }).click()
  await expect(page).toHaveURL(/\/trade\/BTC$/)
  await expect(trade.countdown).toBeVisible()

  await page.getByRole('button', { name: 'Keep trading' }).click()
  await page.getByRole('tab', { name: /^Own/ }).click()
  await takePicture(page, 'own trades with same order again')
  await page.getByRole('button', { name: 'Same order again' }).last().click()
  await expect(trade.stake).toHaveValue('37.50')
})
