import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { DepositPage, PICTURE } from '../pages/deposit-page.ts'
import { openAsStaff, openFoundRow } from '../staff.ts'
import { createUser, openAs } from '../users.ts'

/** Records that the open deposit was paid in full. */
async function recordPayment(office: Page, reference: string): Promise<void> {
  const total = office.locator('dt', { hasText: 'To be paid' }).locator('xpath=following-sibling::dd[1]')
  const amount = (await total.innerText()).replaceAll(/[^\d.]/g, '')
  await office.getByLabel('Amount in EUR').fill(amount)
  await office.getByRole('textbox', { name: 'Reference' }).fill(reference)
  await office.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(office.getByText(/arrived\. Approving credits/)).toBeVisible()
}

test('staff review and approve a deposit, and the user gets the money', async ({ page, browser, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/deposit')
  const deposit = new DepositPage(page)
  await deposit.fillInTransfer('100', PICTURE)
  await deposit.submit()
  await expect(page).toHaveURL(`${site}/market`)

  const finance = await openAsStaff(browser, site, 'finance', '/deposits')
  const office = finance.page
  await openFoundRow(office, user.username)
  const detail = office.getByRole('region', { name: /^FW-/ })
  await expect(detail.getByRole('img', { name: 'Receipt' })).toBeVisible()
  await recordPayment(office, 'E2E-1')
  await detail.getByRole('button', { name: /^Approve/ }).click()
  await expect(office.getByText('Approved and credited.')).toBeVisible()
  await office.getByRole('tab', { name: 'Credited' }).click()
  await expect(office.getByRole('row', { name: user.username })).toBeVisible()

  await page.goto(`${site}/wallet`)
  await expect(page.getByText('$108.00').first()).toBeVisible()
  expect(finance.problems).toEqual([])
  await finance.close()
})

test('a large deposit needs two different staff members', async ({ page, browser, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/deposit')
  const deposit = new DepositPage(page)
  await deposit.fillInTransfer('2000', PICTURE)
  await deposit.submit()
  await expect(page).toHaveURL(`${site}/market`)

  const first = await openAsStaff(browser, site, 'finance', `/deposits?search=${user.username}`)
  await first.page.getByRole('row', { name: user.username }).click()
  await recordPayment(first.page, 'E2E-2')
  await first.page.getByRole('button', { name: 'Approve and request second approval' }).click()
  await expect(first.page.getByText('You approved this. A second approver')).toBeVisible()
  await expect(first.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)

  const second = await openAsStaff(browser, site, 'finance2', `/deposits?search=${user.username}`)
  await second.page.getByRole('tab', { name: 'Second approver' }).click()
  await second.page.getByRole('row', { name: user.username }).click()
  await expect(second.page.getByText('Second approver, after finance')).toBeVisible()
  await second.page.getByRole('button', { name: /^Approve \$/ }).click()
  await expect(second.page.getByText('Approved and credited.')).toBeVisible()
  expect([...first.problems, ...second.problems]).toEqual([])
  await first.close()
  await second.close()
})
