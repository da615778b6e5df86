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
import { WrongLink } from '#web/tickets/wrong-link.tsx'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'
import { plain } from '#web/gateways/gateway-terms.ts'
import { CancelButton } from '#web/screens/withdrawal-history/cancel-button.tsx'

const OUTCOMES = {
  requested: 'pending',
  approved: 'pending',
  paying: 'pending',
  paid: 'success',
  failed: 'rejected',
  returned: 'rejected',
  rejected: 'rejected',
  cancelled: 'cancelled',
} as const

/** One withdrawal: amount, method, state, its steps, and the message of the operator. */
export function WithdrawalCard({ withdrawal }: { withdrawal: WithdrawalOut }) {
  const isBlocked = Boolean(useSession()?.user.leaving)
  const { state } = withdrawal
  const outcome = OUTCOMES[state]
  const payout = { amount: plain(moneyOf(withdrawal.paid_out)), currency: withdrawal.currency }
  return (
    <Card padded={false} className="px-4 py-3">
      {/* A long state goes below the method, so that it never covers the time. */}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <GatewayMark name={withdrawal.method} image={withdrawal.method_image} size={36} />
        <div className="min-w-32 flex-1">
          <p className="font-semibold wrap-anywhere">{withdrawal.method}</p>
          <p className="num text-label text-fg-3">{whenText(withdrawal.created_at)}</p>
        </div>
        <div className="ms-auto flex flex-col items-end gap-1">
          <MoneyText amount={moneyOf(withdrawal.amount)} className="font-semibold" />
          <OutcomePill outcome={outcome}>{stateText(state)}</OutcomePill>
        </div>
      </div>
      <p className="mt-2.5 flex flex-wrap items-end justify-between gap-x-3 border-t border-line pt-2.5 text-label text-fg-2">
        <CheckLink trx={withdrawal.trx} isMoney />
        {outcome === 'success' && <span className="tabular-nums">{t('withdrawal_history.paid_out', payout)}</span>}
        {outcome === 'pending' && <span className="tabular-nums">{t('withdrawal_history.to_be_paid', payout)}</span>}
        {(outcome === 'rejected' || outcome === 'cancelled') && <span>{t('withdrawal_history.given_back')}</span>}
      </p>
      {state === 'paid' && (
        <p className="mt-1 text-label break-words text-fg-2">
          {withdrawal.reference === null ? (
            t('withdrawal_history.before_references')
          ) : (
            <>
              {t('withdrawal_history.reference')} <bdi className="mono break-all">{withdrawal.reference}</bdi>
            </>
          )}
        </p>
      )}
      <Steps steps={withdrawal.steps} />
      {outcome === 'rejected' && withdrawal.admin_feedback !== '' && (
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
      {outcome === 'pending' && (
        <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-3">
          {withdrawal.due_at === null ? <span /> : <Due at={withdrawal.due_at} />}
          {!isBlocked && withdrawal.can_cancel && <CancelButton withdrawal={withdrawal} />}
        </div>
      )}
      <WrongLink kind="withdrawal" trx={withdrawal.trx} />
    </Card>
  )
}

function stateText(state: WithdrawalOut['state']): string {
  return state === 'rejected' || state === 'cancelled'
    ? t(`withdrawal_history.${state}`)
    : t(`withdrawal_history.state_${state}`)
}

/** The steps of a withdrawal with their times, once there is more than the request. */
function Steps({ steps }: Pick<WithdrawalOut, 'steps'>) {
  if (steps.length < 2) return null
  return (
    <ol aria-label={t('withdrawal_history.steps')} className="mt-2.5 flex flex-col gap-1 text-label text-fg-2">
      {steps.map(({ step, at }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- steps are only added, and one step can be taken twice
        <li key={place} className="flex flex-wrap justify-between gap-x-3">
          <span>{stepText(step)}</span>
          <span className="num">{whenText(at)}</span>
        </li>
      ))}
    </ol>
  )
}

function stepText(step: WithdrawalOut['steps'][number]['step']): string {
  switch (step) {
    case 'requested':
    case 'unsent':
    case 'details_changed':
      return t(`withdrawal_history.step_${step}`)
    default:
      return stateText(step)
  }
}

/** The deadline of a pending withdrawal, or since when the withdrawal is overdue. */
function Due({ at }: { at: string }) {
  const isLate = Date.parse(at) < serverNowMs()
  return (
    <p className={isLate ? 'text-label font-semibold text-danger' : 'text-label text-fg-2'}>
      {t(isLate ? 'withdrawal_history.late_since' : 'withdrawal_history.due', { time: whenText(at) })}
    </p>
  )
}
