import { Button } from '#ui/button.tsx'
import { fadeEnds } from '#ui/fade-ends.ts'
import { Empty, LoadError, SkeletonRows } from '#ui/states.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import type { StaffList } from '#back-office/api/queries.ts'
import { type Column, DataTable } from '#back-office/list/data-table.tsx'
import { t } from '#back-office/i18n/t.ts'

interface ListRowsProps<Row extends object> {
  label: string
  list: StaffList<Row>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  onOpen?: ((row: Row) => void) | undefined
  openKey?: string | undefined
  /** The text when there are no rows. */
  empty: string
}

/** The rows of a list in each loading state, with a button to load more. */
export function ListRows<Row extends object>({
  label,
  list,
  columns,
  keyOf,
  onOpen,
  openKey,
  empty,
}: ListRowsProps<Row>) {
  if (list.isPending) {
    return (
      <section aria-busy="true" aria-label={t('common.loading')} className="px-6">
        <SkeletonRows count={8} rowHeight={52} />
      </section>
    )
  }
  if (list.rows === undefined) {
    return (
      <LoadError
        reason={failureText(list.error)}
        retryLabel={t('common.retry')}
        onRetry={list.retry}
        retrying={list.isFetching}
      />
    )
  }
  if (list.rows.length === 0) return <Empty title={t('common.nothing')}>{empty}</Empty>
  return (
    <>
      <div ref={fadeEnds} className="overflow-x-auto lg:overflow-visible">
        <DataTable label={label} columns={columns} rows={list.rows} keyOf={keyOf} onOpen={onOpen} openKey={openKey} />
      </div>
      <div className="flex items-center gap-3 px-6 py-3 text-caption text-fg-3">
        <span className="flex-1">
          {t(list.hasMore ? 'common.rows_so_far' : 'common.rows', { count: list.rows.length })}
        </span>
        {onOpen && <span className="hidden lg:inline">{t('common.keys')}</span>}
        {list.hasMore && (
          <Button variant="secondary" size="s" loading={list.isFetchingMore} onClick={list.fetchMore}>
            {t('common.more')}
          </Button>
        )}
      </div>
    </>
  )
}
