import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, ZERO } from '#core/money/money.ts'
import type { WithdrawalQuote } from '#core/wallet/withdrawal-quote.ts'
import { Card } from '#ui/card.tsx'
import { SumRow } from '#ui/sum-row.tsx'
import { t } from '#web/i18n/t.ts'
import { feeText, plain, rateText } from '#web/gateways/gateway-terms.ts'

/** The amount debited, the fee and the amount paid out, updated while typing. */
export function PayoutCard({ method, quote }: { method: WithdrawMethodOut; quote: WithdrawalQuote | null }) {
  const { currency } = method.single_currency
  return (
    <Card>
      <dl className="flex flex-col gap-2">
        <SumRow label={t('withdraw.from_balance')}>{amountText(quote?.amount, BASE_CURRENCY)}</SumRow>
        <SumRow label={t('withdraw.fee_terms', { terms: feeText(method) })}>
          {amountText(quote?.charge, BASE_CURRENCY)}
        </SumRow>
        <SumRow label={t('withdraw.receive')} strong divided>
          {amountText(quote?.paidOut, currency)}
        </SumRow>
      </dl>
      {currency !== BASE_CURRENCY && (
        <p className="num mt-1 text-caption text-fg-3 rtl:text-right">
          {t('withdraw.rate', { currency, rate: rateText(method), base: BASE_CURRENCY })}
        </p>
      )}
    </Card>
  )
}

function amountText(value: Money | undefined, currency: string): string {
  return `${plain(value ?? ZERO)} ${currency}`
}
