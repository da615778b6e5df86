import { expect, type Locator, type Page } from '@playwright/test'
import { choose } from '../choose.ts'

/** The text of the strip on a page without a connection. */
export const RECONNECTING = /^Reconnecting\. Prices as of .+ Orders keep running on the server\.$/

export type Direction = 'Buy' | 'Sell'

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
    await this.row(code).click()
    await expect(page).toHaveURL(new RegExp(`/trade/${code}$`))
  }

  /** The link to a symbol in the market list. */
  row(code: string): Locator {
    const rows = this.#page.getByRole('listitem').filter({ hasText: `${code}/USDT` })
    return rows.getByRole('link').last()
  }

  /**
   * Chooses a direction, a stake and the first expiry, and sends the order; ends with the countdown. On a busy machine,
   * or where prices are rare, the price may be too old for an order: then the order is sent again.
   */
  async order(direction: Direction, stake: string): Promise<void> {
    await this.fillIn(direction, stake)
    await expect(async () => {
      if (!(await this.countdown.isVisible())) await this.submit.click({ timeout: 2_000 })
      // A refused order is sent again soon, because the price may be fresh for a few seconds only.
      await expect(this.countdown).toBeVisible({ timeout: 4_000 })
    }).toPass()
  }

  /** Opens the form and fills it in without sending it. */
  async fillIn(direction: Direction, stake: string): Promise<void> {
    const page = this.#page
    await page.getByRole('button', { name: new RegExp(`^${direction}`) }).click()
    await this.chooseExpiry(/^1 min/)
    await this.stake.fill(stake)
  }

  async chooseExpiry(name: RegExp): Promise<void> {
    await choose(this.#page.getByRole('radio', { name }))
  }

  get stake(): Locator {
    return this.#page.getByLabel('Stake')
  }

  /** The submit button, for example "Buy · $100.00 · 1 min". */
  get submit(): Locator {
    return this.#page.getByRole('button', { name: /^(Buy|Sell) · \$/ })
  }

  /** The heading of the result, shown once the order has settled: "You won", "You lose", "Draw" or "Void". */
  get verdict(): Locator {
    return this.#page.getByRole('heading', { name: /^(You won|You lose|Draw|Void)$/ })
  }

  async tradeOn(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Keep trading' }).click()
  }

  get countdown(): Locator {
    return this.#page.getByRole('timer').first()
  }
}
