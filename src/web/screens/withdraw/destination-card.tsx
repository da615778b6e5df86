import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { methodPath } from '#core/navigation/withdraw-flow.ts'
import { Card } from '#ui/card.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

/** The saved payment details of a method, with a link to change them. */
export function DestinationCard({ method }: { method: WithdrawMethodOut }) {
  const filled = method.form.form_data.filter(({ value }) => value !== undefined && value !== '')
  return (
    <Card className="pt-2!">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-small font-semibold">{t('withdraw.paid_to')}</h2>
        <Link
          href={methodPath(method.id, { fromWithdraw: true })}
          className="flex min-h-11 items-center text-small font-semibold text-brand"
        >
          {t('withdraw.edit')}
        </Link>
      </div>
      <dl className="flex flex-col gap-1.5">
        {filled.map(({ name, label, value }) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 text-small">
            <dt className="text-fg-2">{label}</dt>
            <dd dir="auto" className="min-w-0 text-end font-semibold break-words">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
