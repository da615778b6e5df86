import {
  type CandlestickSeriesPartialOptions,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  type PriceFormatCustom,
  TickMarkType,
  type Time,
} from 'lightweight-charts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { groupedNumber } from '#ui/format.ts'
import { type ChartColours, withAlpha } from '#web/chart/chart-colours.ts'
import { textPx } from '#web/chart/text-px.ts'
import { clockText, clockTimeMs } from '#web/i18n/clock.ts'

/** The format of times on the chart: with seconds in an order's view, dates on daily candles. */
export type TimeStyle = 'seconds' | 'minutes' | 'days'

/** Converts the library's time, in seconds, to milliseconds. */
export function msOf(time: Time): number {
  return typeof time === 'number' ? Math.round(time * 1000) : 0
}

/** Converts milliseconds to seconds, the time unit of the chart library. */
export function secondsOf(ms: number): Time {
  return (ms / 1000) as Time
}

/** Formats a price for axis and crosshair with the symbol's decimals and grouped thousands. */
export function axisPrice(price: number, decimals: number): string {
  return groupedNumber(price.toFixed(decimals))
}

/**
 * Formats a time as "2026-01-31T14:32:13" on the user's clock. A daily candle covers a UTC day, so its time is shown in
 * UTC on every clock.
 */
function shownText(ms: number, style: TimeStyle): string {
  return style === 'days' ? new Date(ms).toISOString() : clockText(ms)
}

/** Formats the label of a tick mark: the year, day or time that begins there. */
function markText(ms: number, style: TimeStyle, begins: TickMarkType): string {
  const text = shownText(ms, style)
  if (begins === TickMarkType.Year) return text.slice(0, 4)
  if (begins === TickMarkType.Month || begins === TickMarkType.DayOfMonth) return text.slice(5, 10)
  return style === 'seconds' ? text.slice(11, 19) : text.slice(11, 16)
}

/**
 * Formats an expiry for its flag: "14:32:13.482". Without milliseconds the expiry would seem earlier than an exit that
 * came before it.
 */
export function flagTime(ms: number): string {
  return clockTimeMs(ms)
}

/** Formats the time of a bar for legend and table: "01-31 14:32", or "2026-01-31" for a day. */
export function barTime(ms: number, interval: ChartInterval): string {
  return interval === '1d'
    ? shownText(ms, 'days').slice(0, 10)
    : shownText(ms, 'minutes').slice(5, 16).replace('T', ' ')
}

/** Returns the format of a series' prices, the same for all series of a symbol. */
export function priceFormat(decimals: number): PriceFormatCustom {
  return { type: 'custom', minMove: 10 ** -decimals, formatter: (price: number) => axisPrice(price, decimals) }
}

/** The format of volumes on their axis: "950", "12K". */
export const VOLUME_FORMAT: PriceFormatCustom = { type: 'custom', minMove: 0.001, formatter: shortVolume }

export function shortVolume(volume: number): string {
  const unit = VOLUME_UNITS.find(({ from }) => volume >= from)
  return unit ? `${Number((volume / unit.from).toFixed(2))}${unit.name}` : String(Number(volume.toFixed(2)))
}

const VOLUME_UNITS = [
  { from: 1e9, name: 'B' },
  { from: 1e6, name: 'M' },
  { from: 1e3, name: 'K' },
]

export function chartOptions(style: TimeStyle): DeepPartial<ChartOptions> {
  const isOrder = style === 'seconds'
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: 'rgba(0, 0, 0, 0)' },
      fontFamily: '"Hanken Grotesk Variable", system-ui, sans-serif',
      fontSize: textPx(11),
      // The content security policy refuses the style element of the logo. The credit is below the chart.
      attributionLogo: false,
    },
    localization: {
      timeFormatter: (time: Time) => {
        const text = shownText(msOf(time), style).replace('T', ' ').slice(0, 19)
        return style === 'days' ? text.slice(0, 10) : style === 'minutes' ? text.slice(5, 16) : text.slice(11)
      },
    },
    rightPriceScale: {
      borderVisible: false,
      scaleMargins: { top: isOrder ? 0.08 : 0.12, bottom: 0.08 },
      minimumWidth: 64,
    },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: isOrder,
      barSpacing: 8,
      minBarSpacing: 0.5,
      rightOffset: 3,
      tickMarkFormatter: (time: Time, begins: TickMarkType) => markText(msOf(time), style, begins),
    },
    crosshair: { mode: CrosshairMode.Normal },
    // Vertical swipes scroll the page, and horizontal swipes scroll the chart. The chart of an order does not scroll.
    handleScroll: isOrder ? false : { vertTouchDrag: false },
    // A finger on the price axis scrolls the page, so only a mouse moves the scale.
    handleScale: isOrder ? false : { axisPressedMouseMove: { price: hasMouse(), time: true } },
  }
}

function hasMouse(): boolean {
  return globalThis.matchMedia?.('(pointer: fine)').matches ?? false
}

export function themeOptions(colours: ChartColours): DeepPartial<ChartOptions> {
  const cross = {
    color: colours.lineStrong,
    labelBackgroundColor: colours.surface3,
    width: 1,
    style: LineStyle.Dashed,
  } as const
  return {
    layout: {
      textColor: colours.text3,
      panes: { enableResize: false, separatorColor: colours.line, separatorHoverColor: colours.line },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colours.line } },
    crosshair: { vertLine: cross, horzLine: cross },
  }
}

/** Up candles are hollow and down candles solid, so that the direction is visible without colours. */
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
