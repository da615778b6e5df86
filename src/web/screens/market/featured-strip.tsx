import type { SymbolItem } from '#contract/markets.ts'
import { CardStrip } from '#ui/carousel.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { shortTitleOf } from '#web/symbols/symbol-text.ts'
import { ListedMark, LiveChange, LivePrice, LiveSparkline } from '#web/symbols/live-figures.tsx'

/** The featured symbols of one market, three in view. */
export function FeaturedStrip({ items }: { items: readonly SymbolItem[] }) {
  if (items.length === 0) return null
  return (
    <CardStrip label={t('market.featured')} className="mb-4">
      {items.map((item) => (
        <li key={item.id}>
          <Link
            href={`/trade/${item.symbol}`}
            className="flex flex-col rounded-field bg-surface px-2.5 py-3 shadow-[var(--e1),inset_0_0_0_1px_var(--line)] focus-visible:-outline-offset-2"
          >
            <span className="flex items-center gap-1.5 text-small font-semibold">
              <ListedMark item={item} size={24} />
              <span dir="ltr" className="min-w-0 wrap-anywhere">
                {shortTitleOf(item.symbol, item.market_type)}
              </span>
            </span>
            <span className="my-2 block overflow-hidden">
              <LiveSparkline item={item} width={88} height={30} />
            </span>
            <span className="@container block">
              <LivePrice item={item} fit className="block text-small font-semibold" />
            </span>
            <LiveChange item={item} />
          </Link>
        </li>
      ))}
    </CardStrip>
  )
}
