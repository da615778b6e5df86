import {
  type CandlestickSeriesPartialOptions,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  type Time,
} from 'lightweight-charts'
import { instant } from '#core/time/instant.ts'
import { formatUtcDateTime, formatUtcTime, groupedNumber } from '#ui/format.ts'
import { type ChartColours, withAlpha } from '#web/chart/chart-colours.ts'

const DAY_MS = 86_400_000

/** How times read on this chart: with seconds in an order's own view, dates on daily candles. All in UTC. */
export type TimeStyle = 'seconds' | 'minutes' | 'days'

/** The library counts in seconds. */
export function msOf(time: Time): number {
  return typeof time === 'number' ? Math.round(time * 1000) : 0
}

/** Prices on axis and crosshair: the symbol's own decimals, thousands separated. */
export function axisPrice(price: number, decimals: number): string {
  return groupedNumber(price.toFixed(decimals))
}

export function axisTime(ms: number, style: TimeStyle): string {
  const at = instant(ms)
  if (style === 'days') return formatUtcDateTime(at).slice(5, 10)
  if (style === 'minutes' && ms % DAY_MS === 0) return formatUtcDateTime(at).slice(5, 10)
  return style === 'seconds' ? formatUtcTime(at) : formatUtcTime(at).slice(0, 5)
}

export function chartOptions(style: TimeStyle, decimals: number): DeepPartial<ChartOptions> {
  const isOrder = style === 'seconds'
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: 'rgba(0, 0, 0, 0)' },
      fontFamily: '"Hanken Grotesk Variable", system-ui, sans-serif',
      fontSize: 11,
      // The logo brings a style element, which the content security policy refuses; the credit stands under the chart.
      attributionLogo: false,
    },
    localization: {
      priceFormatter: (price: number) => axisPrice(price, decimals),
      timeFormatter: (time: Time) => {
        const text = formatUtcDateTime(instant(msOf(time)))
        return style === 'days' ? text.slice(0, 10) : style === 'minutes' ? text.slice(5, 16) : text.slice(11)
      },
    },
    rightPriceScale: {
      borderVisible: false,
      scaleMargins: { top: 0.08, bottom: isOrder ? 0.08 : 0.21 },
      minimumWidth: 64,
    },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: isOrder,
      barSpacing: 8,
      minBarSpacing: 0.5,
      rightOffset: 3,
      tickMarkFormatter: (time: Time) => axisTime(msOf(time), style),
    },
    crosshair: { mode: CrosshairMode.Normal },
    // The page scrolls through the chart; sideways moves belong to it. An order's own view stands still.
    handleScroll: isOrder ? false : { vertTouchDrag: false },
    handleScale: isOrder ? false : { axisPressedMouseMove: { price: false, time: true } },
  }
}

export function themeOptions(colours: ChartColours): DeepPartial<ChartOptions> {
  const cross = {
    color: colours.lineStrong,
    labelBackgroundColor: colours.surface3,
    width: 1,
    style: LineStyle.Dashed,
  } as const
  return {
    layout: { textColor: colours.text3 },
    grid: { vertLines: { visible: false }, horzLines: { color: colours.line } },
    crosshair: { vertLine: cross, horzLine: cross },
  }
}

/** Up candles are hollow, down candles solid: the direction can be told without its colour. */
export function candleOptions({ up, down }: ChartColours): CandlestickSeriesPartialOptions {
  return {
    upColor: 'rgba(0, 0, 0, 0)',
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
    priceLineVisible: false,
    lastValueVisible: false,
  }
}

export function volumeColour({ up, down }: ChartColours, isUp: boolean): string {
  return withAlpha(isUp ? up : down, 0.22)
}
