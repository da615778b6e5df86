import { randomInt } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { demoKeyOf } from '#test/support/server-process.ts'
import { freshName } from '../users.ts'

export interface Newcomer {
  readonly username: string
  readonly password: string
}

/** Returns a phone number that no other test uses, because each number may receive only two messages a minute. */
function freshNumber(): string {
  return `151${randomInt(10_000_000, 99_999_999)}`
}

/** Counts a user's taps: presses, and taps into each field that is not focused already. */
export class Taps {
  count = 0

  async press(target: Locator): Promise<void> {
    this.count += 1
    await target.click()
  }

  async type(field: Locator, text: string): Promise<void> {
    const isInUse = await field.evaluate((element) => element === document.activeElement)
    if (!isInUse) await this.press(field)
    await field.page().keyboard.type(text)
  }

  /** Counts two taps: one for the list and one for the chosen option. */
  async choose(list: Locator, value: string): Promise<void> {
    this.count += 2
    await list.selectOption(value)
  }
}

/** Goes from the home page to a logged-in, verified account, like a first-time visitor. */
export async function joinAsNewcomer(
  page: Page,
  address: string,
  { mobile = freshNumber(), taps = new Taps() }: { mobile?: string; taps?: Taps } = {},
): Promise<Newcomer> {
  const newcomer = { username: freshName(), password: 'plain-words' }
  await page.goto(`${address}/?key=${demoKeyOf(address)}`)
  await taps.press(page.getByRole('link', { name: 'Create account' }).first())
  await taps.type(page.getByLabel('Username'), newcomer.username)
  await taps.choose(page.getByLabel('Country'), 'DE')
  await taps.type(page.getByLabel('Phone number'), mobile)
  await taps.type(page.getByLabel('Password', { exact: true }), newcomer.password)
  await taps.type(page.getByLabel('Confirm password', { exact: true }), newcomer.password)
  await expect(page.getByRole('checkbox', { name: 'I agree to the terms' })).toBeChecked()
  await taps.press(page.getByRole('button', { name: 'Create account' }))
  await expect(page.getByText('Registered Successfully!')).toBeVisible()

  await expect(page).toHaveURL(/\/profile\/verification$/)
  await expect(page.getByText(`We sent a code to •••${mobile.slice(-3)}.`)).toBeVisible()
  await taps.press(page.getByRole('button', { name: /^Verify with \d{6}$/ }))

  await expect(page.getByText('Your account is verified')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(newcomer.username)
  await taps.type(page.getByLabel('Password', { exact: true }), newcomer.password)
  await taps.press(page.getByRole('button', { name: 'Log in' }))
  await expect(page).toHaveURL(/\/market$/)
  return newcomer
}

/** Fills in the log-in page and ends on the market. */
export async function logIn(page: Page, { username, password }: Newcomer): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/market$/)
}

/** Deposits virtual money through the automatic gateway; starts and ends on the wallet. */
export async function depositDemoFunds(page: Page, amount: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Deposit' }).first().click()
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await page.getByRole('button', { name: 'Submit deposit' }).click()
  await expect(page).toHaveURL(/\/market$/)
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await expect(page).toHaveURL(/\/wallet$/)
}
