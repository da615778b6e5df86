import { expect, test } from '../fixtures.ts'
import { withPending } from '../pending-withdrawal.ts'
import { openAsStaff } from '../staff.ts'
import { openAs } from '../users.ts'

test('a rejected withdrawal shows the user the reason and returns the money', async ({ page, browser, site }) => {
  const { user, trx } = await withPending(site, 200)
  await openAs(page, user, site, '/history/withdrawal')
  const card = page.getByRole('listitem').filter({ hasText: trx })
  await expect(card.getByText('Pending')).toBeVisible()

  const finance = await openAsStaff(browser, site, 'finance', '/withdrawals')
  const office = finance.page
  await expect(office.getByRole('link', { name: /^Withdrawals \d+ waiting/ })).toBeVisible()
  await office.getByRole('searchbox').fill(user.username)
  await office.getByRole('row', { name: user.username }).click()
  const detail = office.getByRole('region', { name: trx })
  await expect(detail.getByText('TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB')).toBeVisible()
  await expect(detail.getByText('Nothing was paid to these details before')).toBeVisible()
  await detail.getByRole('textbox', { name: 'New remark' }).fill('Asked by mail, no answer.')
  await detail.getByRole('button', { name: 'Add remark' }).click()
  await expect(detail.getByText('Asked by mail, no answer.')).toBeVisible()

  await detail.getByRole('button', { name: 'Reject' }).click()
  await expect(detail.getByText('Enter a reason. The user will see it.')).toBeVisible()
  await detail.getByRole('textbox', { name: 'Message to the user' }).fill('This address is on another network.')
  await detail.getByRole('button', { name: 'Reject' }).click()
  await expect(office.getByText('Rejected. The amount was returned')).toBeVisible()
  await office.getByRole('tab', { name: 'Rejected' }).click()
  await expect(office.getByRole('row', { name: user.username })).toBeVisible()

  await expect(card.getByText('Rejected')).toBeVisible()
  await expect(card.getByText('This address is on another network.')).toBeVisible()
  await page.goto(`${site}/wallet`)
  await expect(page.getByText('$500.00').first()).toBeVisible()
  expect(finance.problems).toEqual([])
  await finance.close()
})

test('a large withdrawal needs two staff members, the second on a phone', async ({ page, browser, site }) => {
  const { user, trx } = await withPending(site, 2_000, 3_000)
  await openAs(page, user, site, '/history/withdrawal')
  const card = page.getByRole('listitem').filter({ hasText: trx })

  const first = await openAsStaff(browser, site, 'finance', `/withdrawals/${trx}`)
  await first.page.getByRole('button', { name: 'Approve and request second approval' }).click()
  await expect(first.page.getByText('You approved this. A second approver')).toBeVisible()
  await expect(first.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await expect(card.getByText('Pending')).toBeVisible()

  const phone = { width: 390, height: 844 }
  const second = await openAsStaff(browser, site, 'finance2', '/withdrawals?state=second_person', phone)
  await second.page.getByRole('row', { name: user.username }).click()
  await expect(second.page.getByText('Second approver, after finance')).toBeVisible()
  const isTooWide = () => document.documentElement.scrollWidth > innerWidth
  expect(await second.page.evaluate(isTooWide), 'the page does not scroll sideways').toBe(false)
  await second.page.getByRole('button', { name: /^Approve \$/ }).click()
  await expect(second.page.getByText('Approved and paid out.')).toBeVisible()

  await expect(card.getByText('Success')).toBeVisible()
  expect([...first.problems, ...second.problems]).toEqual([])
  await first.close()
  await second.close()
})
