import Star from 'lucide-react/icons/star'
import type { SymbolItem } from '#contract/markets.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useTick } from '#web/live/live-store.ts'
import { ChangeFigure, ListedMark, PriceFigure, SparklineFigure } from '#web/symbols/live-figures.tsx'
import { symbolText } from '#web/symbols/symbol-text.ts'

interface MarketRowProps {
  item: SymbolItem
  /** The position of the row in the whole list. The page contains only a part of the list. */
  place: { 'aria-setsize': number; 'aria-posinset': number }
  onFavorite: (item: SymbolItem) => void
  /** Whether the preview pane of the desktop shows this symbol. */
  isPreviewed: boolean
  onPreview: (item: SymbolItem) => void
}

/** Columns: mark, name, 24-hour chart (where there is room), price and change (side by side on desktops), star. */
export const ROW_GRID =
  'grid grid-cols-[36px_minmax(0,1fr)_64px_100px_36px] @max-[20rem]:grid-cols-[36px_minmax(0,1fr)_6.25rem_36px] @max-[14rem]:grid-cols-[36px_minmax(0,1fr)_36px] items-center gap-x-2 lg:grid-cols-[36px_minmax(0,1fr)_64px_132px_96px_36px] lg:gap-x-4'

/** A symbol in a row of 60 px. A press opens its trade screen. */
export function MarketRow({ item, place, onFavorite, isPreviewed, onPreview }: MarketRowProps) {
  const { base, quote } = symbolText(item.symbol, item.market_type)
  return (
    <li
      {...place}
      onPointerEnter={() => onPreview(item)}
      className={cx(
        ROW_GRID,
        'relative min-h-15 [contain-intrinsic-size:auto_60px] [content-visibility:auto] not-first:before:absolute not-first:before:start-11 lg:not-first:before:start-16 not-first:before:end-0 not-first:before:top-0 not-first:before:h-px not-first:before:bg-line',
        'hover:bg-surface-2 lg:-mx-3 lg:rounded-field lg:px-3',
        isPreviewed && 'lg:bg-surface-2',
      )}
    >
      <ListedMark item={item} />
      <span className="min-w-0">
        <Link
          href={`/trade/${item.symbol}`}
          onFocus={() => onPreview(item)}
          className="block font-semibold after:absolute after:inset-y-0 after:start-0 after:end-11"
        >
          {/* If the whole name has no room, its second part wraps to a hidden line. */}
          <span dir="ltr" className="flex h-[1lh] flex-wrap overflow-y-clip rtl:justify-end">
            <span>{base}</span>
            <span className="font-normal text-fg-3">{quote}</span>
          </span>
        </Link>
        <span dir="auto" className="block truncate text-caption text-fg-3 rtl:text-right">
          {item.name}
        </span>
      </span>
      <Figures item={item} />
      <button
        type="button"
        aria-label={t(item.isFavorite ? 'market.unfavorite' : 'market.favorite', { name: item.name })}
        aria-pressed={item.isFavorite}
        onClick={() => onFavorite(item)}
        className="hit relative z-1 grid h-11 w-9 place-items-center justify-self-end"
      >
        <Star
          size={18}
          strokeWidth={1.75}
          className={item.isFavorite ? 'fill-brand text-brand' : 'text-line-strong'}
          aria-hidden="true"
        />
      </button>
    </li>
  )
}

/** Subscribes to the price of the row once for all its figures. */
function Figures({ item }: { item: SymbolItem }) {
  const tick = useTick(item.symbol)
  return (
    <>
      <span className="@max-[20rem]:hidden">
        <SparklineFigure item={item} tick={tick} />
      </span>
      <span className="flex flex-col items-end @max-[14rem]:col-start-2 @max-[14rem]:row-start-2 @max-[14rem]:items-start lg:contents">
        <PriceFigure item={item} tick={tick} className="font-semibold lg:text-end" />
        <span className="lg:text-end">
          <ChangeFigure item={item} tick={tick} />
        </span>
      </span>
    </>
  )
}
