import type { WithdrawalOut } from '#contract/withdrawals.ts'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { GatewayMark } from '#ui/gateway-mark.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'
import { serverNowMs } from '#web/site/settings.ts'
import { CheckLink } from '#web/screens/transaction-history/check-link.tsx'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'
import { plain } from '#web/gateways/gateway-terms.ts'
import { CancelButton } from '#web/screens/withdrawal-history/cancel-button.tsx'

const STATUS = { 1: 'success', 2: 'pending', 3: 'rejected' } as const

/** One withdrawal: amount, method, status, and the reason for a rejection. */
export function WithdrawalCard({ withdrawal }: { withdrawal: WithdrawalOut }) {
  const isBlocked = Boolean(useSession()?.user.leaving)
  const status = withdrawal.is_cancelled ? 'cancelled' : STATUS[withdrawal.status]
  const payout = { amount: plain(moneyOf(withdrawal.paid_out)), currency: withdrawal.currency }
  return (
    <Card padded={false} className="px-4 py-3">
      <div className="flex items-center gap-3">
        <GatewayMark name={withdrawal.method} image={withdrawal.method_image} size={36} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{withdrawal.method}</p>
          <p className="num text-label text-fg-3">{whenText(withdrawal.created_at)}</p>
        </div>
        <div className="flex flex-col items-end gap-1">
          <MoneyText amount={moneyOf(withdrawal.amount)} className="font-semibold" />
          <OutcomePill outcome={status}>{t(`withdrawal_history.${status}`)}</OutcomePill>
        </div>
      </div>
      <p className="mt-2.5 flex flex-wrap items-end justify-between gap-x-3 border-t border-line pt-2.5 text-label text-fg-2">
        <CheckLink trx={withdrawal.trx} isMoney />
        {status === 'success' && <span className="tabular-nums">{t('withdrawal_history.paid_out', payout)}</span>}
        {status === 'pending' && <span className="tabular-nums">{t('withdrawal_history.to_be_paid', payout)}</span>}
        {(status === 'rejected' || status === 'cancelled') && <span>{t('withdrawal_history.given_back')}</span>}
      </p>
      {status === 'rejected' && withdrawal.admin_feedback !== '' && (
        <div className="mt-2.5 rounded-chip bg-surface-2 px-3 py-2.5">
          <p className="text-caption font-medium text-fg-3">{t('withdrawal_history.response')}</p>
          <p dir="auto" className="text-small break-words whitespace-pre-line">
            {withdrawal.admin_feedback}
          </p>
          {withdrawal.reason_code !== null && (
            <p className="text-small text-fg-2">{t(`withdrawal_history.reason_${withdrawal.reason_code}`)}</p>
          )}
        </div>
      )}
      {status === 'pending' && (
        <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-3">
          {withdrawal.due_at === null ? <span /> : <Due at={withdrawal.due_at} />}
          {!isBlocked && <CancelButton withdrawal={withdrawal} />}
        </div>
      )}
    </Card>
  )
}

/** The deadline of a pending withdrawal, or since when it is late. */
function Due({ at }: { at: string }) {
  const isLate = Date.parse(at) < serverNowMs()
  return (
    <p className={isLate ? 'text-label font-semibold text-danger' : 'text-label text-fg-2'}>
      {t(isLate ? 'withdrawal_history.late_since' : 'withdrawal_history.due', { time: whenText(at) })}
    </p>
  )
}
