import type { ISeriesPrimitive, ISeriesPrimitiveAxisView } from 'lightweight-charts'
import { formatCountdown } from '#ui/format.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'

/** 19 px: the height of the price label. The countdown is drawn below this label. */
const BELOW_PX = 19

interface CountdownContext {
  yOf: (price: number) => number | null
  colours: () => ChartColours
}

/** Draws the time left of the open candle on the axis, below the newest price. */
export function createBarCountdown({ yOf, colours }: CountdownContext) {
  let shown: { price: number; leftMs: number } | null = null
  let requestUpdate: (() => void) | null = null
  const view: ISeriesPrimitiveAxisView = {
    coordinate: () => {
      const y = shown === null ? null : yOf(shown.price)
      return y === null ? -100 : y + BELOW_PX
    },
    text: () => (shown === null ? '' : formatCountdown(shown.leftMs)),
    textColor: () => colours().text,
    backColor: () => colours().surface3,
    visible: () => shown !== null,
    tickVisible: () => false,
  }
  const views = [view]
  const primitive: ISeriesPrimitive = {
    attached: (attached) => {
      requestUpdate = attached.requestUpdate
    },
    priceAxisViews: () => views,
  }
  return {
    primitive,
    set: (next: typeof shown) => {
      shown = next
      requestUpdate?.()
    },
  }
}
