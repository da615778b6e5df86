import type {
  CustomData,
  CustomSeriesOptions,
  ICustomSeriesPaneRenderer,
  ICustomSeriesPaneView,
  PaneRendererCustomData,
  PriceToCoordinateConverter,
  Time,
} from 'lightweight-charts'
import { customSeriesDefaultOptions } from 'lightweight-charts'

type Target = Parameters<ICustomSeriesPaneRenderer['draw']>[0]

interface OpenCloseBar extends CustomData {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

export interface OpenCloseOptions extends CustomSeriesOptions {
  readonly up: string
  readonly down: string
}

/** The width of the opening and closing ticks together, as a share of the width that one bar has on the axis. */
const TICKS_SHARE = 0.7

/**
 * Bars with a tick at the opening on the left and at the close on the right. Lines of rising bars are 2 px wide and of
 * falling bars 1 px, so that the direction is visible without colours.
 */
export class OpenCloseBars implements ICustomSeriesPaneView<Time, OpenCloseBar, OpenCloseOptions> {
  #data: PaneRendererCustomData<Time, OpenCloseBar> | null = null
  #options: OpenCloseOptions = this.defaultOptions()

  renderer(): ICustomSeriesPaneRenderer {
    return { draw: (target, priceToY) => this.#draw(target, priceToY) }
  }

  update(data: PaneRendererCustomData<Time, OpenCloseBar>, options: OpenCloseOptions): void {
    this.#data = data
    this.#options = options
  }

  priceValueBuilder({ high, low, close }: OpenCloseBar): number[] {
    return [high, low, close]
  }

  isWhitespace(data: Partial<OpenCloseBar>): data is never {
    return data.close === undefined
  }

  defaultOptions(): OpenCloseOptions {
    return { ...customSeriesDefaultOptions, up: '', down: '' }
  }

  #draw(target: Target, priceToY: PriceToCoordinateConverter): void {
    const { bars, barSpacing, visibleRange } = this.#data ?? {}
    if (!bars || !visibleRange || barSpacing === undefined) return
    target.useBitmapCoordinateSpace(({ context: canvas, horizontalPixelRatio, verticalPixelRatio }) => {
      const reach = Math.max(1, Math.round((barSpacing * TICKS_SHARE * horizontalPixelRatio) / 2))
      for (const { x, originalData: bar } of bars.slice(visibleRange.from, visibleRange.to)) {
        const isUp = bar.close >= bar.open
        const width = Math.max(1, Math.round((isUp ? 2 : 1) * horizontalPixelRatio))
        const y = (price: number) => Math.round((priceToY(price) ?? 0) * verticalPixelRatio)
        const left = Math.round(x * horizontalPixelRatio - width / 2)
        const [top, bottom] = [y(bar.high), y(bar.low)]
        canvas.fillStyle = isUp ? this.#options.up : this.#options.down
        canvas.fillRect(left, top, width, Math.max(1, bottom - top))
        canvas.fillRect(left - reach + width, y(bar.open) - Math.floor(width / 2), reach, width)
        canvas.fillRect(left, y(bar.close) - Math.floor(width / 2), reach, width)
      }
    })
  }
}
