import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { MAX_AGAIN_DAYS } from '#core/wallet/leave.ts'
import { readRejectionCode, type RejectionCode, rejectionCodes } from '#core/wallet/withdrawal-deadline.ts'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { CopyValue } from '#back-office/detail/copy-value.tsx'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, payment, time } from '#back-office/i18n/format.ts'
import { Checks } from '#back-office/pages/withdrawals/checks.tsx'
import { LedgerEntries } from '#back-office/pages/withdrawals/ledger-entries.tsx'
import { WithdrawalState } from '#back-office/pages/withdrawals/withdrawal-state.tsx'
import { decideFooter, DecisionWords } from '#back-office/queues/decide-panel.tsx'
import { DecidedBy } from '#back-office/queues/decided-by.tsx'
import { UserHeader } from '#back-office/queues/user-header.tsx'
import { Remarks } from '#back-office/queues/remarks.tsx'
import { useDecision } from '#back-office/queues/use-decision.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import type { WithdrawalDetailData } from '#back-office/pages/withdrawals/withdrawal-data.ts'

const DONE = {
  paid: 'withdrawals.done_paid',
  rejected: 'withdrawals.done_rejected',
  'first-approval': 'withdrawals.done_first',
  'first-rejection': 'withdrawals.done_first_rejection',
} as const

export function WithdrawalDetail({ trx, onClose }: { trx: string; onClose: () => void }) {
  const query = useStaffQuery(staffCalls.staffWithdrawal, { params: { trx } })
  const toast = useToast()
  const done = ({ outcome }: { outcome: keyof typeof DONE }) => toast({ tone: 'success', text: t(DONE[outcome]) })
  const options = { onDone: done, alsoAreas: ['counts', 'users', 'ledger'] }
  const [reasonCode, setReasonCode] = useState<RejectionCode>('details_wrong')
  const [againDays, setAgainDays] = useState(MAX_AGAIN_DAYS)
  const reject = useStaffChange(staffCalls.staffRejectWithdrawal, options)
  const needsAgain = query.data?.is_leave === true && reasonCode !== 'details_wrong'
  const decision = useDecision({
    approve: useStaffChange(staffCalls.staffApproveWithdrawal, options),
    reject: {
      ...reject,
      mutate: ({ params, body }) =>
        reject.mutate({
          params,
          body: { ...body, reason_code: reasonCode, ...(needsAgain && { again_days: againDays }) },
        }),
    },
  })
  const remark = useStaffChange(staffCalls.staffRemarkWithdrawal)
  const mayDecide = useMay('withdrawals.decide')
  const withdrawal = query.data
  const isOpen = mayDecide && withdrawal?.state === 'waiting'
  return (
    <DetailPane
      title={<span className="mono">{trx}</span>}
      subtitle={withdrawal && t('common.asked_at', { time: time(withdrawal.created_at) })}
      query={query}
      onClose={onClose}
      footer={
        withdrawal &&
        decideFooter({
          item: withdrawal,
          decision,
          isOpen,
          amount: payment(withdrawal.paid_out, withdrawal.currency),
        })
      }
    >
      {withdrawal && (
        <>
          <WithdrawalFacts withdrawal={withdrawal} />
          {isOpen && (
            <RejectionReason codes={rejectionCodes(withdrawal.is_leave)} value={reasonCode} onChange={setReasonCode} />
          )}
          {isOpen && needsAgain && <AgainDays value={againDays} onChange={setAgainDays} />}
          {isOpen && <DecisionWords decision={decision} />}
          <Remarks
            remarks={withdrawal.remarks}
            onAdd={(text) => remark.mutateAsync({ params: { trx }, body: { text } })}
          />
        </>
      )}
    </DetailPane>
  )
}

interface RejectionReasonProps {
  codes: readonly RejectionCode[]
  value: RejectionCode
  onChange: (code: RejectionCode) => void
}

function RejectionReason({ codes, value, onChange }: RejectionReasonProps) {
  return (
    <Select
      className="pb-4"
      label={t('withdrawals.reason')}
      value={value}
      options={codes.map((code) => ({ value: code, label: t(`withdrawals.reason_${code}`) }))}
      onChange={(text) => onChange(readRejectionCode(text) ?? value)}
    />
  )
}

/** After how many days a user whose leave is refused can ask again. */
function AgainDays({ value, onChange }: { value: number; onChange: (days: number) => void }) {
  return (
    <Select
      className="pb-4"
      label={t('withdrawals.again_days')}
      value={String(value)}
      options={Array.from({ length: MAX_AGAIN_DAYS }, (_, place) => String(place + 1)).map((days) => ({
        value: days,
        label: days,
      }))}
      onChange={(text) => onChange(Number(text))}
    />
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

function WithdrawalFacts({ withdrawal }: { withdrawal: WithdrawalDetailData }) {
  const { recent, currency, charge, paid_out: paidOut } = withdrawal
  return (
    <>
      <UserHeader
        user={withdrawal}
        amount={money(withdrawal.amount)}
        note={t('withdrawals.fee_and_pays', { fee: money(charge), amount: payment(paidOut, currency) })}
        state={(withdrawal.state !== 'waiting' || withdrawal.needs_two) && <WithdrawalState row={withdrawal} long />}
      />
      {withdrawal.is_leave && (
        <p className="pb-3">
          {t('withdrawals.leave')} {withdrawal.is_above_principal && t('withdrawals.leave_above')}
        </p>
      )}
      {withdrawal.due_at !== null && <DueLine dueAt={withdrawal.due_at} />}
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
        </Facts>
      </Block>
      {withdrawal.checks.length > 0 && <Checks checks={withdrawal.checks} />}
      <LedgerEntries moves={withdrawal.moves} />
      <Block title={t('withdrawals.recent')}>
        <Facts>
          <Fact name={t('withdrawals.recent_money')}>{`${money(recent.deposited)}, ${money(recent.withdrawn)}`}</Fact>
          <Fact name={t('withdrawals.recent_orders')}>{`${recent.orders}, ${recent.won}`}</Fact>
        </Facts>
      </Block>
      <DecidedBy row={withdrawal} />
      {withdrawal.feedback !== '' && (
        <Block title={t('common.told')}>
          <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{withdrawal.feedback}</p>
        </Block>
      )}
    </>
  )
}
