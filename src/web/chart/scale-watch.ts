import type { BarSeriesApi } from '#web/chart/bar-drawing.ts'

/** The price scale as the user moved it by hand, and where the last price is. */
export interface FreeScale {
  readonly lastPrice: 'in_view' | 'above' | 'below'
  /** How far the last price is beyond the visible range, in percent. */
  readonly percent: number
}

interface WatchOptions {
  readonly element: HTMLElement
  readonly bars: () => BarSeriesApi
  readonly paneHeight: () => number
  /** Called with null when the scale fits the prices by itself. */
  readonly onChange: (free: FreeScale | null) => void
}

/** Events after which the user may have moved the scale. */
const EVENTS = ['pointerup', 'touchend', 'dblclick', 'wheel'] as const

/** Detects whether the user has moved the price scale. The library has no event for this. */
export class ScaleWatch {
  readonly #options: WatchOptions
  readonly #later = () => {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.check(this.#last))
  }
  #frame = 0
  #last: number | null = null

  constructor(options: WatchOptions) {
    this.#options = options
    for (const event of EVENTS) options.element.addEventListener(event, this.#later, { passive: true })
  }

  /** Must run before the chart is removed: the series of a removed chart cannot be read. */
  stop(): void {
    cancelAnimationFrame(this.#frame)
    for (const event of EVENTS) this.#options.element.removeEventListener(event, this.#later)
  }

  /** Reports the scale with the newest price. */
  check(last: number | null): void {
    this.#last = last
    const { bars, onChange, paneHeight } = this.#options
    if (bars().priceScale().options().autoScale) {
      onChange(null)
      return
    }
    const height = paneHeight()
    const y = last === null ? null : bars().priceToCoordinate(last)
    const edge = y === null ? null : y < 0 ? 0 : y > height ? height : null
    const price = edge === null ? null : bars().coordinateToPrice(edge)
    onChange(
      last === null || price === null || price <= 0
        ? { lastPrice: 'in_view', percent: 0 }
        : { lastPrice: edge === 0 ? 'above' : 'below', percent: Math.abs(last / price - 1) * 100 },
    )
  }

  /** Makes the scale fit the prices by itself again. */
  toAuto(): void {
    this.#options.bars().priceScale().applyOptions({ autoScale: true })
    this.check(this.#last)
  }
}
