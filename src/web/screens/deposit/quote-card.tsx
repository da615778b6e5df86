import type { GatewayOut } from '#contract/deposits.ts'
import { money } from '#core/money/money.ts'
import type { DepositQuote } from '#core/wallet/deposit-quote.ts'
import { Card } from '#ui/card.tsx'
import { SumRow } from '#ui/sum-row.tsx'
import { t } from '#web/i18n/t.ts'
import { feeText, plain, rateText, termsOf } from '#web/gateways/gateway-terms.ts'
import { receivedText } from '#web/screens/deposit/deposit-rules.ts'
import { useSession } from '#web/session/session.ts'

/** The amount to pay and the amount credited, updated while typing. */
export function QuoteCard({ gateway, quote }: { gateway: GatewayOut; quote: DepositQuote | null }) {
  const user = useSession()?.user
  const { currency } = gateway.single_currency
  const amount = (value: bigint | undefined) => `${plain(money(value ?? 0n))} ${currency}`
  const charge = quote && quote.percentCharge + quote.fixedCharge
  return (
    <Card>
      <dl className="flex flex-col gap-2">
        <SumRow label={t('deposit.amount')}>{amount(quote?.amount)}</SumRow>
        <SumRow label={feeLabel(gateway)}>{amount(charge ?? undefined)}</SumRow>
        <SumRow label={t('deposit.total')} strong divided>
          {amount(quote?.total)}
        </SumRow>
        <SumRow label={t('deposit.receive')} strong>
          {user?.currency_symbol ?? '$'}
          {quote === null ? '0.0000' : receivedText(quote)}
        </SumRow>
      </dl>
      <p className="mt-1 text-caption text-fg-3 tabular-nums">
        {t('deposit.rate', { currency, rate: rateText(gateway), base: user?.currency_name ?? 'USD' })}
      </p>
      {gateway.is_live_rate && <p className="text-caption text-fg-3">{t('deposit.rate_live')}</p>}
    </Card>
  )
}

function feeLabel(gateway: GatewayOut): string {
  const { percentCharge, fixedCharge } = termsOf(gateway)
  const isFree = percentCharge === 0 && fixedCharge === 0n
  return isFree ? t('deposit.fee') : t('deposit.fee_terms', { terms: feeText(gateway) })
}
