import { memo } from 'react'
import type { SymbolItem } from '#contract/markets.ts'
import { SYMBOL_IMAGE_PATH } from '#core/markets/market.ts'
import { ChangeText } from '#ui/figures.tsx'
import { cx } from '#ui/cx.ts'
import { FlashPrice } from '#ui/flash-price.tsx'
import { Sparkline } from '#ui/sparkline.tsx'
import { SymbolMark } from '#ui/symbol-mark.tsx'
import { priceTextOf } from '#web/i18n/amounts.ts'
import { type LiveTick, useIsOfflineStart, useTick } from '#web/live/live-store.ts'
import { changeOf, openOf } from '#web/options/figures.ts'
import { changeSince } from '#web/options/options.ts'
import { usePictures } from '#web/symbols/use-pictures.ts'
import { hueOfColor } from '#ui/hue-of-color.ts'

type Figures = Pick<SymbolItem, 'symbol' | 'decimals' | 'price' | 'change' | 'spark' | 'open' | 'open_hkt' | 'open_utc'>

const NONE = '–'
const NO_POINTS: readonly number[] = []
/** Dims figures while the connection is lost. The strip below the header shows the time of these figures. */
export const DIMMED_OFFLINE = 'in-data-offline:opacity-60'

interface FigureProps {
  item: Figures
  tick: LiveTick | null
}

/** A `PriceFigure` that follows the newest tick. */
export function LivePrice({ item, ...more }: { item: Figures; fit?: boolean; className?: string }) {
  return <PriceFigure item={item} tick={useTick(item.symbol)} {...more} />
}

/** A `ChangeFigure` that follows the newest tick. */
export function LiveChange({ item, size }: { item: Figures; size?: 'm' | 's' }) {
  return <ChangeFigure item={item} tick={useTick(item.symbol)} {...(size && { size })} />
}

/** A `SparklineFigure` that follows the newest tick. */
export function LiveSparkline({ item, ...size }: { item: SymbolItem; width?: number; height?: number }) {
  return <SparklineFigure item={item} tick={useTick(item.symbol)} {...size} />
}

/**
 * The newest price of a symbol from the socket, or from the list before the first tick. A closed market has its last
 * close.
 */
export function PriceFigure({ item, tick, fit, className }: FigureProps & { fit?: boolean; className?: string }) {
  const isUnknown = useIsOfflineStart()
  const price = isUnknown ? null : (tick?.price ?? item.price ?? item.spark.at(-1) ?? null)
  if (price === null) return <span className={className}>{NONE}</span>
  const value = priceTextOf(price, item.decimals)
  // The key remounts the price for another symbol, so that the difference between symbols does not flash as a move.
  return <FlashPrice key={item.symbol} value={value} fit={fit} className={cx(DIMMED_OFFLINE, className)} />
}

/** The change in percent since the user's chosen start. */
export function ChangeFigure({ item, tick, size = 's' }: FigureProps & { size?: 'm' | 's' }) {
  const isUnknown = useIsOfflineStart()
  const change = changeOf(item, changeSince.use(), tick)
  return change === null || isUnknown ? (
    <span className={cx(size === 'm' ? 'text-body' : 'text-label', 'text-fg-3')}>{NONE}</span>
  ) : (
    <span className={DIMMED_OFFLINE}>
      <ChangeText percent={change} size={size} />
    </span>
  )
}

/**
 * The last 24 hours as a line, in the colour of the change beside it. A tick redraws the line only if the colour
 * changes.
 */
export function SparklineFigure({ item, tick, width, height }: FigureProps & { width?: number; height?: number }) {
  const since = changeSince.use()
  const isUnknown = useIsOfflineStart()
  const change = changeOf(item, since, tick) ?? 0
  return (
    <span className={DIMMED_OFFLINE}>
      <DrawnOnce
        points={isUnknown ? NO_POINTS : item.spark}
        opening={isUnknown ? undefined : (openOf(item, since) ?? undefined)}
        direction={change < 0 ? 'down' : 'up'}
        width={width}
        height={height}
      />
    </span>
  )
}

const DrawnOnce = memo(Sparkline)

export function ListedMark({
  item,
  size,
}: {
  item: Pick<SymbolItem, 'symbol' | 'market_type' | 'color'> & { image?: string }
  size?: number
}) {
  const builtIn = usePictures(item.symbol, item.market_type)
  return (
    <SymbolMark
      code={item.symbol}
      builtIn={builtIn}
      marketType={item.market_type}
      hue={hueOfColor(item.color)}
      size={size}
      picture={item.image ? SYMBOL_IMAGE_PATH + item.image : undefined}
    />
  )
}
