import type { Page } from '@playwright/test'

/** Layout shifts above this score are visible as a jump. */
const MAX_SHIFT = 0.02

/**
 * Sums layout shifts without user input, and sets the text size as a reader would. The strip for a lost connection may
 * move the page, because it must be visible.
 */
export function watchShifts(text: string): void {
  let shift = 0
  let moved: string[] = []
  let wasOffline = false
  // The observer remembers the strip, which may be gone again when the browser reports the layout shifts.
  const strip = new MutationObserver(() => (wasOffline = true))
  strip.observe(document, { attributeFilter: ['data-offline'], subtree: true })
  // Shifts of the toast about a settled order do not count, because the toast lies over the page.
  const isOfToast = (node?: Node) =>
    (node instanceof Element ? node : node?.parentElement)?.closest('[data-toast]') instanceof Element
  const take = (entries: PerformanceEntryList): void => {
    const isOffline = document.querySelector('[data-offline]') !== null
    const isPushed = isOffline || wasOffline
    wasOffline = isOffline
    if (isPushed) return
    for (const entry of entries as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    })[])
      if (
        !entry.hadRecentInput &&
        (entry.sources.length === 0 || !entry.sources.every(({ node }) => isOfToast(node)))
      ) {
        shift += entry.value
        moved.push(
          ...entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
            const html = (node instanceof Element ? node : node?.parentElement)?.outerHTML ?? ''
            return `${html.slice(0, 80)} from ${from.x},${from.y} to ${to.x},${to.y}`
          }),
        )
      }
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  globalThis.takeShift = () => {
    take(observer.takeRecords())
    const before = { shift, moved }
    shift = 0
    moved = []
    return before
  }
  const setText = (): void => {
    if (document.documentElement === null) setTimeout(setText)
    else document.documentElement.style.fontSize = text
  }
  setText()
}

/** Lists the visible jumps of a page with `watchShifts` since the last call. */
export async function findShifts(page: Page): Promise<string[]> {
  const { shift, moved } = await page.evaluate(() => globalThis.takeShift())
  return shift > MAX_SHIFT ? [`shifts by ${shift.toFixed(3)} ${moved.join(' | ')}`] : []
}

declare global {
  /** Returns the layout shift since the last call. */
  var takeShift: () => { readonly shift: number; readonly moved: readonly string[] }
}
