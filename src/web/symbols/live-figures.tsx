import type { SymbolItem } from '#contract/markets.ts'
import { SYMBOL_IMAGE_PATH } from '#core/markets/market.ts'
import { ChangeText } from '#ui/figures.tsx'
import { cx } from '#ui/cx.ts'
import { FlashPrice } from '#ui/flash-price.tsx'
import { Sparkline } from '#ui/sparkline.tsx'
import { SymbolMark } from '#ui/symbol-mark.tsx'
import { priceTextOf } from '#web/i18n/amounts.ts'
import { useTick } from '#web/live/live-store.ts'
import { changeOf, openOf } from '#web/options/figures.ts'
import { changeSince } from '#web/options/options.ts'
import { hueOfColor } from '#ui/hue-of-color.ts'

type Figures = Pick<SymbolItem, 'symbol' | 'decimals' | 'price' | 'change' | 'spark' | 'open' | 'open_hkt' | 'open_utc'>

const NONE = '–'
/** Dims figures while the connection is lost. The strip shows their time. */
export const DIMMED_OFFLINE = 'in-data-offline:opacity-60'

/**
 * The newest price of a symbol from the socket, or from the list before the first tick. A closed market has its last
 * close.
 */
export function LivePrice({ item, fit, className }: { item: Figures; fit?: boolean; className?: string }) {
  const tick = useTick(item.symbol)
  const price = tick?.price ?? item.price ?? item.spark.at(-1) ?? null
  if (price === null) return <span className={className}>{NONE}</span>
  return <FlashPrice value={priceTextOf(price, item.decimals)} fit={fit} className={cx(DIMMED_OFFLINE, className)} />
}

/** The change in percent since the user's chosen start. */
export function LiveChange({ item, size = 's' }: { item: Figures; size?: 'm' | 's' }) {
  const change = changeOf(item, changeSince.use(), useTick(item.symbol))
  return change === null ? (
    <span className="text-label text-fg-3">{NONE}</span>
  ) : (
    <span className={DIMMED_OFFLINE}>
      <ChangeText percent={change} size={size} />
    </span>
  )
}

/** The last 24 hours as a line, in the colour of the change beside it. */
export function LiveSparkline({ item, width, height }: { item: SymbolItem; width?: number; height?: number }) {
  const since = changeSince.use()
  const change = changeOf(item, since, useTick(item.symbol)) ?? 0
  return (
    <span className={DIMMED_OFFLINE}>
      <Sparkline
        points={item.spark}
        opening={openOf(item, since) ?? undefined}
        direction={change < 0 ? 'down' : 'up'}
        width={width}
        height={height}
      />
    </span>
  )
}

export function ListedMark({
  item,
  size,
}: {
  item: Pick<SymbolItem, 'symbol' | 'market_type' | 'color'> & { image?: string }
  size?: number
}) {
  return (
    <SymbolMark
      code={item.symbol}
      marketType={item.market_type}
      hue={hueOfColor(item.color)}
      size={size}
      picture={item.image ? SYMBOL_IMAGE_PATH + item.image : undefined}
    />
  )
}
