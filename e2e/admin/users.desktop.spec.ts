import { expect, test } from '../fixtures.ts'
import { openAsStaff, openFoundRow } from '../staff.ts'
import { createUser, openAs } from '../users.ts'

// Browsers report the server's refusals (422) and the calls after a log-out (401).
test.use({ allowedProblems: [/status of 4(?:01|22)/] })

test('F64: a user whose trading is off sees the reason, and a blocked user can only withdraw money', async ({
  page,
  browser,
  site,
}) => {
  const user = await createUser(site, { funds: 100 })
  await openAs(page, user, site, '/trade/BTC')
  await expect(page.getByRole('button', { name: /^Buy/ }).first()).toBeVisible()

  const support = await openAsStaff(browser, site, 'support', '/users')
  const office = support.page
  await openFoundRow(office, user.username.toUpperCase())
  await expect(office.getByRole('heading', { name: user.username })).toBeVisible()
  await office.getByRole('button', { name: 'Switch trading off' }).click()
  const sheet = office.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Switch trading off' }).click()
  await expect(sheet.getByText('Enter a reason. The user will see it.')).toBeVisible()
  await sheet.getByLabel('Reason (shown to the user)').fill('Please send your papers.')
  await sheet.getByRole('button', { name: 'Switch trading off' }).click()
  await expect(office.getByText('User sees: Please send your papers.')).toBeVisible()
  await expect(page.getByText('switched off for your account: Please send your papers.').first()).toBeVisible()

  await office.getByRole('button', { name: 'Block log-in' }).click()
  await sheet.getByLabel('Reason (shown to the user)').fill('Not who they say they are')
  await sheet.getByRole('button', { name: 'Block log-in' }).click()
  await expect(office.getByText('User sees: Not who they say they are')).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/leave/)
  await expect(page.getByText('Your account is blocked.').first()).toBeVisible()
  await expect(page.getByText('Not who they say they are').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose a withdrawal method' })).toBeVisible()
  expect(support.problems).toEqual([])
  await support.close()
})

test('two different staff members adjust a balance', async ({ page, browser, site }) => {
  const user = await createUser(site, { funds: 100 })
  await openAs(page, user, site, '/wallet')
  await expect(page.getByText('$100.00').first()).toBeVisible()

  const first = await openAsStaff(browser, site, 'finance', `/users?search=${user.username}`)
  await first.page.getByRole('row', { name: user.username }).click()
  await first.page.getByRole('button', { name: 'Adjust balance' }).click()
  const sheet = first.page.getByRole('dialog')
  await sheet.getByLabel('Amount').fill('25.50')
  await sheet.getByLabel('Reason (audit log)').fill('A payment came in twice')
  await sheet.getByLabel('Reason for the user').fill('Your second payment was missing.')
  await sheet.getByRole('button', { name: 'Request approval' }).click()
  await expect(first.page.getByText('Requested. A second approver has to decide.')).toBeVisible()
  await first.page.getByRole('link', { name: 'Adjustments' }).click()
  await first.page.getByRole('row', { name: user.username }).click()
  await expect(first.page.getByText('You requested this. A second approver has to decide.')).toBeVisible()
  await expect(first.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)

  const second = await openAsStaff(browser, site, 'finance2', `/corrections?search=${user.username}`)
  await second.page.getByRole('row', { name: user.username }).click()
  await expect(second.page.getByText('A payment came in twice').last()).toBeVisible()
  await second.page.getByRole('button', { name: 'Approve and post $25.50' }).click()
  await expect(second.page.getByText('Approved and posted.')).toBeVisible()
  await expect(page.getByText('$125.50').first()).toBeVisible()
  expect([...first.problems, ...second.problems]).toEqual([])
  await first.close()
  await second.close()
})
