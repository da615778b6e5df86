import type { ClosingOut } from '#contract/closing.ts'
import { Card, SectionLabel } from '#ui/card.tsx'
import { formatMoney } from '#ui/format.ts'
import { List, ListRow } from '#ui/list-row.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'

const COUNTS = [
  { name: 'open_orders', href: '/trade' },
  { name: 'withdrawals', href: '/history/withdrawal' },
  { name: 'deposits', href: '/history/deposit' },
  { name: 'decisions', href: '/history/transaction' },
] as const

/** Lists everything that must end before the erasing, each with the screen where the user can see or end it. */
export function Obstacles({ obstacles }: { obstacles: ClosingOut['obstacles'] }) {
  const counts = COUNTS.filter(({ name }) => obstacles[name] > 0)
  const cash = moneyOf(obstacles.cash)
  if (counts.length === 0 && cash === 0n) {
    return <Card className="text-small text-fg-2">{t('closing.nothing')}</Card>
  }
  return (
    <section>
      <SectionLabel>{t('closing.left')}</SectionLabel>
      <List>
        {counts.map(({ name, href }) => (
          <ListRow key={name} label={t(`closing.${name}`, { count: obstacles[name] })} href={href} />
        ))}
        {cash > 0n && <ListRow label={t('closing.cash', { amount: formatMoney(cash) })} href="/withdraw" />}
      </List>
      {cash > 0n && <p className="mt-2 px-0.5 text-small text-fg-2">{t('closing.no_minimum')}</p>}
    </section>
  )
}
