import { expect, type Locator, type Page } from '@playwright/test'
import { confirm } from './confirmation.ts'
import { REFERENCE_ALONE } from './reference.ts'

/** The withdrawal screen on a phone, and the screens before it. */
export class WithdrawPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Fills in the PIN page for a user without a PIN, and confirms the user's identity. */
  async setPin(pin: string, password: string): Promise<void> {
    const page = this.#page
    await page.getByRole('textbox', { name: 'New PIN', exact: true }).fill(pin)
    await page.getByRole('textbox', { name: 'Confirm new PIN' }).fill(pin)
    await page.getByRole('button', { name: 'Set PIN' }).click()
    await confirm(page, password)
  }

  /** Chooses a method from the list. Without saved details this opens the form of the method. */
  async choose(method: string): Promise<void> {
    const page = this.#page
    await page.getByRole('button', { name: /withdrawal method/ }).click()
    await page.getByRole('radio', { name: new RegExp(`^${method}`) }).click()
  }

  /** Fills in and saves the form of the bank transfer. */
  async saveBankDetails(holder: string): Promise<void> {
    const page = this.#page
    await page.getByRole('textbox', { name: 'Account holder' }).fill(holder)
    await page.getByRole('textbox', { name: 'Bank', exact: true }).fill('First Bank')
    await page.getByRole('textbox', { name: 'Account number or IBAN' }).fill('DE89 3704 0044 0532 0130 00')
    await page.getByRole('button', { name: 'Save' }).click()
  }

  async ask(amount: string, pin: string): Promise<void> {
    const page = this.#page
    await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
    await page.getByRole('textbox', { name: 'Withdrawal PIN' }).fill(pin)
    await this.submit.click()
  }

  get submit(): Locator {
    return this.#page.getByRole('button', { name: 'Withdraw', exact: true })
  }

  /** Returns the reference once the request is sent. */
  async reference(): Promise<string> {
    await expect(this.#page.getByRole('heading', { name: 'withdraw request sent with amount' })).toBeVisible()
    return this.#page.getByText(REFERENCE_ALONE).innerText()
  }
}
