import type { Page } from '@playwright/test'
import { findShortened } from '../find-shortened.ts'
import { expect, test } from '../fixtures.ts'
import { confirm } from '../pages/confirmation.ts'
import { createUser, openAs } from '../users.ts'

/** The screens of a withdrawal, from an account without PIN and payment details to a cancelled request. */

// Browsers report in the console that the PIN and the details need a confirmation.
test.use({ allowedProblems: [/422/] })

test('RT20, RT21, RT22, RT23, SC39, SC40, SC41, SC42, VA13, VA16, TX7: a first withdrawal leads to the PIN and to the payment details, and each of these pages leads back', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 500 })
  await openAs(page, user, site, '/withdraw')
  await expect(page).toHaveURL(/\/account\/withdraw-pin\?redirect=withdraw$/)
  await expect(page.getByLabel('Current PIN'), 'there is none yet').toHaveCount(0)
  await page.getByRole('button', { name: 'Set PIN' }).click()
  await expect(page.getByText('New PIN is Required', { exact: true })).toBeVisible()
  await fillPin(page, 'New PIN', '12345')
  await page.getByRole('button', { name: 'Set PIN' }).click()
  await expect(page.getByText('PIN must be 6 digits and numbers only')).toBeVisible()
  await fillPin(page, 'New PIN', '123456')
  await fillPin(page, 'Confirm new PIN', '123456')
  await page.getByRole('button', { name: 'Set PIN' }).click()
  await confirm(page, user.password)
  await expect(page).toHaveURL(/\/withdraw$/)
  await expect(page.getByText('Updated Successfully')).toBeVisible()

  // F28: in large text, the hint of an empty choice must not end in an ellipsis.
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
  expect(await findShortened(page)).toEqual([])
  await page.evaluate(() => (document.documentElement.style.fontSize = ''))

  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  for (const words of ['Withdrawal method is Required', 'Amount is Required', 'Withdrawal PIN is Required'])
    await expect(page.getByText(words)).toBeVisible()
  await page
    .getByRole('button', { name: /withdrawal method/i })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /USDT, TRC-20/ })
    .click()
  await expect(page).toHaveURL(/\/account\/payment-method\/102\?redirect=withdraw$/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Wallet address (TRC-20) is Required')).toBeVisible()
  await page.getByLabel('Wallet address (TRC-20)').fill('TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/withdraw\?method=102$/)
  await expect(page.getByText('TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB')).toBeVisible()

  const amount = page.getByRole('textbox', { name: 'Amount' })
  for (const [typed, words] of [
    ['19.99', 'Minimum Amount is 20.00 USDT'],
    ['50000.01', 'Maximum Amount is 50,000.00 USDT'],
  ] as const) {
    await amount.fill(typed)
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect(page.getByText(words)).toBeVisible()
  }
  await amount.fill('100')
  await expect(page.getByText(/99\.00.* USDT/).first(), 'charges are subtracted').toBeVisible()
  await fillPin(page, 'Withdrawal PIN', '123456')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'withdraw request sent with amount' })).toBeVisible()
  await expect(page.getByText('$100.00')).toBeVisible()

  await page.getByRole('link', { name: 'View withdrawals' }).click()
  await expect(page).toHaveURL(`${site}/history/withdrawal`)
  await expect(page.getByText('Waiting for approval').first()).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel withdrawal' }).click()
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()

  await page.goto(`${site}/account/withdraw-pin`)
  await expect(page.getByRole('textbox', { name: /Current PIN/ }).first(), 'asked for from now on').toBeAttached()
})

test('RT19, SC38: the withdrawal methods show whether details are saved', async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/account/withdrawal-methods')
  const methods = page.getByRole('main').getByRole('listitem')
  await expect(methods).toHaveCount(3)
  await expect(page.getByText('add Information')).toHaveCount(3)
  await page.getByRole('link', { name: /E-wallet/ }).click()
  await page.getByLabel('Account email').fill('a@example.com')
  await page.getByLabel('Name on the account').fill('Ada')
  await page.getByRole('button', { name: 'Save' }).click()
  await confirm(page, user.password)
  await expect(page).toHaveURL(`${site}/account/withdrawal-methods`)
  await expect(page.getByText('view Information')).toHaveCount(1)
})

test('RT22, ET7: an account without withdrawal methods shows a message', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/history/withdrawal')
  await expect(page.getByText('No Data')).toBeVisible()
})

async function fillPin(page: Page, label: string, pin: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await field.first().fill(pin)
}
