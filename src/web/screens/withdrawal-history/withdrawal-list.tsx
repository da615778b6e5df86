import { useEffect, useRef, useState } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { UsualTime } from '#web/screens/withdrawal-history/usual-time.tsx'
import { WithdrawalCard } from '#web/screens/withdrawal-history/withdrawal-card.tsx'
import { onBalanceChange } from '#web/session/balance-changes.ts'
import { useSession } from '#web/session/session.ts'
import { refreshUser } from '#web/site/refresh-user.ts'

const PER_PAGE = 10
const PENDING = 2
/** 20 s between requests while a withdrawal is pending, in case its notification is lost. */
const ASK_AGAIN_MS = 20_000

/** The user's withdrawals, newest first, ten per page; refreshed while one is pending. */
export function WithdrawalList() {
  const isBlocked = Boolean(useSession()?.user.leaving)
  const [page, setPage] = useState(1)
  const [waits, setWaits] = useState(false)
  const query = useCallQuery(
    'GET /user/withdrawals',
    { query: { page, per_page: PER_PAGE } },
    { keepPrevious: true, ...(waits && { everyMs: ASK_AGAIN_MS }) },
  )
  const list = query.data?.data.withdrawals
  const pending = list?.filter(({ status }) => status === PENDING).length ?? 0
  if (waits !== pending > 0) setWaits(pending > 0)
  useRefreshWhenFewer(pending)
  const { refetch } = query
  useEffect(() => onBalanceChange(() => void refetch()), [refetch])
  return (
    <>
      <PagedList
        query={query}
        items={list}
        page={page}
        onPage={setPage}
        label={t('withdrawal_history.list')}
        keyOf={({ trx }) => trx}
        emptyText={t('withdrawal_history.empty')}
        emptyAction={
          isBlocked ? undefined : (
            <ButtonLink href="/withdraw" variant="secondary" size="m">
              {t('withdrawal_history.to_withdraw')}
            </ButtonLink>
          )
        }
      >
        {(withdrawal) => <WithdrawalCard withdrawal={withdrawal} />}
      </PagedList>
      {pending > 0 && <UsualTime of="withdrawals" />}
    </>
  )
}

/** A decided withdrawal changes the balance, so the account is reloaded. */
function useRefreshWhenFewer(pending: number): void {
  const before = useRef(pending)
  useEffect(() => {
    if (pending < before.current) void refreshUser()
    before.current = pending
  }, [pending])
}
