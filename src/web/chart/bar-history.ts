import { BarPages, type PageQuery } from '#web/chart/bar-pages.ts'
import type { Bar } from '#web/chart/bar.ts'
import { type BarWindow, EMPTY, withLive, withNewer, withOlder } from '#web/chart/bar-window.ts'
import { JoinedBars } from '#web/chart/joined-bars.ts'
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
  const joined = new JoinedBars(onChange)
  let repair: Promise<void> | null = null

  async function newestWindow(): Promise<BarWindow | null> {
    const { hasNewest, bars } = joined.window
    const known = hasNewest ? bars.at(-1)?.time : undefined
    const page = await pages.newestSince(known)
    const { window } = joined
    // A user who looks at the distant past stays there. Missed bars are loaded when the user scrolls back to them.
    if (window.bars.length > 0 && !window.hasNewest) return null
    const base = pages.mayHaveGap(known, page) ? EMPTY : window
    return withNewer(base, { page, isNewest: true })
  }

  async function fetchNewer(): Promise<void> {
    const newest = joined.window.bars.at(-1)
    if (newest === undefined || joined.window.hasNewest) return
    await joined.load(async () => {
      const next = await pages.after(newest.time)
      return joined.window.bars.at(-1) === newest ? withNewer(joined.window, next) : null
    })
  }

  async function fetchOlder(): Promise<void> {
    const oldest = joined.window.bars[0]
    if (joined.window.hasOldest || oldest === undefined) return
    const page = await pages.before(oldest.time)
    if (joined.window.bars[0]?.time === oldest.time) joined.set(withOlder(joined.window, page))
  }

  function loadNewest(): Promise<void> {
    repair ??= joined.load(newestWindow).finally(() => {
      repair = null
    })
    return repair
  }

  return {
    loadNewest,
    loadOlder: () => {
      if (!joined.window.hasOldest && joined.window.bars.length > 0) void scrolling.run('older', fetchOlder)
    },
    loadNewer: () => {
      if (!joined.window.hasNewest) void scrolling.run('newer', fetchNewer)
    },
    loadAround: async (time) => {
      const { bars, hasNewest } = joined.window
      const [oldest, newest] = [bars[0], bars.at(-1)]
      const isLoaded = oldest !== undefined && newest !== undefined && oldest.time <= time
      if (isLoaded && (hasNewest || time <= newest.time)) return
      await joined.load(async () => ({ ...(await pages.around(time)), hasOldest: false }))
    },
    returnToNewest: async () => {
      if (joined.window.hasNewest) return
      await joined.load(async () => ({ bars: await pages.newest(), hasNewest: true, hasOldest: false }))
    },
    retryFailed: () => scrolling.retryFailed(),
    take: (bar) => {
      const { window } = joined
      const newest = window.bars.at(-1)
      // Bars before the live bar are missing: the server made none, or this page did not receive them. The live bar is
      // not drawn until the server's reply tells which.
      if (window.hasNewest && newest !== undefined && bar.time > newest.time + stepMs) {
        if (repair === null && !scrolling.isPaused('newer')) loadNewest().catch(() => scrolling.pause('newer'))
        joined.keep(bar)
        return
      }
      joined.keep(bar)
      joined.set(withLive(window, bar), bar)
    },
  }
}
