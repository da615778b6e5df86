import { LoadError, SkeletonRows } from '#ui/states.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'
import type { SoughtRow } from '#back-office/list/find-row.ts'

/** The content of a pane until its row is found, or a notice that the row does not exist. */
export function RowSearch<Row>({ sought: { row, list, isSearching } }: { sought: SoughtRow<Row> }) {
  if (row !== undefined) return null
  if (list.error !== null)
    return <LoadError reason={failureText(list.error)} retryLabel={t('common.retry')} onRetry={list.retry} />
  return isSearching ? <SkeletonRows count={4} /> : <p className="text-fg-2">{t('common.no_page')}</p>
}
