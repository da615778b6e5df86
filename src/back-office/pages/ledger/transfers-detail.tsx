import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Link } from '#ui/link.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import { movement, transferName } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'

const PAGE = { order: 'orders', deposit: 'deposits', withdrawal: 'withdrawals' } as const

interface TransfersDetailProps {
  userId: string
  reference: string
  onClose: () => void
}

/** All transfers of one reference, oldest first. */
export function TransfersDetail({ userId, reference, onClose }: TransfersDetailProps) {
  const found = useStaffQuery(staffCalls.staffTransfersOf, { params: { user_id: userId, ref: reference } })
  const about = found.data?.about
  const [first] = found.data?.transfers ?? []
  return (
    <DetailPane
      title={about ? <span className="mono">{about.trx}</span> : t('ledger.movements')}
      subtitle={first?.username}
      query={found}
      onClose={onClose}
    >
      {about && (
        <p className="pb-4">
          <Link href={`/admin/${PAGE[about.kind]}/${about.trx}`} className="font-semibold text-brand hover:underline">
            {t(`ledger.see_${about.kind}`)}
          </Link>
        </p>
      )}
      {found.data?.transfers.map((transfer) => (
        <Block key={transfer.step} title={transferName(transfer.kind)}>
          <Facts>
            <Fact name={t('ledger.amount')}>{`${money(transfer.amount)} ${transfer.currency}`}</Fact>
            <Fact name={t('ledger.movement')}>{movement(transfer.from_account, transfer.to_account)}</Fact>
            <Fact name={t('ledger.at')}>{time(transfer.at)}</Fact>
            <Fact name={t('ledger.code')}>
              <span className="mono">{transfer.kind}</span>
            </Fact>
          </Facts>
        </Block>
      ))}
      <Block title={t('ledger.id')}>
        <p className="mono break-all text-fg-3">{reference}</p>
      </Block>
    </DetailPane>
  )
}
