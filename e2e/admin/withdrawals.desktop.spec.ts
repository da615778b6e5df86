import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { BANK, withPending } from '../pending-withdrawal.ts'
import { openAsStaff, openFoundRow } from '../staff.ts'
import { openAs } from '../users.ts'

test('a rejected withdrawal shows the user the reason and returns the money', async ({ page, browser, site }) => {
  const { user, trx } = await withPending(site, 200)
  await openAs(page, user, site, '/history/withdrawal')
  const card = page.getByRole('listitem').filter({ hasText: trx })
  await expect(card.getByText('Waiting for approval').first()).toBeVisible()

  const finance = await openAsStaff(browser, site, 'finance', '/withdrawals')
  const office = finance.page
  await expect(office.getByRole('link', { name: /^Withdrawals \d+ waiting/ })).toBeVisible()
  await openFoundRow(office, user.username)
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

  await expect(card.getByText('Rejected').first()).toBeVisible()
  await expect(card.getByText('This address is on another network.')).toBeVisible()
  await page.goto(`${site}/wallet`)
  await expect(page.getByText('$500.00').first()).toBeVisible()
  expect(finance.problems).toEqual([])
  await finance.close()
})

test('a large withdrawal is approved by two staff members, paid by one with a reference, and returned', async ({
  page,
  browser,
  site,
}) => {
  const { user, trx } = await withPending(site, 2_000, 3_000, BANK)
  await openAs(page, user, site, '/history/withdrawal')
  const card = page.getByRole('listitem').filter({ hasText: trx }).first()

  const first = await openAsStaff(browser, site, 'finance', `/withdrawals/${trx}`)
  await first.page.getByRole('button', { name: 'Approve and request second approval' }).click()
  await expect(first.page.getByText('You approved this. A second approver')).toBeVisible()
  await expect(first.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await expect(card.getByText('Waiting for approval').first()).toBeVisible()

  const phone = { width: 390, height: 844 }
  const second = await openAsStaff(browser, site, 'finance2', '/withdrawals?state=second_person', phone)
  await second.page.getByRole('row', { name: user.username }).click()
  await expect(second.page.getByText('Second approver, after finance')).toBeVisible()
  const isTooWide = () => document.documentElement.scrollWidth > innerWidth
  expect(await second.page.evaluate(isTooWide), 'the page does not scroll sideways').toBe(false)
  await second.page.getByRole('button', { name: /^Approve \$/ }).click()
  await expect(second.page.getByText('Approved. It can be paid now.')).toBeVisible()
  await expect(card.getByText('Approved, will be paid').first()).toBeVisible()

  await second.page.getByRole('button', { name: 'Start paying' }).click()
  await expect(card.getByText('Being paid').first()).toBeVisible()
  await expect(card.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await expect(first.page.getByText(/^finance2, since/).first()).toBeVisible()
  await expect(first.page.getByRole('button', { name: 'Start paying' })).toHaveCount(0)

  await second.page.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(second.page.getByText('Enter the reference of the payment.')).toBeVisible()
  await second.page.getByRole('textbox', { name: 'Payment reference' }).fill(`E2E ${trx}`)
  await second.page.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(card.getByText(`E2E ${trx}`)).toBeVisible()
  await expect(card.getByText('Paid', { exact: true }).first()).toBeVisible()

  const returns = async (office: Page) => {
    await office.getByRole('textbox', { name: 'Payment reference' }).fill(`BACK ${trx}`)
    await office.getByRole('textbox', { name: 'Message to the user' }).fill('The bank sent it back.')
    await office.getByRole('button', { name: 'Money came back' }).click()
  }
  await returns(second.page)
  await expect(second.page.getByText('Recorded. A second person has to confirm.')).toBeVisible()
  await returns(first.page)
  await expect(card.getByText('Came back').first()).toBeVisible()
  await expect(card.getByText('The bank sent it back.')).toBeVisible()
  await page.goto(`${site}/wallet`)
  await expect(page.getByText('$3,000.00').first()).toBeVisible()
  await first.close()
  await second.close()
})
