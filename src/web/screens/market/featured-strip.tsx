import type { SymbolItem } from '#contract/markets.ts'
import { CardStrip } from '#ui/carousel.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { ListedMark, LiveChange, LivePrice, LiveSparkline } from '#web/symbols/live-figures.tsx'

/** The featured symbols of one kind of market, three per view. */
export function FeaturedStrip({ items }: { items: readonly SymbolItem[] }) {
  if (items.length === 0) return null
  return (
    <CardStrip label={t('market.featured')} className="mb-4">
      {items.map((item) => (
        <li key={item.id}>
          <Link
            href={`/trade/${item.symbol}`}
            className="flex flex-col rounded-field bg-surface p-3 shadow-[var(--e1),inset_0_0_0_1px_var(--line)] focus-visible:-outline-offset-2"
          >
            <span className="flex items-center gap-1.5 text-small font-semibold">
              <ListedMark item={item} size={24} />
              <span dir="ltr" className="truncate">
                {item.symbol}
              </span>
            </span>
            <span className="my-2 block overflow-hidden">
              <LiveSparkline item={item} width={88} height={30} />
            </span>
            <LivePrice item={item} className="text-small font-semibold tracking-tight [overflow-wrap:anywhere]" />
            <LiveChange item={item} />
          </Link>
        </li>
      ))}
    </CardStrip>
  )
}
