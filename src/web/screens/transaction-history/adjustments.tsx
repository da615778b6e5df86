import { useState } from 'react'
import type { AdjustmentOut } from '#contract/adjustments.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { CheckLink } from '#web/screens/transaction-history/check-link.tsx'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'

const PER_PAGE = 10

/** Adjustments of the balance by staff, newest first. An announced adjustment can be disputed. */
export function Adjustments() {
  const [page, setPage] = useState(1)
  const query = useCallQuery('GET /user/adjustments', { query: { page, per_page: PER_PAGE } }, { keepPrevious: true })
  return (
    <PagedList
      query={query}
      items={query.data?.data.adjustments}
      page={page}
      onPage={setPage}
      label={t('transaction_history.adjustments')}
      keyOf={({ trx }) => trx}
      emptyText={t('transaction_history.adjustments_none')}
    >
      {(adjustment) => <AdjustmentCard adjustment={adjustment} onDisputed={() => void query.refetch()} />}
    </PagedList>
  )
}

function AdjustmentCard({ adjustment, onDisputed }: { adjustment: AdjustmentOut; onDisputed: () => void }) {
  const { trx, kind, link, amount, message, created_at, can_dispute } = adjustment
  return (
    <Card padded={false} className="px-4 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 font-semibold break-words">
          {t(`transaction_history.adjustment_kind_${kind}`, { reference: link ?? '' })}
        </h3>
        <MoneyText amount={moneyOf(amount)} plus className="font-semibold" />
      </div>
      <p className="flex flex-wrap items-end justify-between gap-x-3 text-label text-fg-2">
        <CheckLink trx={trx} isMoney />
        <span className="num">{whenText(created_at)}</span>
      </p>
      {message !== '' && (
        <p dir="auto" className="mt-2 text-small break-words whitespace-pre-line">
          {message}
        </p>
      )}
      <p className="mt-1 text-label text-fg-2">{stateText(adjustment)}</p>
      {can_dispute && <DisputeButton trx={trx} onDisputed={onDisputed} />}
    </Card>
  )
}

function stateText({ state, posts_at: postsAt }: AdjustmentOut): string {
  if (state === 'disputed') return t('transaction_history.adjustment_disputed')
  if (state === 'rejected') return t('transaction_history.adjustment_rejected')
  return state === 'announced' && postsAt !== null
    ? t('transaction_history.adjustment_announced', { time: whenText(postsAt) })
    : ''
}

function DisputeButton({ trx, onDisputed }: { trx: string; onDisputed: () => void }) {
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const dispute = async (): Promise<void> => {
    setSending(true)
    setFailure(null)
    try {
      await call('POST /user/adjustments/:trx/dispute', { params: { trx } })
      onDisputed()
    } catch (error) {
      setFailure(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <div className="mt-2 flex flex-col items-end gap-2">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      <Button variant="secondary" size="s" loading={isSending} onClick={() => void dispute()}>
        {t('transaction_history.dispute')}
      </Button>
    </div>
  )
}
