import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { ChartPage } from '../pages/chart-page.ts'
import { takePicture } from '../take-picture.ts'
import { createUser, openAs } from '../users.ts'

test('an order is filled in and sent from the keyboard, and its progress is shown in the dock', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site, { funds: 1000 }), site, '/trade/BTC')
  const ticket = page.getByRole('region', { name: 'New order' })
  const dock = page.getByRole('region', { name: 'Recent transactions' })
  const side = (name: string) => ticket.getByRole('button', { name, exact: true })
  await expect(dock.getByText('No open orders')).toBeVisible()

  await page.keyboard.press('s')
  await expect(side('Sell')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('2')
  await expect(ticket.getByRole('radio', { name: /^5 min/ })).toBeChecked()
  await page.keyboard.press('b')
  await expect(side('Buy')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('1')
  await expect(ticket.getByRole('radio', { name: /^1 min/ })).toBeChecked()
  const stake = ticket.getByLabel('Stake')
  await stake.fill('50')

  // Text typed into a field must not act as a shortcut.
  await page.keyboard.press('s')
  await expect(side('Buy')).toHaveAttribute('aria-pressed', 'true')
  await expect(stake).toHaveValue('50')
  await page.keyboard.press('Enter')

  await expect(ticket.getByRole('timer')).toBeVisible()
  const rows = dock.getByRole('row').filter({ hasText: 'BTC/USDT' })
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('$50.00')
  await expect(dock.getByRole('tab', { name: /^Open orders/ })).toContainText('1')

  // The form stays: another order can be placed while the first one is open.
  await page.keyboard.press('Escape')
  await page.mouse.click(700, 300)
  await page.keyboard.press('s')
  await stake.fill('20')
  await stake.press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(dock.getByRole('tab', { name: /^Open orders/ })).toContainText('2')

  await dock.getByRole('tab', { name: 'Public trades' }).click()
  await expect(dock.getByRole('listitem')).not.toHaveCount(0)
  await dock.getByRole('tab', { name: 'Own trades' }).click()
  await expect(dock.getByRole('listitem')).toHaveCount(2)

  // F22: new content must not move a button that the user is about to press.
  const [buy, submit] = [side('Buy'), ticket.getByRole('button', { name: /^Sell · \$/ })]
  const before = [await buy.boundingBox(), await submit.boundingBox()]
  await expect(ticket.getByRole('heading', { name: /^(You won|You lose|Draw)$/ })).toBeInViewport()
  await expect(ticket.getByText('Next tick')).toBeAttached()
  expect([await buy.boundingBox(), await submit.boundingBox()]).toEqual(before)
  await ticket.getByRole('button', { name: 'Continue' }).click()
  await expect(ticket.getByRole('button', { name: 'Continue' })).toHaveCount(0)
  const results = ticket.getByRole('region', { name: 'Latest results' }).getByRole('listitem')
  await expect(results).toHaveCount(2)

  // Both orders are marked on the chart, and a press on a mark opens its order.
  await choose(page.getByRole('radio', { name: '1m', exact: true }))
  expect(await new ChartPage(page).pointAtMark()).toBe(true)
  await page.mouse.down()
  await page.mouse.up()
  await expect(ticket.getByRole('heading', { name: /^(You won|You lose|Draw)$/ })).toBeVisible()
  await expect(ticket.getByText('Next tick')).toBeVisible()
})

test('letter keys open the table, settings and open orders, and show the newest bar', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const chart = new ChartPage(page)
  const dock = page.getByRole('region', { name: 'Recent transactions' })
  await chart.ready()
  await page.keyboard.press('t')
  await expect(page.getByRole('region', { name: /last candles of 1m/ })).toBeVisible()
  await page.keyboard.press('t')
  await chart.ready()
  await page.keyboard.press('c')
  await expect(page.getByRole('dialog', { name: 'Chart settings' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await dock.getByRole('tab', { name: 'Own trades' }).click()
  await page.keyboard.press('o')
  await expect(dock.getByRole('tab', { name: /^Open orders/ })).toBeFocused()
  await expect(dock.getByRole('tab', { name: /^Open orders/ })).toHaveAttribute('aria-selected', 'true')
  await chart.pointAt()
  await chart.scrollBack(1_500)
  await expect(chart.toNewest).toBeVisible()
  await page.keyboard.press('n')
  await expect(chart.toNewest).toHaveCount(0)

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByText('To the latest candle')).toBeVisible()
  await expect(help.getByRole('switch', { name: 'Sound' })).not.toBeChecked()
  await takePicture(page, 'keyboard shortcuts')
})

test('the search and the market pane open another symbol', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  const markets = page.getByRole('region', { name: 'Markets' })
  await expect(markets.getByRole('link', { name: /BTC\/USDT/ })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('/')
  await expect(markets.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('ethereum')
  await expect(markets.getByRole('listitem')).toHaveCount(1)
  await markets.getByRole('link', { name: /ETH\/USDT/ }).click()
  await expect(page).toHaveURL(/\/trade\/ETH$/)
  await expect(page.getByRole('heading', { level: 1, name: 'ETH/USDT' })).toBeAttached()
})

test('the navigation is at the top, with the demo mark and the account', async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site)
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Market',
    'Trade',
    'Wallet',
  ])
  await expect(page.getByText('Demo · virtual funds').first()).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('dialog')).toContainText(user.username)
})
