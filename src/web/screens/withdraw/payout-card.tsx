import type { ReactNode } from 'react'
import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, ZERO } from '#core/money/money.ts'
import type { WithdrawalQuote } from '#core/wallet/withdrawal-quote.ts'
import { Card } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'
import { feeText, plain } from '#web/gateways/gateway-terms.ts'

/** What leaves the balance, what the method keeps and what arrives; kept current while typing. */
export function PayoutCard({ method, quote }: { method: WithdrawMethodOut; quote: WithdrawalQuote | null }) {
  const { currency, rate } = method.single_currency
  return (
    <Card>
      <dl className="flex flex-col gap-2">
        <Row label={t('withdraw.from_balance')}>{amountText(quote?.amount, BASE_CURRENCY)}</Row>
        <Row label={t('withdraw.fee_terms', { terms: feeText(method) })}>
          {amountText(quote?.charge, BASE_CURRENCY)}
        </Row>
        <Row label={t('withdraw.receive')} strong divided>
          {amountText(quote?.paidOut, currency)}
        </Row>
      </dl>
      {currency !== BASE_CURRENCY && (
        <p className="num mt-1 text-caption text-fg-3 rtl:text-right">
          {t('withdraw.rate', { currency, rate: rate.toFixed(4), base: BASE_CURRENCY })}
        </p>
      )}
    </Card>
  )
}

function amountText(value: Money | undefined, currency: string): string {
  return `${plain(value ?? ZERO)} ${currency}`
}

interface RowProps {
  label: string
  strong?: boolean
  /** A line above: from here on it is sums. */
  divided?: boolean
  children: ReactNode
}

function Row({ label, strong = false, divided = false, children }: RowProps) {
  return (
    <div className={cx('flex items-baseline justify-between gap-3', divided && 'mt-1 border-t border-line pt-3')}>
      <dt className="text-small text-fg-2">{label}</dt>
      <dd className={cx('num font-semibold', strong ? 'text-input' : 'text-small')}>{children}</dd>
    </div>
  )
}
