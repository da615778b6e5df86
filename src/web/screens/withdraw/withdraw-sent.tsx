import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef } from 'react'
import type { WithdrawalOut } from '#contract/withdrawals.ts'
import { ButtonLink } from '#ui/button.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { formatMoney } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { plain } from '#web/gateways/gateway-terms.ts'
import { copyLabels } from '#web/i18n/copy-labels.ts'

/** Step two: the request was sent to the operator. */
export function WithdrawSent({ withdrawal }: { withdrawal: WithdrawalOut }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form that had the focus has disappeared, so the heading takes the focus.
  useEffect(() => heading.current?.focus(), [])
  const paidOut = `${plain(moneyOf(withdrawal.paid_out))} ${withdrawal.currency}`
  const sentText = withdrawal.can_cancel
    ? t('withdraw.sent_text', { amount: paidOut })
    : t('withdraw.sent_text_locked', { amount: paidOut })
  return (
    <div className="flex flex-1 flex-col items-center pt-10 pb-6 text-center">
      <CircleCheck size={40} strokeWidth={1.5} className="text-ok" aria-hidden="true" />
      <h2 ref={heading} tabIndex={-1} className="mt-4 text-body font-semibold outline-none">
        {t('withdraw.sent')}
      </h2>
      <p className="num mt-1 text-wallet">{formatMoney(moneyOf(withdrawal.amount))}</p>
      <p className="mt-2 max-w-[40ch] text-small text-fg-2">{sentText}</p>
      <CopyRow text={withdrawal.trx} labels={copyLabels()} className="mt-5 w-full max-w-[400px]" />
      <div className="mt-auto flex w-full max-w-[400px] flex-col gap-2 pt-8 md:mt-0">
        <ButtonLink href="/history/withdrawal">{t('withdraw.to_history')}</ButtonLink>
        <ButtonLink href="/wallet" variant="secondary">
          {t('withdraw.to_wallet')}
        </ButtonLink>
      </div>
    </div>
  )
}
