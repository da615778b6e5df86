import { ArrowRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TransactionOut } from '#contract/transactions.ts'
import { Card } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { MoneyText } from '#ui/figures.tsx'
import { formatMoney, groupedNumber } from '#ui/format.ts'
import { Pager } from '#ui/pager.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { onResult } from '#web/live/live-client.ts'
import { ListStates, pagerLabels } from '#web/screens/transaction-history/list-states.tsx'
import { OrderHead } from '#web/screens/transaction-history/order-head.tsx'
import { netOf, outcomeOf, voidText, whenText } from '#web/screens/transaction-history/transaction-text.ts'

const PER_PAGE = 10

/** Closed orders, newest first, ten per page. */
export function ClosedTransactions() {
  const [page, setPage] = useState(1)
  const top = useRef<HTMLUListElement>(null)
  const query = useCallQuery('GET /user/transactions', { query: { page, per_page: PER_PAGE } }, { keepPrevious: true })
  const list = query.data?.data.transactions
  const { refetch } = query
  useEffect(() => onResult(() => void refetch()), [refetch])
  return (
    <ListStates query={query} isEmpty={list?.length === 0} emptyText={t('transaction_history.empty_closed')}>
      <ul ref={top} tabIndex={-1} className="flex scroll-mt-20 flex-col gap-2 outline-none">
        {list?.map((transaction) => (
          <li key={transaction.id}>
            <ClosedCard transaction={transaction} />
          </li>
        ))}
      </ul>
      <Pager
        page={page}
        pageCount={query.data?.meta?.pages ?? 1}
        onChange={(next) => {
          setPage(next)
          globalThis.scrollTo(0, 0)
        }}
        labels={pagerLabels()}
        listTop={top}
      />
    </ListStates>
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
        detail={whenText(transaction.updated_at)}
        end={
          <>
            <MoneyText
              amount={netOf(transaction)}
              plus
              className={cx('font-semibold', outcome === 'won' && 'text-up')}
            />
            <OutcomePill outcome={outcome}>{t(`transaction_history.${outcome}`)}</OutcomePill>
          </>
        }
      />
      <p className="mt-2.5 flex flex-wrap items-center gap-x-2 border-t border-line pt-2.5 text-small text-fg-2">
        <span className="sr-only">{t('transaction_history.entry_to_exit')}</span>
        <span className="num">{price(log.price_was)}</span>
        <ArrowRight size={14} className="flip text-fg-3" aria-hidden="true" />
        {log.post_trade_price === null ? (
          <span className="text-fg-3">{t('transaction_history.no_exit')}</span>
        ) : (
          <span className="num">{price(log.post_trade_price)}</span>
        )}
      </p>
      {log.void_reason !== null && (
        <p className="mt-1 text-label text-fg-2">
          {voidText(log.void_reason)}{' '}
          {t('transaction_history.refunded', { amount: formatMoney(moneyOf(transaction.amount)) })}
        </p>
      )}
    </Card>
  )
}
