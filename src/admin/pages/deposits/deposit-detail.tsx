import { staffCalls } from '#contract/admin/staff-calls.ts'
import type { StaffReply } from '#admin/api/call-staff.ts'
import { useStaffQuery } from '#admin/api/queries.ts'
import { DetailPane } from '#admin/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#admin/detail/facts.tsx'
import { amount, money, time } from '#admin/format.ts'
import { DecideDeposit } from '#admin/pages/deposits/decide-deposit.tsx'
import { ReceiptView } from '#admin/pages/deposits/receipt-view.tsx'
import { DepositState } from '#admin/pages/deposits/deposit-state.tsx'
import { useMay } from '#admin/shell/staff.ts'
import { t } from '#admin/t.ts'

export type DepositDetailData = StaffReply<typeof staffCalls.adminDeposit>

export function DepositDetail({ trx, onClose }: { trx: string; onClose: () => void }) {
  const deposit = useStaffQuery(staffCalls.adminDeposit, { params: { trx } })
  const mayDecide = useMay('deposits.decide')
  return (
    <DetailPane
      title={<span className="mono">{trx}</span>}
      subtitle={deposit.data && t('common.asked_at', { time: time(deposit.data.created_at) })}
      query={deposit}
      onClose={onClose}
      footer={mayDecide && deposit.data?.state === 'waiting' && <DecideDeposit deposit={deposit.data} />}
    >
      {deposit.data && <DepositFacts deposit={deposit.data} />}
    </DetailPane>
  )
}

function DepositFacts({ deposit }: { deposit: DepositDetailData }) {
  const { currency } = deposit
  return (
    <>
      <div className="flex items-center justify-between pb-5">
        <span>
          <b className="block text-heading">{deposit.username}</b>
          <DepositState row={deposit} />
        </span>
        <span className="num text-end">
          <b className="block text-title">{money(deposit.credited)}</b>
          <span className="text-caption text-fg-3">
            {t(deposit.state === 'credited' ? 'deposits.were_credited' : 'deposits.credits_on_approval')}
          </span>
        </span>
      </div>
      <Block title={t('deposits.quoted')}>
        <Facts>
          <Fact name={t('deposits.gateway')}>{deposit.gateway}</Fact>
          <Fact name={t('deposits.amount')}>{`${amount(deposit.amount)} ${currency}`}</Fact>
          <Fact name={t('deposits.charge')}>{`${amount(deposit.charge)} ${currency}`}</Fact>
          <Fact name={t('deposits.total')}>{`${amount(deposit.total)} ${currency}`}</Fact>
          <Fact name={t('deposits.rate')}>{`1 ${currency} = ${deposit.rate}`}</Fact>
        </Facts>
      </Block>
      {deposit.fields.length > 0 && (
        <Block title={t('deposits.filled_in')}>
          <Facts>
            {deposit.fields.map(({ label, value }) => (
              <Fact key={label} name={label}>
                {value}
              </Fact>
            ))}
          </Facts>
        </Block>
      )}
      {deposit.files.map((file) => (
        <Block key={file.name} title={file.label}>
          <ReceiptView file={file} />
        </Block>
      ))}
      {deposit.feedback !== '' && (
        <Block title={t('common.told')}>
          <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{deposit.feedback}</p>
        </Block>
      )}
    </>
  )
}
