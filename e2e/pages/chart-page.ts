import { expect, type Locator, type Page } from '@playwright/test'

/** The chart of the trade screen on a desktop, used with a mouse. */
export class ChartPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** The canvas on which the chart is drawn. */
  get picture(): Locator {
    return this.#page.getByRole('img', { name: /candles of/ })
  }

  /** The figures of the bar under the mouse, or of the newest bar. */
  get legend(): Locator {
    return this.#page.locator('[data-part=legend]')
  }

  get toNewest(): Locator {
    return this.#page.getByRole('button', { name: 'To the latest candle' })
  }

  async ready(): Promise<void> {
    await expect(this.legend).toHaveText(/O [\d,.]+/)
  }

  /**
   * Moves the mouse over the chart. `share` is the distance from the left edge of the bars as a part of their width.
   */
  async pointAt(share = 0.5): Promise<void> {
    const box = await this.picture.boundingBox()
    if (box === null) throw new Error('the chart is missing')
    await this.#page.mouse.move(box.x + (box.width - 70) * share, box.y + box.height * 0.4)
  }

  /** Scrolls horizontally like a touch pad. Positive numbers go back in time. */
  async scrollBack(pixels: number): Promise<void> {
    await this.#page.mouse.wheel(-pixels, 0)
  }

  /**
   * Searches for an order's mark near the newest bars. Over a mark the cursor becomes a hand. Returns whether a mark
   * was found.
   */
  async pointAtMark(): Promise<boolean> {
    const box = await this.picture.boundingBox()
    if (box === null) return false
    // The space to the right of the newest bar is for future bars.
    for (let fromRight = 70; fromRight < 450; fromRight += 14) {
      for (let y = 40; y < box.height * 0.8; y += 14) {
        await this.#page.mouse.move(box.x + box.width - fromRight, box.y + y)
        if (await this.#page.evaluate(() => document.querySelector('[role=img] [style*="cursor: pointer"]') !== null))
          return true
      }
    }
    return false
  }

  /** Returns the start of the bar in the legend: "11-20 15:59 UTC-5" or "2024-03-01 UTC". */
  async shownTime(): Promise<string> {
    return (await this.legend.locator('[data-part=legend-time]').textContent())?.trim() ?? ''
  }
}
