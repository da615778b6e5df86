import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useMarketStatus } from '#web/live/live-store.ts'
import { SymbolTitle } from '#web/screens/trade/trade-header.tsx'
import { ListedMark, LiveChange, LivePrice } from '#web/symbols/live-figures.tsx'
import { openInstead } from '#web/symbols/market-rules.ts'

/** Links to symbols that are open while the chosen symbol's market is closed. */
export function OpenMarkets({ list, item, className }: { list: MarketList; item: SymbolItem; className?: string }) {
  const status = useMarketStatus() ?? list.market_status
  const items = openInstead(list.currencies, item, status)
  if (items.length === 0) return null
  return (
    <section aria-label={t('trade.open_now')} className={cx('px-4', className)}>
      <h2 className="py-2 text-label font-semibold text-fg-2">{t('trade.open_now')}</h2>
      <ul className="grid grid-cols-2 gap-2">
        {items.map((one) => (
          <li key={one.id}>
            <Link
              href={`/trade/${one.symbol}`}
              className="flex min-h-14 items-center gap-2.5 rounded-field bg-surface-2 px-3 py-1.5 hover:bg-surface-3"
            >
              <ListedMark item={one} size={28} />
              <span className="flex min-w-0 flex-1 flex-col">
                <SymbolTitle item={one} className="text-small" />
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <LivePrice item={one} className="text-caption font-list" />
                  <LiveChange item={one} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
