import type { UseQueryResult } from '@tanstack/react-query'
import type { PageMeta } from '#contract/call.ts'
import type { StatementRowOut } from '#contract/statement.ts'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { formatMoney } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { rowText } from '#web/screens/statement/row-text.ts'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'

interface StatementRowsProps {
  query: UseQueryResult<{ meta?: PageMeta }>
  rows: readonly StatementRowOut[] | undefined
  page: number
  onPage: (page: number) => void
}

/** The rows of a statement, oldest first. */
export function StatementRows({ query, rows, page, onPage }: StatementRowsProps) {
  return (
    <PagedList
      query={query}
      items={rows}
      page={page}
      onPage={onPage}
      label={t('statement.rows')}
      keyOf={({ n }) => String(n)}
      emptyText={t('statement.empty')}
    >
      {(row) => <RowCard row={row} />}
    </PagedList>
  )
}

function RowCard({ row }: { row: StatementRowOut }) {
  const { at, kind, reference, words, amount, balance, order } = row
  const text = rowText({ kind, words, voidReason: order?.void_reason })
  return (
    <Card padded={false} className="px-4 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="min-w-0 text-small font-semibold">
          {t(`statement.kind_${kind}`)} {order && <bdi className="font-normal text-fg-2">{order.symbol}</bdi>}
        </h2>
        <MoneyText amount={moneyOf(amount)} plus className="text-small font-semibold" />
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-label text-fg-2">
        <span className="tabular-nums">{whenText(at)}</span>
        <bdi>{t('statement.total_after', { amount: formatMoney(moneyOf(balance)) })}</bdi>
      </p>
      {text !== '' && (
        <p dir="auto" className="mt-1 text-label break-words whitespace-pre-line">
          {text}
        </p>
      )}
      <p className="mt-1 text-caption text-fg-3">
        {order === undefined ? (
          <span dir="ltr" className="mono break-all">
            {reference}
          </span>
        ) : (
          <Link href={`/check/${reference}`} className="hit mono text-brand underline-offset-4 hover:underline">
            <span dir="ltr">{reference}</span>
          </Link>
        )}
      </p>
    </Card>
  )
}
