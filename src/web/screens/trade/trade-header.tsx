import ChevronDown from 'lucide-react/icons/chevron-down'
import Star from 'lucide-react/icons/star'
import type { SymbolItem } from '#contract/markets.ts'
import { Header } from '#ui/header.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { t } from '#web/i18n/t.ts'
import { Demo, HeaderEnd } from '#web/shell/headers.tsx'
import { PracticeSwitch } from '#web/shell/practice-switch.tsx'
import { ListedMark } from '#web/symbols/live-figures.tsx'
import { symbolText, titleOf } from '#web/symbols/symbol-text.ts'

interface TradeHeaderProps {
  item: SymbolItem
  onChoose: () => void
  onFavorite: (item: SymbolItem) => void
}

/** The header of phones and tablets: the current symbol, which opens the market list. */
export function TradeHeader({ item, onChoose, onFavorite }: TradeHeaderProps) {
  return (
    <>
      <Header
        className="lg:hidden"
        start={
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onChoose}
            className="flex min-h-11 max-w-full items-center gap-2.5 text-start"
          >
            <span className="shrink-0 @max-[16rem]/header:hidden">
              <ListedMark item={item} size={32} />
            </span>
            <span className="flex min-w-0 flex-col">
              <span className="flex items-center gap-1">
                <SymbolTitle item={item} className="min-w-0 text-[1.0625rem]/[1.25rem]" />
                <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
                <span className="sr-only">{t('trade.choose_symbol')}</span>
              </span>
              <Demo form="line" />
            </span>
          </button>
        }
        end={
          <>
            <FavoriteButton item={item} onFavorite={onFavorite} />
            <HeaderEnd room="more" />
          </>
        }
      />
      {/* Larger screens have the choice above the order form. */}
      <PracticeSwitch className="account-band px-4 pb-1.5 md:hidden" />
    </>
  )
}

/** The display name, "BTC/USDT", with a less prominent quote currency. */
export function SymbolTitle({
  item,
  className,
}: {
  item: Pick<SymbolItem, 'symbol' | 'market_type'>
  className?: string
}) {
  const { base, quote } = symbolText(item.symbol, item.market_type)
  return (
    <span dir="ltr" className={`isolate font-semibold ${className ?? ''}`}>
      {base}
      <wbr />
      <span className="font-medium text-fg-3">{quote}</span>
    </span>
  )
}

export function FavoriteButton({ item, onFavorite }: { item: SymbolItem; onFavorite: (item: SymbolItem) => void }) {
  const symbol = titleOf(item.symbol, item.market_type)
  return (
    <IconButton
      tight
      label={t(item.isFavorite ? 'trade.remove_favorite' : 'trade.add_favorite', { symbol })}
      aria-pressed={item.isFavorite}
      onClick={() => onFavorite(item)}
      icon={
        <Star
          size={20}
          strokeWidth={1.75}
          className={item.isFavorite ? 'fill-brand text-brand' : ''}
          aria-hidden="true"
        />
      }
    />
  )
}
