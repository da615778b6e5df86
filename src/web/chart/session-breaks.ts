import type { IPrimitivePaneRenderer, IPrimitivePaneView, ISeriesPrimitive } from 'lightweight-charts'
import { ALWAYS, nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import { withAlpha } from '#web/chart/chart-colours.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

interface SessionBreaks {
  times: readonly number[]
  marketType: MarketType
  interval: ChartInterval
}

/** Returns the first bar of each session, by index. The market was closed between such a bar and the previous bar. */
export function sessionBreaksOf({ times, marketType, interval }: SessionBreaks): number[] {
  const [first, last] = [times[0], times.at(-1)]
  // A daily bar of a stock is a whole session, so a session break would be drawn at every bar.
  if (first === undefined || last === undefined || (interval === '1d' && marketType === 'us_stocks')) return []
  const seams: number[] = []
  let index = 0
  for (let { close } = nextSession(marketType, instant(first)); close !== ALWAYS.close && close <= last; ) {
    index = firstAtOrAfter(times, close, index)
    const opening = times[index]
    if (opening === undefined) break
    if (index > 0 && index !== seams.at(-1)) seams.push(index)
    // The loop continues after the found bar: no session break is drawn for a session without any bar.
    close = nextSession(marketType, instant(Math.max(opening, close))).close
  }
  return seams
}

/**
 * Returns the index of the first time that is not before `at`. The times are ascending, and the search starts at
 * `from`.
 */
export function firstAtOrAfter(times: readonly number[], at: number, from: number): number {
  let [low, high] = [from, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? Infinity) < at) low = middle + 1
    else high = middle
  }
  return low
}

interface SessionBreakContext {
  /** Returns the left edge of a bar in CSS pixels. */
  xOf: (index: number) => number | null
  colour: () => string
}

/** 24 px: session breaks that are closer together would look like a pattern. */
const NEAREST_PX = 24

/** Draws a thin dashed vertical line below the candles where one session ends and the next begins. */
export function createSessionBreaks({ xOf, colour }: SessionBreakContext) {
  let seams: readonly number[] = []
  let requestUpdate: (() => void) | null = null

  function draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context: canvas, mediaSize }) => {
      const places = seams.map(xOf).filter((x): x is number => x !== null && x >= 0 && x <= mediaSize.width)
      if (places.length > 1 && mediaSize.width / places.length < NEAREST_PX) return
      canvas.save()
      canvas.strokeStyle = withAlpha(colour(), 0.7)
      canvas.lineWidth = 1
      canvas.setLineDash([2, 4])
      canvas.beginPath()
      for (const x of places) {
        canvas.moveTo(Math.round(x) + 0.5, 0)
        canvas.lineTo(Math.round(x) + 0.5, mediaSize.height)
      }
      canvas.stroke()
      canvas.restore()
    })
  }

  const view: IPrimitivePaneView = { zOrder: () => 'bottom', renderer: () => ({ draw }) }
  const views = [view]
  const primitive: ISeriesPrimitive = {
    attached: (attached) => {
      requestUpdate = attached.requestUpdate
    },
    paneViews: () => views,
  }
  return {
    primitive,
    set: (next: readonly number[]) => {
      seams = next
      requestUpdate?.()
    },
  }
}
