import type { ISeriesPrimitiveAxisView } from 'lightweight-charts'
import type { ChartColours } from '#web/chart/chart-colours.ts'

/** A position outside the pane, for a label that has no position inside it. */
const NOWHERE_PX = -100

interface PriceLabel {
  /** The price to show; null hides the label. */
  readonly price: () => number | null
  readonly yOf: (price: number) => number | null
  readonly format: (price: number) => string
  readonly look: () => { readonly text: string; readonly back: string }
}

/** Shows a price on the axis. */
export function priceLabel({ price, yOf, format, look }: PriceLabel): ISeriesPrimitiveAxisView {
  return {
    coordinate: () => {
      const shown = price()
      return (shown === null ? null : yOf(shown)) ?? NOWHERE_PX
    },
    text: () => {
      const shown = price()
      return shown === null ? '' : format(shown)
    },
    textColor: () => look().text,
    backColor: () => look().back,
    visible: () => price() !== null,
    tickVisible: () => false,
  }
}

export const entryLook = ({ brand, brandTint }: ChartColours) => ({ text: brand, back: brandTint })
export const lastPriceLook = ({ bg, text }: ChartColours) => ({ text: bg, back: text })
