import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { CopyValue } from '#back-office/detail/copy-value.tsx'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { payment, time } from '#back-office/i18n/format.ts'
import { DownloadFile, EndFile } from '#back-office/pages/payment-files/file-actions.tsx'
import { PaymentFileState } from '#back-office/pages/payment-files/payment-file-state.tsx'
import { useMay, useStaff } from '#back-office/session/staff.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#back-office/i18n/t.ts'

type FileData = StaffReply<typeof staffCalls.staffPaymentFile>

/** A payment file with its lines, and what can be done with it. */
export function PaymentFileDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useStaffQuery(staffCalls.staffPaymentFile, { params: { id } })
  const { name } = useStaff()
  const mayExport = useMay('payments.export')
  const mayPay = useMay('withdrawals.pay')
  // An owner may have taken over all payments of the file and can then close the file.
  const mayTakeOver = useMay('withdrawals.take_over')
  const file = query.data
  const canEnd = mayPay && file?.state === 'open' && (file.made_by === name || mayTakeOver)
  return (
    <DetailPane
      title={file ? t('payment_files.title', { method: file.method, count: file.count }) : t('nav.payment_files')}
      subtitle={file && time(file.created_at)}
      query={query}
      onClose={onClose}
    >
      {file && (
        <>
          <FileFacts file={file} />
          {mayExport && file.state !== 'void' && <DownloadFile id={id} />}
          {canEnd && <EndFile id={id} />}
          <Lines file={file} />
        </>
      )}
    </DetailPane>
  )
}

function FileFacts({ file }: { file: FileData }) {
  return (
    <>
      <div className="flex items-center justify-between gap-4 pb-5">
        <b className="num text-title">{payment(file.sum, file.currency.toUpperCase())}</b>
        <PaymentFileState state={file.state} />
      </div>
      <Block title={t('payment_files.facts')}>
        <Facts>
          <Fact name={t('payment_files.made_by')}>{file.made_by}</Fact>
          <Fact name={t('payment_files.downloads')}>{file.downloads}</Fact>
          {file.voided_at !== null && <Fact name={t('payment_files.voided')}>{time(file.voided_at)}</Fact>}
          <Fact name={t('payment_files.hash')}>
            <CopyValue name={t('payment_files.hash')} value={file.sha256} />
          </Fact>
        </Facts>
      </Block>
    </>
  )
}

function Lines({ file: { lines, currency } }: { file: FileData }) {
  return (
    <Block title={t('payment_files.lines')}>
      <ol>
        {lines.map(({ line, trx, username, paid_out: paidOut, state, reference }) => (
          <li key={trx} className="flex justify-between gap-4 border-b border-line py-1.5">
            <span className="min-w-0">
              <span className="block truncate">{`${line}. ${username}`}</span>
              <Link href={`/admin/withdrawals/${trx}`} className="mono block truncate text-caption text-brand">
                {trx}
              </Link>
            </span>
            <span className="min-w-0 text-end">
              <span className="num block">{payment(paidOut, currency.toUpperCase())}</span>
              <span className="block truncate text-caption text-fg-3">
                {reference ?? t(`payment_files.line_${state}`)}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Block>
  )
}
