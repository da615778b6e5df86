import type { FairnessWindow } from '#contract/fairness.ts'
import { formatCount, formatRate } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import { lengthText } from '#web/receipts/order-text.ts'
import { FigureList, Section } from '#web/screens/fairness/section.tsx'

/**
 * Shows the payments of sold orders beside those that they would have made at their expiry. Renders nothing if no order
 * was sold.
 */
export function SoldOrders({ sales }: Pick<FairnessWindow, 'sales'>) {
  if (sales.length === 0) return null
  return (
    <Section title={t('fairness.sold_title')}>
      <p className="text-label text-fg-2">{t('fairness.sold_hint')}</p>
      <ul className="flex flex-col gap-5">
        {sales.map(({ symbol, seconds, orders, paid, fee, at_expiry: atExpiry }) => (
          <li key={`${symbol} ${seconds}`}>
            <p className="mb-1.5 flex gap-x-2 text-small">
              <b>{symbol}</b>
              <span className="text-fg-2">{lengthText(seconds)}</span>
            </p>
            <FigureList
              figures={[
                { name: t('fairness.sold_orders'), value: formatCount(orders) },
                { name: t('fairness.sold_paid'), value: formatRate(paid) },
                { name: t('fairness.sold_fee'), value: formatRate(fee) },
                { name: t('fairness.sold_at_expiry'), value: formatRate(atExpiry) },
              ]}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
