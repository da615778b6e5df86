import { expect, test } from '../fixtures.ts'
import { createUser, openAs } from '../users.ts'

/** Screens of the user's money. */

test('RT4, SC16, SC34, SC35, SC36: the wallet shows balance and credits, and links to its pages', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 1234.5 })
  await openAs(page, user, site, '/wallet')
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { name: user.username })).toBeVisible()
  await expect(main.getByText('$1,234.50').first()).toBeVisible()
  await expect(main.getByText(/^[\d,]+ credits$/)).toBeVisible()
  for (const [name, path] of [
    ['Deposit', '/deposit'],
    ['Withdraw', '/withdraw'],
    ['Withdrawal methods', '/account/withdrawal-methods'],
    ['Withdrawal', '/history/withdrawal'],
    ['Transaction', '/history/transaction'],
  ] as const) {
    await expect(main.getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', path)
  }
  await expect(main.getByRole('link', { name: /^Language/ })).toHaveAttribute('href', '/languages')
  await page.getByRole('button', { name: 'Account menu' }).click()
  const menu = page.getByRole('dialog')
  await expect(menu.getByRole('link', { name: 'Change password' })).toBeVisible()
  await expect(menu.getByRole('link', { name: /PIN/ })).toHaveAttribute('href', '/account/withdraw-pin')
  await expect(menu.getByRole('button', { name: 'Log out' })).toBeVisible()
})

test('RT27, SC31, VA14, VA15, TX5: the deposit has a gateway to choose, an amount, and a summary of rate and fee', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/deposit')
  await page.getByRole('button', { name: /^Change the gateway/ }).click()
  const picker = page.getByRole('dialog')
  await expect(picker.getByRole('radio', { name: /Demo funds/ })).toBeChecked()
  await picker.getByRole('button', { name: 'Close' }).click()
  await expect(picker).toHaveCount(0)
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.pressSequentially('1a2-0.5')
  await expect(amount, 'digits and a point').toHaveValue('120.5')
  await expect(page.getByText('Total to pay')).toBeVisible()
  await expect(page.getByText(/^Rate 1 /)).toBeVisible()
  await amount.fill('')
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await expect(page.getByText('Amount is Required')).toBeVisible()
  await amount.fill('1')
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await expect(page.getByText(/^Minimum Amount is 10\.00/)).toBeVisible()
})

test('RT17, SC32: the deposit history lists deposits as cards, four per page', async ({ page, site }) => {
  const user = await createUser(site, { funds: 10 })
  await openAs(page, user, site, '/wallet')
  for (let more = 0; more < 4; more++) {
    await page.goto(`${site}/deposit`)
    await page.getByRole('textbox', { name: 'Amount' }).fill('20')
    await page.getByRole('button', { name: 'Submit deposit' }).click()
    await expect(page, 'home, which is the market for users').toHaveURL(`${site}/market`)
  }
  await page.goto(`${site}/history/deposit`)
  await expect(page.getByText('Success')).toHaveCount(4)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('Success')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
})

test('RT18, SC33: the transactions have the tabs Pending and Closed', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/history/transaction')
  await expect(page.getByRole('tab', { name: 'Pending' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Closed' }).click()
  await expect(page.getByText('No Data')).toBeVisible()
})
