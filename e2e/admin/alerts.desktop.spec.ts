import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { createUser, openAs } from '../users.ts'

test('an owner takes the alert about a pending change, and the alert closes when the change is cancelled', async ({
  browser,
  startServer,
}) => {
  const { address } = await startServer()
  const owner = await openAsStaff(browser, address, 'owner', '/alerts')
  const { page } = owner
  await expect(page.getByText('No alerts are open.')).toBeVisible()
  const invited = await page.request.post(`${address}/api/admin/staff/invite`, {
    headers: { origin: address },
    data: { name: 'nadia', role: 'support', mail: 'nadia@example.com' },
  })
  const { data } = (await invited.json()) as { data: { pending: { id: string } } }

  const row = page.getByRole('row', { name: /Sensitive change/ })
  await expect(row).toContainText('A change waits: Invitation.')
  await row.press('Enter')
  await expect(
    page
      .getByText('owner@demo.invalid')
      .or(page.getByText('Mail', { exact: true }))
      .first(),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Take' }).click()
  await expect(row).toContainText('Taken by owner')
  await page.request.post(`${address}/api/admin/changes/${data.pending.id}/cancel`, { headers: { origin: address } })
  await page.getByRole('tab', { name: 'Closed' }).click()
  await expect(row).toContainText('Closed')

  await page.getByRole('button', { name: 'How you hear of alerts' }).click()
  await page.getByRole('button', { name: 'Send a test to owner@demo.invalid' }).click()
  await expect(page.getByText(/Accepted after \d+ ms/)).toBeVisible()
  await page.getByLabel('Address').fill('https://10.0.0.1/hook')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByText('This address leads to a private network.')).toBeVisible()

  await page.getByRole('button', { name: 'Rules' }).click()
  await page.getByRole('button', { name: 'Change Void orders' }).click()
  await page.getByLabel('Above (number)').fill('25')
  await page.getByRole('button', { name: 'Save rule' }).click()
  await expect(page.getByText('Above 25')).toBeVisible()
  expect(owner.problems.filter((problem) => !problem.includes('422'))).toEqual([])
  await owner.close()
})

test('a trading pause refuses the orders of all users, and shows its reason until trading is resumed', async ({
  page,
  browser,
  startServer,
}) => {
  const { address } = await startServer()
  const markets = await openAsStaff(browser, address, 'markets', '/maintenance')
  const pause = markets.page.getByRole('region', { name: 'Pause trading now' })
  await pause.getByLabel('Reason for users').fill('We repair a disk.')
  await pause.getByRole('button', { name: 'Pause now' }).click()
  await expect(markets.page.getByRole('row', { name: /We repair a disk/ })).toContainText('Running')

  const user = await createUser(address, { funds: 1000 })
  await openAs(page, user, address, '/trade/BTC')
  await expect(page.getByText('We repair a disk.').first()).toBeVisible()
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  await expect(buy).toHaveCount(0)

  await markets.page.getByRole('button', { name: 'Resume trading' }).click()
  await expect(markets.page.getByRole('row', { name: /We repair a disk/ })).toContainText('Ended')
  await page.reload()
  await expect(buy).toBeVisible()
  await expect(page.getByText('We repair a disk.')).toHaveCount(0)
  expect(markets.problems).toEqual([])
  await markets.close()
})
