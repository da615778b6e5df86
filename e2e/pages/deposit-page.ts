import { expect, type Locator, type Page } from '@playwright/test'
import { REFERENCE } from './reference.ts'

/** A file to upload, created by a test. */
export interface TestFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** The smallest possible picture: one transparent pixel. */
export const PICTURE: TestFile = {
  name: 'transfer.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** The deposit screen and its history. */
export class DepositPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async choose(gateway: string): Promise<void> {
    const page = this.#page
    await page.getByRole('button', { name: /^Change the gateway/ }).click()
    await page.getByRole('radio', { name: new RegExp(gateway) }).click()
    await expect(page.getByRole('button', { name: `Change the gateway, now ${gateway}` })).toBeVisible()
  }

  /** Fills in the fields of the demo's bank transfer. */
  async fillInTransfer(amount: string, receipt: TestFile): Promise<void> {
    const page = this.#page
    await this.choose('Bank transfer')
    await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
    await page.getByLabel('Name of the account holder').fill('Alice Example')
    await this.chooseReceipt(receipt)
  }

  async chooseReceipt(receipt: TestFile): Promise<void> {
    await this.receipt.setInputFiles(receipt)
  }

  async submit(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Submit deposit' }).click()
  }

  get receipt(): Locator {
    return this.#page.locator('input[type=file]')
  }

  /** The first row of the list of deposits, which is the newest deposit. */
  get newest(): Locator {
    return this.#page.getByRole('list', { name: 'Deposits' }).getByRole('listitem').first()
  }

  async reference(): Promise<string> {
    const text = await this.newest.innerText()
    const trx = REFERENCE.exec(text)?.[0]
    expect(trx, 'the list names the reference').toBeDefined()
    return trx ?? ''
  }
}
