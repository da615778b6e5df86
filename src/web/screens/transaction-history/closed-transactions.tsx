import ArrowRight from 'lucide-react/icons/arrow-right'
import { useEffect, useState } from 'react'
import type { TransactionOut } from '#contract/transactions.ts'
import { Card } from '#ui/card.tsx'
import { Chips } from '#ui/chips.tsx'
import { cx } from '#ui/cx.ts'
import { groupedNumber } from '#ui/format.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { callKey, queryClient, useCallQuery } from '#web/api/query.tsx'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { onResult } from '#web/live/live-client.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { CheckLink } from '#web/screens/transaction-history/check-link.tsx'
import { RepeatButton } from '#web/screens/transaction-history/repeat-button.tsx'
import { OrderDetails } from '#web/screens/transaction-history/order-details.tsx'
import { OrderHead } from '#web/screens/transaction-history/order-head.tsx'
import { expiryText, netOf, outcomeOf, voidText } from '#web/screens/transaction-history/transaction-text.ts'

const PER_PAGE = 10

const ALL = 'all'
const SOLD = 'sold'
type Filter = typeof ALL | typeof SOLD

/**
 * Closed orders, newest first, ten per page. Users who have sold orders back can choose to see only the sold orders.
 * Without such an order nothing mentions sales, because most sites do not offer sales.
 */
export function ClosedTransactions() {
  const [filter, setFilter] = useState<Filter>(ALL)
  const hasSold = useHasSold()
  useEffect(
    () => onResult(() => void queryClient.invalidateQueries({ queryKey: callKey('GET /user/transactions') })),
    [],
  )
  return (
    <>
      {hasSold && (
        <Chips
          label={t('transaction_history.filter')}
          options={[
            { value: ALL, label: t('trade.all') },
            { value: SOLD, label: t('transaction_history.sold') },
          ]}
          value={filter}
          onChange={setFilter}
          className="mb-3"
        />
      )}
      <ClosedList key={filter} filter={filter} />
    </>
  )
}

/**
 * Whether the user has sold an order. Asks the server only if the newest orders include no sold order and older orders
 * exist.
 */
function useHasSold(): boolean {
  const [hadSold, setHadSold] = useState(false)
  const first = { account: useAccount(), page: 1, per_page: PER_PAGE }
  const newest = useCallQuery('GET /user/transactions', { query: first }).data
  const isSoldShown = newest?.data.transactions.some(({ trade_log: log }) => outcomeOf(log) === 'sold') ?? false
  const isOpen = !hadSold && !isSoldShown && (newest?.meta?.pages ?? 1) > 1
  const sold = useCallQuery('GET /user/transactions', { query: { ...first, outcome: SOLD } }, { enabled: isOpen }).data
  const hasSold = isSoldShown || (sold?.meta?.total ?? 0) > 0
  if (hasSold && !hadSold) setHadSold(true)
  return hasSold || hadSold
}

function ClosedList({ filter }: { filter: Filter }) {
  const [page, setPage] = useState(1)
  const wanted = {
    account: useAccount(),
    page,
    per_page: PER_PAGE,
    ...(filter === SOLD && { outcome: SOLD as typeof SOLD }),
  }
  const query = useCallQuery('GET /user/transactions', { query: wanted }, { keepPrevious: true })
  return (
    <PagedList
      query={query}
      items={query.data?.data.transactions}
      page={page}
      onPage={setPage}
      label={t('transaction_history.closed')}
      keyOf={({ id }) => id}
      emptyText={t('transaction_history.empty_closed')}
      loadingText={t('transaction_history.loading')}
    >
      {(transaction) => <ClosedCard transaction={transaction} />}
    </PagedList>
  )
}

function ClosedCard({ transaction }: { transaction: TransactionOut }) {
  const log = transaction.trade_log
  const outcome = outcomeOf(log)
  const price = (value: number) => groupedNumber(priceTextOf(value, log.crypto_currency.decimals))
  return (
    <Card padded={false} className="px-4 py-3">
      <OrderHead
        transaction={transaction}
        detail={expiryText(transaction)}
        end={
          <>
            <span dir="ltr" className={cx('num font-semibold', outcome === 'won' && 'text-up')}>
              {spoken(ownMoney(netOf(transaction), { plus: true }))}
            </span>
            <OutcomePill outcome={outcome}>{t(`transaction_history.${outcome}`)}</OutcomePill>
          </>
        }
      />
      <p className="mt-2.5 flex flex-wrap items-center gap-x-2 border-t border-line pt-2.5 text-small text-fg-2">
        <span className="sr-only">{t('transaction_history.entry_to_exit')}</span>
        <span dir="ltr" className="num">
          {price(log.price_was)}
        </span>
        <ArrowRight size={14} className="flip text-fg-3" aria-hidden="true" />
        {log.post_trade_price === null ? (
          <span className="text-fg-3">{t('transaction_history.no_exit')}</span>
        ) : (
          <span dir="ltr" className="num">
            {price(log.post_trade_price)}
          </span>
        )}
      </p>
      {log.void_reason !== null && (
        <p className="mt-1 text-label text-fg-2">
          {voidText(log.void_reason)}{' '}
          {spoken(t('transaction_history.refunded', { amount: ownMoney(moneyOf(transaction.amount)) }))}
        </p>
      )}
      {log.made_good !== null && (
        <p className="mt-1 text-label text-fg-2">
          {t('transaction_history.made_good', {
            amount: ownMoney(moneyOf(log.made_good.amount)),
            date: dayAndTimeText(Date.parse(log.made_good.at)),
          })}
        </p>
      )}
      <OrderDetails transaction={transaction} />
      <div className="flex flex-wrap justify-between gap-x-4">
        <CheckLink trx={transaction.trx} />
        <RepeatButton transaction={transaction} />
      </div>
    </Card>
  )
}
