import { useEffect, useState } from 'react'
import type { DepositOut } from '#contract/deposits.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { GatewayMark } from '#ui/gateway-mark.tsx'
import { groupedNumber } from '#ui/format.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { DepositStateLine } from '#web/screens/deposit-history/deposit-state-line.tsx'
import { CheckLink } from '#web/screens/transaction-history/check-link.tsx'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'
import { WrongLink } from '#web/tickets/wrong-link.tsx'
import { UsualTime } from '#web/screens/withdrawal-history/usual-time.tsx'
import { useDepositsClosed } from '#web/site/settings.ts'
import { onBalanceChange } from '#web/session/balance-changes.ts'

const PER_PAGE = 4
const PENDING = 2

/** The user's deposits, newest first, four per page. */
export function DepositList() {
  const whyClosed = useDepositsClosed()
  const [page, setPage] = useState(1)
  const query = useCallQuery('GET /user/deposits', { query: { page, per_page: PER_PAGE } }, { keepPrevious: true })
  const { refetch } = query
  useEffect(() => onBalanceChange(() => void refetch()), [refetch])
  const isWaiting = query.data?.data.deposits.some(({ status }) => status === PENDING) === true
  return (
    <>
      <PagedList
        query={query}
        items={query.data?.data.deposits}
        page={page}
        onPage={setPage}
        label={t('deposit_history.list')}
        keyOf={({ trx }) => trx}
        emptyText={t('deposit_history.empty')}
        emptyAction={
          whyClosed === null && (
            <ButtonLink href="/deposit" variant="secondary" size="m">
              {t('deposit_history.to_deposit')}
            </ButtonLink>
          )
        }
      >
        {(deposit) => <DepositCard deposit={deposit} />}
      </PagedList>
      {isWaiting && <UsualTime of="deposits" />}
    </>
  )
}

const STATUS = { 1: 'success', 2: 'pending', 3: 'rejected' } as const

function stateText({ state }: DepositOut, status: 'success' | 'pending' | 'rejected'): string {
  const isOwn = state === 'waiting' || state === 'seen' || state === 'review' || state === 'expired'
  return t(`deposit_history.${isOwn ? state : status}`)
}

function DepositCard({ deposit }: { deposit: DepositOut }) {
  const status = STATUS[deposit.status]
  const total = groupedNumber(deposit.total.toFixed(2))
  return (
    <Card padded={false} className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <GatewayMark name={deposit.method} image={deposit.method_image} size={36} />
        <div className="min-w-0 flex-[1_1_8rem]">
          <p className="font-semibold break-words">{deposit.method}</p>
          <p className="text-label text-fg-3 tabular-nums">{whenText(deposit.created_at)}</p>
        </div>
        <div className="ms-auto flex flex-col items-end gap-1">
          <MoneyText amount={moneyOf(deposit.credited)} plus={deposit.status === 1} className="font-semibold" />
          <OutcomePill outcome={status}>{stateText(deposit, status)}</OutcomePill>
        </div>
      </div>
      <p className="mt-2.5 flex flex-wrap items-end justify-between gap-x-3 border-t border-line pt-2.5 text-label text-fg-2">
        <CheckLink trx={deposit.trx} isMoney />
        <span className="tabular-nums">
          {status === 'success' ? (
            t('deposit_history.paid', { total, currency: deposit.currency })
          ) : (
            <>
              {t('deposit.total')}{' '}
              <span className="num">
                {total} {deposit.currency}
              </span>
            </>
          )}
        </span>
      </p>
      <DepositStateLine deposit={deposit} />
      {deposit.admin_feedback !== '' && (
        <div className="mt-2.5 rounded-chip bg-surface-2 px-3 py-2.5">
          <p className="text-caption font-medium text-fg-3">{t('deposit_history.response')}</p>
          <p dir="auto" className="text-small break-words whitespace-pre-line">
            {deposit.admin_feedback}
          </p>
        </div>
      )}
      <WrongLink kind="deposit" trx={deposit.trx} />
    </Card>
  )
}
