import { merged } from '#web/chart/bar-window.ts'
import type { Bar } from '#web/chart/bar.ts'

export interface PageQuery {
  limit: number
  /** Only candles that opened before this time, in milliseconds UTC. If absent: the newest candles. */
  before?: number
}

interface PageOptions {
  readonly stepMs: number
  readonly load: (query: PageQuery) => Promise<readonly Bar[]>
  readonly now: () => number
}

interface NextBars {
  readonly page: readonly Bar[]
  readonly isNewest: boolean
}

/** The bars of one page after a time. */
interface PageAfter {
  readonly page: readonly Bar[]
  /** Whether the page has every bar since the time. */
  readonly isWhole: boolean
}

const FIRST_PAGE = 500
const PAGE = 1000
/** 6 pages: larger gaps are not filled. Bars before such a gap are loaded when the user scrolls there. */
const MAX_REPAIR_PAGES = 6
/** 300 bars: more than half of the bars that fit on the widest screen. */
const BARS_AFTER = 300

/** Loads the candles of a chart from the server, in as many pages as needed. */
export class BarPages {
  readonly #options: PageOptions

  constructor(options: PageOptions) {
    this.#options = options
  }

  newest(): Promise<readonly Bar[]> {
    return this.#options.load({ limit: FIRST_PAGE })
  }

  /** Loads the newest bars, back to the last known bar if this takes at most `MAX_REPAIR_PAGES` pages. */
  async newestSince(known: number | undefined): Promise<readonly Bar[]> {
    let bars = await this.newest()
    for (let pages = 1; this.mayHaveGap(known, bars) && pages < MAX_REPAIR_PAGES; pages += 1) {
      const older = await this.before(bars[0]?.time ?? 0)
      if (older.length === 0) break
      bars = merged(older, bars)
    }
    return bars
  }

  /** Whether bars may be missing between the last known bar and the next bars. */
  mayHaveGap(known: number | undefined, next: readonly Bar[]): boolean {
    const first = next[0]?.time
    return known !== undefined && first !== undefined && first > known + this.#options.stepMs
  }

  before(time: number): Promise<readonly Bar[]> {
    return this.#options.load({ limit: PAGE, before: time })
  }

  /** Loads the next bars after a time. `isNewest` says whether they include the newest bar. */
  async after(time: number): Promise<NextBars> {
    // A page is requested by its end, so the end is estimated. Across a long pause the estimate grows with each
    // request.
    let empty = time
    for (let reach = PAGE * this.#options.stepMs; ; reach *= 4) {
      const end = time + reach + 1
      const isNewest = end > this.#options.now()
      const next = await this.#pageAfter(time, end)
      if (next.page.length > 0) return this.#firstAfter(time, empty, { ...next, isNewest })
      if (isNewest) return { page: [], isNewest }
      empty = end
    }
  }

  /** Loads bars from before a time to `BARS_AFTER` steps after it, or the first bars there are. */
  async around(time: number): Promise<{ readonly bars: readonly Bar[]; readonly hasNewest: boolean }> {
    const end = time + BARS_AFTER * this.#options.stepMs
    const hasNewest = end > this.#options.now()
    let bars = hasNewest ? await this.newest() : await this.before(end)
    while ((bars[0]?.time ?? 0) > time) {
      const older = await this.before(bars[0]?.time ?? 0)
      if (older.length === 0) break
      bars = merged(older, bars)
    }
    if (bars.length > 0) return { bars, hasNewest }
    const { page, isNewest } = await this.after(time)
    return { bars: page, hasNewest: isNewest }
  }

  /**
   * Extends `last` to the first bar after `time`. There are no bars between `time` and `empty`. Because a market can
   * pause for years, a bisection first finds the page in which the pause ends.
   */
  async #firstAfter(time: number, empty: number, last: PageAfter & NextBars): Promise<NextBars> {
    let { page, isWhole, isNewest } = last
    const start = () => page[0]?.time ?? time
    while (!isWhole && start() - empty > PAGE * this.#options.stepMs) {
      const middle = Math.floor((empty + start()) / 2)
      const earlier = await this.#pageAfter(time, middle)
      if (earlier.page.length === 0) empty = middle
      else ({ page, isWhole, isNewest } = { ...earlier, isNewest: false })
    }
    while (!isWhole) {
      const earlier = await this.#pageAfter(time, start())
      page = merged(earlier.page, page)
      isWhole = earlier.isWhole || earlier.page.length === 0
    }
    return { page, isNewest }
  }

  async #pageAfter(time: number, before: number): Promise<PageAfter> {
    const all = await this.before(before)
    const page = all.filter((bar) => bar.time > time)
    return { page, isWhole: page.length < all.length }
  }
}
