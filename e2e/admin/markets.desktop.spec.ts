import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { createUser, openAs } from '../users.ts'

test('a new symbol gets a live price for users, and closing it shows them the reason', async ({
  page,
  browser,
  startServer,
}) => {
  const { address } = await startServer()
  const user = await createUser(address, { funds: 500 })
  await openAs(page, user, address, '/market')
  await expect(page.getByText('Bitcoin').first()).toBeVisible()

  const markets = await openAsStaff(browser, address, 'markets', '/symbols')
  const office = markets.page
  await office.getByRole('button', { name: 'Add symbol' }).first().click()
  const form = office.getByRole('region', { name: 'New symbol' })
  await form.getByLabel('Code').fill('SUI')
  await form.getByLabel('Name').fill('Sui Network')
  await form.getByRole('button', { name: 'Add symbol' }).click()
  await expect(office.getByText(/^SUI was added. Users can trade it from .* UTC\.$/)).toBeVisible()

  // The test does not reload the page, because the server notifies the list when the notice period is over.
  await expect(page.getByText('Bitcoin').first()).toBeVisible()
  expect(await page.getByText('Sui Network').count()).toBe(0)
  await expect(page.getByText('Sui Network').first()).toBeVisible()
  await page.goto(`${address}/trade/SUI`)
  await expect(page.getByRole('heading', { name: /SUI/ }).first()).toBeVisible()
  const detail = office.getByRole('region', { name: 'SUI' })
  await expect(detail.getByText('No price yet')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Buy/ }).first()).toBeEnabled()

  await detail.getByLabel('Reason shown to users').fill('Halted by the exchange')
  await detail.getByRole('button', { name: 'Close now' }).click()
  await expect(office.getByText('Closed. Users see your reason.')).toBeVisible()
  await expect(page.getByText(/Halted by the exchange/).first()).toBeVisible()
  expect(markets.problems).toEqual([])
  await markets.close()
})

test('an announced payout applies to new orders only, and a closed market shows its reason', async ({
  page,
  browser,
  startServer,
}) => {
  const { address } = await startServer()
  const user = await createUser(address, { funds: 500 })
  await openAs(page, user, address, '/trade/BTC')
  const ticket = page.getByRole('region', { name: 'New order' })
  const stake = ticket.getByLabel('Stake')
  const minute = (payout: string) => ticket.getByRole('radio', { name: new RegExp(`^1 min.*${payout}`, 's') })
  await expect(minute('80%')).toBeAttached()
  await expect(ticket.locator('button[type=submit]')).toBeEnabled()
  await stake.fill('50')
  await stake.press('Enter')
  await expect(ticket.getByRole('timer')).toBeVisible()

  const markets = await openAsStaff(browser, address, 'markets', '/terms/1')
  const office = markets.page
  await office.getByLabel('New value').fill('60')
  const preview = office.getByRole('region', { name: 'Users will read' })
  await expect(preview.getByText('Payout for 1 min: 60%')).toBeVisible()
  await expect(preview.getByText(/^Payout changes to 60% at .* UTC$/)).toBeVisible()
  await office.getByRole('button', { name: 'Announce' }).click()
  await expect(office.getByText(/^Announced\. Applies from/)).toBeVisible()
  await expect(page.getByText(/^Payout changes to 60% at/)).toBeVisible()
  await office.goto(`${address}/changes`)
  const coming = office.getByRole('region', { name: 'Announced changes' })
  await expect(coming.getByText('Payout for 1 min: 60%')).toBeVisible()

  // An order form takes over the new payout when it is closed and opened again.
  await page.keyboard.press('Escape')
  await page.mouse.click(700, 300)
  await page.keyboard.press('b')
  await expect(minute('60%')).toBeAttached()
  await stake.fill('20')
  await stake.press('Enter')
  const trades = async () => {
    const headers = { authorization: `Bearer ${user.session.token}` }
    const reply = await page.request.get(`${address}/api/user/trade-log/recent`, { headers })
    const { data } = (await reply.json()) as { data: { trades: { profit_percentage: number }[] } }
    return data.trades.map(({ profit_percentage: payout }) => payout)
  }
  await expect.poll(trades).toEqual([60, 80])

  await office.goto(`${address}/admin/hours`)
  const crypto = office.getByRole('region', { name: 'Crypto' })
  await crypto.getByLabel('Reason shown to users').fill('Back at noon')
  await crypto.getByRole('button', { name: 'Close market' }).click()
  await expect(crypto.getByText('Back at noon')).toBeVisible()
  await expect(page.getByText(/Back at noon/).first()).toBeVisible()
  expect(markets.problems).toEqual([])
  await markets.close()
})
