import { merged } from '#web/chart/bar-window.ts'
import type { Bar } from '#web/chart/bar.ts'

export interface PageQuery {
  limit: number
  /** Only candles that opened before this time, in milliseconds UTC; the newest ones if absent. */
  before?: number
}

interface PageOptions {
  readonly stepMs: number
  readonly load: (query: PageQuery) => Promise<readonly Bar[]>
  readonly now: () => number
}

const FIRST_PAGE = 500
const PAGE = 1000
/** Larger gaps are not filled. Bars before them are loaded when the user scrolls there. */
const MAX_REPAIR_PAGES = 6
/** More than half of the widest screen. */
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

  /** Loads the newest bars, back to the last known one if it is not too far. */
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

  /** Loads the next bars after a time. `isNewest` says whether they include the newest one. */
  async after(time: number): Promise<{ readonly page: readonly Bar[]; readonly isNewest: boolean }> {
    // A page is requested by its end, so the end is estimated. Across a long pause the estimate grows with each
    // request.
    for (let reach = PAGE * this.#options.stepMs; ; reach *= 4) {
      const end = time + reach + 1
      const isNewest = end > this.#options.now()
      const page = await this.#between(time, end)
      if (page.length > 0 || isNewest) return { page, isNewest }
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

  async #between(after: number, before: number): Promise<readonly Bar[]> {
    let found: readonly Bar[] = []
    for (let until = before; ; until = found[0]?.time ?? after) {
      const page = await this.before(until)
      const wanted = page.filter((bar) => bar.time > after)
      found = merged(wanted, found)
      if (wanted.length < page.length || wanted.length === 0) return found
    }
  }
}
