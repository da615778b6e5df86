import { expect, test } from '../fixtures.ts'
import { confirm } from '../pages/confirmation.ts'
import { createUser, openAs } from '../users.ts'

// The server answers the first request by asking for the password.
test.use({ allowedProblems: [/status of 422/] })

test('a user closes the account in fewer steps than opening one takes, sees the money left, and then cancels the closing', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 250 })
  await openAs(page, user, site, '/account')
  await page.getByRole('link', { name: 'Close account' }).click()
  await expect(page.getByRole('link', { name: 'Money left: $250.00' })).toHaveAttribute('href', '/withdraw')
  await page.getByRole('button', { name: 'Close account' }).click()
  await confirm(page, user.password)
  await expect(page.getByText(/^Closing since /)).toBeVisible()
  await page.goto(`${site}/deposit`)
  await expect(
    page.getByText('You are closing your account. It takes no orders and no deposits.').first(),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Account closing' }).first().click()
  await expect(page.getByRole('heading', { name: 'Account closing' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Keep account' }).click()
  await expect(page.getByRole('button', { name: 'Close account' })).toBeVisible()
})
