import { expect, type Locator, type Page } from '@playwright/test'

/** The trade screen on a phone. */
export class TradePage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Opens a symbol from the market list. */
  async open(code: string): Promise<void> {
    const page = this.#page
    await page.getByRole('link', { name: 'Market', exact: true }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: `${code}/USDT` })
      .getByRole('link')
      .last()
      .click()
    await expect(page).toHaveURL(new RegExp(`/trade/${code}$`))
  }

  /** Picks a direction, a stake and the first expiry, and sends the order; ends with the countdown. */
  async order(direction: 'Buy' | 'Sell', stake: string): Promise<void> {
    const page = this.#page
    await page.getByRole('button', { name: new RegExp(`^${direction}`) }).click()
    await page.getByRole('radio', { name: /^1 min/ }).check({ force: true })
    await page.getByLabel('Stake').fill(stake)
    await page.getByRole('button', { name: new RegExp(`^${direction} · \\$`) }).click()
    await expect(this.countdown).toBeVisible()
  }

  async tradeOn(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Trade on while this one runs' }).click()
  }

  get countdown(): Locator {
    return this.#page.getByRole('timer').first()
  }
}
