import type { Bar } from '#web/chart/bar.ts'
import { type BarWindow, EMPTY, merged, withLive, withNewer, withOlder } from '#web/chart/bar-window.ts'

export interface PageQuery {
  limit: number
  /** Only candles that opened before this time, in milliseconds UTC; the newest ones if absent. */
  before?: number
}

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
  /** Loads the next bars after the newest ones were dropped. */
  loadNewer: () => void
  /** Drops the bars in view and shows the newest ones. */
  returnToNewest: () => Promise<void>
  take: (bar: Bar) => void
}

const FIRST_PAGE = 500
const PAGE = 1000
/** Larger gaps are not filled. Bars before them are loaded when the user scrolls there. */
const MAX_REPAIR_PAGES = 6
/** 2 s: pause after a failure before scrolling requests a page again. */
const PAUSE_MS = 2_000

/** Loads the pages of a chart's candles once each, and joins them with the live candles. */
export function createBarHistory(options: BarHistoryOptions): BarHistory {
  const { stepMs, load, now, onChange, onLoading } = options
  let window = EMPTY
  /** Live bars that arrived during the request for the newest ones, which may lack them. */
  let live: Bar[] = []
  let repair: Promise<void> | null = null
  const busy = { older: false, newer: false }
  const pausedUntil = { older: 0, newer: 0 }

  function set(next: BarWindow, added: Bar | null = null): void {
    if (next === window) return
    window = next
    onChange(window, added)
  }

  async function fetchNewest(): Promise<void> {
    live = []
    const known = window.hasNewest ? window.bars.at(-1)?.time : undefined
    let page = await load({ limit: FIRST_PAGE })
    for (let pages = 1; mayHaveGap(known, page) && pages < MAX_REPAIR_PAGES; pages += 1) {
      const older = await load({ limit: PAGE, before: page[0]?.time ?? 0 })
      if (older.length === 0) break
      page = merged(older, page)
    }
    // A user who looks at the distant past stays there. Missed bars are loaded on the way back.
    if (window.bars.length > 0 && !window.hasNewest) return
    const base = mayHaveGap(known, page) ? EMPTY : window
    let next = withNewer(base, { page, isNewest: true })
    for (const bar of live) next = withLive(next, bar)
    set(next)
  }

  /** Whether bars may be missing between the last known bar and the page. */
  function mayHaveGap(known: number | undefined, page: readonly Bar[]): boolean {
    const first = page[0]?.time
    return known !== undefined && first !== undefined && first > known + stepMs
  }

  async function fetchPage(direction: 'older' | 'newer', run: () => Promise<void>): Promise<void> {
    if (busy[direction] || now() < pausedUntil[direction]) return
    busy[direction] = true
    onLoading(true)
    try {
      await run()
    } catch {
      pausedUntil[direction] = now() + PAUSE_MS
    } finally {
      busy[direction] = false
      onLoading(busy.older || busy.newer)
    }
  }

  async function fetchNewer(): Promise<void> {
    const newest = window.bars.at(-1)
    if (newest === undefined) return
    // A page is requested by its end, so the end is estimated. Across a long pause the estimate grows each time.
    for (let reach = PAGE * stepMs; ; reach *= 4) {
      const before = newest.time + reach + 1
      const isNewest = before > now()
      const page = await fetchBetween(newest.time, before)
      if (page.length === 0 && !isNewest) continue
      if (window.bars.at(-1) === newest) set(withNewer(window, { page, isNewest }))
      return
    }
  }

  /** Loads all bars between two times, in as many pages as needed. */
  async function fetchBetween(after: number, before: number): Promise<readonly Bar[]> {
    let found: readonly Bar[] = []
    for (let until = before; ; until = found[0]?.time ?? after) {
      const page = await load({ limit: PAGE, before: until })
      const wanted = page.filter((bar) => bar.time > after)
      found = merged(wanted, found)
      if (wanted.length < page.length || wanted.length === 0) return found
    }
  }

  function loadNewest(): Promise<void> {
    repair ??= fetchNewest().finally(() => {
      repair = null
    })
    return repair
  }

  return {
    loadNewest,
    loadOlder: () => {
      const oldest = window.bars[0]
      if (window.hasOldest || oldest === undefined) return
      void fetchPage('older', async () => {
        const page = await load({ limit: PAGE, before: oldest.time })
        if (window.bars[0]?.time === oldest.time) set(withOlder(window, page))
      })
    },
    loadNewer: () => {
      if (!window.hasNewest) void fetchPage('newer', fetchNewer)
    },
    returnToNewest: async () => {
      if (window.hasNewest) return
      const page = await load({ limit: FIRST_PAGE })
      set({ bars: page, hasNewest: true, hasOldest: false })
    },
    take: (bar) => {
      const newest = window.bars.at(-1)
      // Bars before the live one are missing: none were made, or they were missed. Until that is known, the live bar is
      // not drawn.
      if (window.hasNewest && newest !== undefined && bar.time > newest.time + stepMs) {
        if (repair === null && now() >= pausedUntil.newer) {
          loadNewest().catch(() => {
            pausedUntil.newer = now() + PAUSE_MS
          })
        }
        live.push(bar)
        return
      }
      if (repair !== null) live.push(bar)
      const next = withLive(window, bar)
      if (next !== window) set(next, bar)
    },
  }
}
