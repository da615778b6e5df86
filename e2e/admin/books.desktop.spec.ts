import { readFileSync } from 'node:fs'
import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { createUser, freshName, openAs } from '../users.ts'

test("staff find a user's order with its tick, ledger transfers and audit lines", async ({ page, browser, site }) => {
  const user = await createUser(site, { funds: 500 })
  await openAs(page, user, site, '/trade/BTC')
  const ticket = page.getByRole('region', { name: 'New order' })
  await ticket.getByLabel('Stake').fill('50')
  await ticket.getByLabel('Stake').press('Enter')
  await expect(ticket.getByRole('timer')).toBeVisible()

  const owner = await openAsStaff(browser, site, 'owner', '/orders')
  const office = owner.page
  await office.getByRole('searchbox').fill(user.username)
  // Wait until the search is in the address. A later change would affect the next page's address.
  await expect(office).toHaveURL(/search=/)
  await office.getByRole('row', { name: user.username }).click()
  const order = office.getByRole('region', { name: /^FW-/ })
  await expect(order.getByText('Entry', { exact: true })).toBeVisible()
  await expect(order.getByText('It cannot be ended sooner.')).toBeVisible()
  await expect(order.getByRole('button')).toHaveCount(1)

  await order.getByRole('link', { name: 'View transfers' }).click()
  const transfers = office.getByRole('region', { name: /^FW-/ })
  await expect(transfers.getByText('User: available → User: in open orders')).toBeVisible()
  await office.getByRole('button', { name: 'Check now' }).click()
  await expect(office.getByText('No mismatches.')).toBeVisible()

  await office.getByRole('link', { name: 'Audit log' }).click()
  await office.getByRole('button', { name: 'Check the chain' }).click()
  await expect(office.getByText('Store this value elsewhere')).toBeVisible()
  const [download] = await Promise.all([
    office.waitForEvent('download'),
    office.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('audit.csv')
  expect(readFileSync(await download.path(), 'utf8')).toContain('ledger/check')
  await office.getByLabel('Action', { exact: true }).selectOption('export')
  // The old rows stay until the filtered rows have loaded.
  await office
    .getByRole('row', { name: /Exported a list/ })
    .first()
    .click()
  await expect(office.getByRole('region', { name: 'Exported a list' })).toContainText('/admin/audit')
  expect(owner.problems).toEqual([])
  await owner.close()
})

test('staff are invited, and a role change takes effect on an open page', async ({ browser, startServer }) => {
  // A separate server, because other journeys use the role that this test changes.
  const { address: site } = await startServer()
  const name = freshName()
  const owner = await openAsStaff(browser, site, 'owner', '/staff')
  const office = owner.page
  await office.getByRole('button', { name: 'Invite' }).click()
  const invite = office.getByRole('region', { name: 'Invite' })
  await invite.getByLabel('Name').fill(name)
  await invite.getByLabel('Email address').fill(`${name}@example.com`)
  await invite.getByRole('button', { name: 'Invite' }).click()
  await expect(office).toHaveURL(/\/changes\/[\da-f-]+/)
  await expect(office.getByText('Another approver has to agree.')).toBeVisible()
  await expect(office.getByRole('row', { name })).toContainText('Needs a second person')
  await office.goto(`${site}/admin/staff`)

  const support = await openAsStaff(browser, site, 'support', '/deposits')
  await expect(support.page.getByRole('heading', { name: 'Deposits' })).toBeVisible()
  await office.getByRole('row', { name: /^support/ }).click()
  const person = office.getByRole('region', { name: 'support' })
  await person.getByLabel('Role').selectOption('content')
  await person.getByRole('button', { name: 'Save role' }).click()
  await expect(person.getByText('Enter a reason.')).toBeVisible()
  await person.getByLabel('Reason').fill('Moves to the editors')
  await person.getByRole('button', { name: 'Save role' }).click()
  await expect(office.getByText('support was changed.')).toBeVisible()
  await expect(support.page.getByText('your role cannot open this page')).toBeVisible()
  expect(owner.problems).toEqual([])
  await owner.close()
  await support.close()
})
