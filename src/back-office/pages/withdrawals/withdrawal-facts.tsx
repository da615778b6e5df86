import { useState } from 'react'
import { renderSVG } from 'uqr'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { CopyValue } from '#back-office/detail/copy-value.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, payment, time } from '#back-office/i18n/format.ts'
import { Checks } from '#back-office/pages/withdrawals/checks.tsx'
import { LedgerEntries } from '#back-office/pages/withdrawals/ledger-entries.tsx'
import { Timeline } from '#back-office/detail/timeline.tsx'
import type { WithdrawalDetailData } from '#back-office/pages/withdrawals/withdrawal-data.ts'
import { WithdrawalState } from '#back-office/pages/withdrawals/withdrawal-state.tsx'
import { UserHeader } from '#back-office/queues/user-header.tsx'
import { t } from '#back-office/i18n/t.ts'

/** The facts of a withdrawal: user, amount, destination, checks, payment, transfers and history. */
export function WithdrawalFacts({ withdrawal }: { withdrawal: WithdrawalDetailData }) {
  const { recent, currency, charge, paid_out: paidOut } = withdrawal
  return (
    <>
      <UserHeader
        user={withdrawal}
        amount={money(withdrawal.amount)}
        note={t('withdrawals.fee_and_pays', { fee: money(charge), amount: payment(paidOut, currency) })}
        state={(withdrawal.state !== 'requested' || withdrawal.needs_two) && <WithdrawalState row={withdrawal} long />}
      />
      {withdrawal.is_leave && (
        <p className="pb-3">
          {t('withdrawals.leave')} {withdrawal.is_above_principal && t('withdrawals.leave_above')}
        </p>
      )}
      {withdrawal.due_at !== null && <DueLine dueAt={withdrawal.due_at} />}
      {withdrawal.is_overdue && <p className="pb-3 font-semibold text-danger">{t('withdrawals.overdue')}</p>}
      <PayTo withdrawal={withdrawal} />
      {withdrawal.checks.length > 0 && <Checks checks={withdrawal.checks} />}
      <Payment withdrawal={withdrawal} />
      <LedgerEntries moves={withdrawal.moves} />
      <Timeline
        title={t('withdrawals.timeline')}
        steps={withdrawal.steps}
        stepText={(step) => t(`withdrawals.step_${step}`)}
      />
      <Block title={t('withdrawals.recent')}>
        <Facts>
          <Fact name={t('withdrawals.recent_money')}>{`${money(recent.deposited)}, ${money(recent.withdrawn)}`}</Fact>
          <Fact name={t('withdrawals.recent_orders')}>{`${recent.orders}, ${recent.won}`}</Fact>
        </Facts>
      </Block>
    </>
  )
}

/**
 * The destination and the amount of the payment, each with a copy button. While the withdrawal is being paid, the
 * destination is also shown as a QR code.
 */
function PayTo({ withdrawal }: { withdrawal: WithdrawalDetailData }) {
  const { currency, paid_out: paidOut, state, destination } = withdrawal
  return (
    <Block title={t('withdrawals.pay_to')}>
      <Facts>
        <Fact name={t('withdrawals.method')}>{withdrawal.method}</Fact>
        {withdrawal.details.map(({ label, value }) => (
          <Fact key={label} name={label}>
            <CopyValue name={label} value={value} />
          </Fact>
        ))}
        {withdrawal.rate !== 1 && (
          <Fact name={t('withdrawals.rate')}>{`1 ${currency} = ${withdrawal.rate} ${BASE_CURRENCY}`}</Fact>
        )}
        <Fact name={`${t('withdrawals.send')} (${currency})`}>
          <CopyValue name={t('withdrawals.send')} value={paidOut.toFixed(2)} />
        </Fact>
      </Facts>
      {state === 'paying' && destination !== null && (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(destination))}`}
          alt={t('withdrawals.square')}
          width={160}
          height={160}
          className="mx-auto mt-3 rounded-card bg-white p-2"
        />
      )}
    </Block>
  )
}

function Payment({ withdrawal }: { withdrawal: WithdrawalDetailData }) {
  const { paying_by: payer, paying_since: since, paid_by: by, reference } = withdrawal
  if (payer === null && by === null && reference === null && !withdrawal.is_before_references) return null
  return (
    <Block title={t('withdrawals.payment')}>
      <Facts>
        {payer !== null && since !== null && (
          <Fact name={t('withdrawals.paying_by')}>
            {t('withdrawals.being_paid_by', { who: payer, time: time(since) })}
          </Fact>
        )}
        {by !== null && <Fact name={t('withdrawals.paid_by')}>{by}</Fact>}
        {reference !== null && (
          <Fact name={t('withdrawals.reference')}>
            <CopyValue name={t('withdrawals.reference')} value={reference} />
          </Fact>
        )}
      </Facts>
      {withdrawal.is_before_references && <p className="text-fg-2">{t('withdrawals.before_references')}</p>}
    </Block>
  )
}

/** The deadline of a pending withdrawal. */
function DueLine({ dueAt }: { dueAt: string }) {
  const [openedMs] = useState(() => Date.now())
  const isLate = Date.parse(dueAt) < openedMs
  return (
    <p className={isLate ? 'pb-3 font-semibold text-danger' : 'pb-3 text-fg-2'}>
      {t(isLate ? 'withdrawals.late_since' : 'withdrawals.due', { time: time(dueAt) })}
    </p>
  )
}
