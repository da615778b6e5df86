import type { ReactNode } from 'react'
import type { SymbolItem } from '#contract/markets.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { PriceText } from '#ui/figures.tsx'
import { priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { openOf, volumeText } from '#web/options/figures.ts'
import { changeSince, volumeUnit } from '#web/options/options.ts'
import { ListedMark, LiveChange, LivePrice, LiveSparkline } from '#web/symbols/live-figures.tsx'
import { shortTitleOf, symbolText } from '#web/symbols/symbol-text.ts'

/** The pane beside the table on desktops with the last day of the symbol under the pointer. */
export function PreviewPane({ item }: { item: SymbolItem }) {
  const { base, quote } = symbolText(item.symbol, item.market_type)
  const since = changeSince.use()
  const unit = volumeUnit.use()
  const price = (value: number | null) =>
    value === null ? '–' : <PriceText value={priceTextOf(value, item.decimals)} />
  return (
    <Card className="sticky top-[calc(var(--header-h)+24px)]">
      <div className="flex items-center gap-3">
        <ListedMark item={item} size={40} />
        <div className="min-w-0 flex-1">
          <h2 className="text-heading" dir="ltr">
            {base}
            <span className="font-normal text-fg-3">{quote}</span>
          </h2>
          <p className="text-label text-fg-3">{item.name}</p>
        </div>
      </div>
      <p className="mt-3 flex items-baseline gap-2.5">
        <LivePrice item={item} className="text-price" />
        <LiveChange item={item} size="m" />
      </p>
      <div className="my-4">
        <LiveSparkline item={item} width={386} height={150} />
        <p className="mt-1 text-caption text-fg-3">{t('market.last_24h')}</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
        <Fact label={t('market.high')}>{price(item.high)}</Fact>
        <Fact label={t('market.low')}>{price(item.low)}</Fact>
        <Fact label={t('market.opening')}>{price(openOf(item, since))}</Fact>
        <Fact label={t(unit === 'money' ? 'trade.amount_24h' : 'market.volume')}>
          <span dir="ltr" className="num">
            {volumeText(item.volume, item.price, unit)}
          </span>
        </Fact>
      </dl>
      <ButtonLink href={`/trade/${item.symbol}`} size="m" wide className="mt-4">
        {t('market.trade', { symbol: shortTitleOf(item.symbol, item.market_type) })}
      </ButtonLink>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-fg-3">{label}</dt>
      <dd className="text-small font-semibold">{children}</dd>
    </div>
  )
}
