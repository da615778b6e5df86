import type { ISeriesPrimitive, ISeriesPrimitiveAxisView } from 'lightweight-charts'
import { formatCountdown } from '#ui/format.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'

/** As high as the label of the price, under which it stands. */
const BELOW_PX = 19

interface CountdownContext {
  yOf: (price: number) => number | null
  colours: () => ChartColours
}

/** The time left of the open candle, on the axis under the newest price. */
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
