import { BarPages, type PageQuery } from '#web/chart/bar-pages.ts'
import type { Bar } from '#web/chart/bar.ts'
import { type BarWindow, EMPTY, withLive, withNewer, withOlder } from '#web/chart/bar-window.ts'
import { ScrollLoads } from '#web/chart/scroll-loads.ts'

interface BarHistoryOptions {
  stepMs: number
  load: (query: PageQuery) => Promise<readonly Bar[]>
  now: () => number
  /** The bars have changed. `added` is the live bar added at the end, or null for any other change. */
  onChange: (window: BarWindow, added: Bar | null) => void
  /** Loading of older bars has started or ended. */
  onLoading: (isLoading: boolean) => void
}

export interface BarHistory {
  /** Loads the newest bars: at the start, and whenever some may have been missed. Rejects when loading fails. */
  loadNewest: () => Promise<void>
  loadOlder: () => void
  /** Loads the bars after the last loaded bar, when the newest bars were dropped. */
  loadNewer: () => void
  /** Loads the bars around a time, unless they are loaded. Rejects when loading fails. */
  loadAround: (time: number) => Promise<void>
  /** Drops the bars in view and shows the newest ones. */
  returnToNewest: () => Promise<void>
  /** Repeats the loads of older and newer bars that failed. */
  retryFailed: () => void
  take: (bar: Bar) => void
}

/** Loads the pages of a chart's candles once each, and joins them with the live candles. */
export function createBarHistory({ stepMs, load, now, onChange, onLoading }: BarHistoryOptions): BarHistory {
  const pages = new BarPages({ stepMs, load, now })
  const scrolling = new ScrollLoads(now, onLoading)
  let window = EMPTY
  /** Live bars that arrived during the running loads. A reply that ends at the newest bar may lack them. */
  let live: Bar[] = []
  let running = 0
  let repair: Promise<void> | null = null

  function set(next: BarWindow, added: Bar | null = null): void {
    if (next === window) return
    window = next
    onChange(window, added)
  }

  /** Sets the loaded window together with the live bars that arrived during the load. Null: the window stays. */
  async function join(loading: () => Promise<BarWindow | null>): Promise<void> {
    if (running === 0) live = []
    running += 1
    try {
      const loaded = await loading()
      if (loaded !== null) set(live.reduce((next, bar) => withLive(next, bar), loaded))
    } finally {
      running -= 1
    }
  }

  async function newestWindow(): Promise<BarWindow | null> {
    const known = window.hasNewest ? window.bars.at(-1)?.time : undefined
    const page = await pages.newestSince(known)
    // A user who looks at the distant past stays there. Missed bars are loaded when the user scrolls back to them.
    if (window.bars.length > 0 && !window.hasNewest) return null
    const base = pages.mayHaveGap(known, page) ? EMPTY : window
    return withNewer(base, { page, isNewest: true })
  }

  async function fetchNewer(): Promise<void> {
    const newest = window.bars.at(-1)
    if (newest === undefined || window.hasNewest) return
    await join(async () => {
      const next = await pages.after(newest.time)
      return window.bars.at(-1) === newest ? withNewer(window, next) : null
    })
  }

  async function fetchOlder(): Promise<void> {
    const oldest = window.bars[0]
    if (window.hasOldest || oldest === undefined) return
    const page = await pages.before(oldest.time)
    if (window.bars[0]?.time === oldest.time) set(withOlder(window, page))
  }

  function loadNewest(): Promise<void> {
    repair ??= join(newestWindow).finally(() => {
      repair = null
    })
    return repair
  }

  return {
    loadNewest,
    loadOlder: () => {
      if (!window.hasOldest && window.bars.length > 0) void scrolling.run('older', fetchOlder)
    },
    loadNewer: () => {
      if (!window.hasNewest) void scrolling.run('newer', fetchNewer)
    },
    loadAround: async (time) => {
      const [oldest, newest] = [window.bars[0], window.bars.at(-1)]
      const isLoaded = oldest !== undefined && newest !== undefined && oldest.time <= time
      if (isLoaded && (window.hasNewest || time <= newest.time)) return
      await join(async () => ({ ...(await pages.around(time)), hasOldest: false }))
    },
    returnToNewest: async () => {
      if (window.hasNewest) return
      await join(async () => ({ bars: await pages.newest(), hasNewest: true, hasOldest: false }))
    },
    retryFailed: () => scrolling.retryFailed(),
    take: (bar) => {
      const newest = window.bars.at(-1)
      // Bars before the live bar are missing: the server made none, or this page did not receive them. The live bar is
      // not drawn until the server's reply tells which.
      if (window.hasNewest && newest !== undefined && bar.time > newest.time + stepMs) {
        if (repair === null && !scrolling.isPaused('newer')) loadNewest().catch(() => scrolling.pause('newer'))
        live.push(bar)
        return
      }
      if (running > 0) live.push(bar)
      const next = withLive(window, bar)
      if (next !== window) set(next, bar)
    },
  }
}
