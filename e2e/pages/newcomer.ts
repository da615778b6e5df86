import { randomInt } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { demoKeyOf } from '#testing/server-process.ts'
import { freshName } from '../users.ts'

export interface Newcomer {
  readonly username: string
  readonly password: string
}

/** A number that no other test has: two messages a minute go to one. */
function freshNumber(): string {
  return `151${randomInt(10_000_000, 99_999_999)}`
}

/** From the home page to a signed-in, verified account, as somebody does who has never been here. */
export async function joinAsNewcomer(page: Page, address: string, mobile = freshNumber()): Promise<Newcomer> {
  const newcomer = { username: freshName(), password: 'plain-words' }
  await page.goto(`${address}/?key=${demoKeyOf(address)}`)
  await page.getByRole('link', { name: 'Create account' }).first().click()
  await page.getByLabel('Username').fill(newcomer.username)
  await page.getByLabel('Country').selectOption('DE')
  await page.getByLabel('Phone number').fill(mobile)
  await page.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(newcomer.password)
  await expect(page.getByRole('checkbox', { name: 'I agree to the terms' })).toBeChecked()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Registered Successfully!')).toBeVisible()

  await expect(page).toHaveURL(/\/profile\/verification$/)
  await page.getByRole('link', { name: 'Open the outbox' }).click()
  const code =
    /\b\d{6}\b/.exec(
      await page
        .getByText(/verification code is \d{6}/)
        .first()
        .innerText(),
    )?.[0] ?? ''
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()

  await expect(page.getByText('Your account is verified')).toBeVisible()
  await logIn(page, newcomer)
  return newcomer
}

/** Fills in the log-in page and ends on the market. */
export async function logIn(page: Page, { username, password }: Newcomer): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/market$/)
}

/** Pays virtual money in through the automatic gateway; starts and ends on the wallet. */
export async function depositDemoFunds(page: Page, amount: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Deposit' }).first().click()
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await expect(page).toHaveURL(/\/market$/)
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await expect(page).toHaveURL(/\/wallet$/)
}
