import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadError, SkeletonRows } from '#ui/states.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { t } from '#back-office/i18n/t.ts'

interface DetailPaneProps {
  /** The row's name; read out when it opens. */
  title: ReactNode
  subtitle?: ReactNode
  query: UseQueryResult
  onClose: () => void
  /** Drawn once the data is there. */
  children: ReactNode
  /** Pinned at the bottom: what can be done. */
  footer?: ReactNode
}

/** One row in full (give it the row as its `key`), in each of its states. */
export function DetailPane({ query, children, ...pane }: DetailPaneProps) {
  return (
    <SidePane {...pane} isBusy={query.isPending}>
      {query.isPending && <SkeletonRows count={4} />}
      {query.isError && query.data === undefined && (
        <LoadError
          reason={failureText(query.error)}
          retryLabel={t('common.retry')}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {query.data !== undefined && children}
    </SidePane>
  )
}
