import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '#ui/card.tsx'
import { Empty, LoadError, SkeletonRows } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'

export interface ListWords {
  /** The text that an empty list shows. */
  emptyText: string
  emptyAction?: ReactNode
  /** Announced to screen readers while the first page loads. */
  loadingText?: string
}

interface ListStatesProps extends ListWords {
  query: UseQueryResult
  isEmpty: boolean
  children: ReactNode
}

/** A list in one of four states: loading, failed, empty or filled. */
export function ListStates({ query, isEmpty, emptyText, emptyAction, loadingText, children }: ListStatesProps) {
  if (query.isPending) {
    return (
      <div aria-busy="true" className="card px-4 py-1">
        <span className="sr-only">{loadingText ?? t('common.loading')}</span>
        <SkeletonRows count={4} rowHeight={72} />
      </div>
    )
  }
  const failed = query.isError && (
    <Card padded={false} className="mb-2">
      <LoadError
        reason={failureText(query.error)}
        retryLabel={t('common.try_again')}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    </Card>
  )
  if (query.data === undefined) return failed
  return (
    <>
      {failed}
      {isEmpty ? (
        <Card>
          <Empty title={t('common.no_data')} action={emptyAction}>
            {emptyText}
          </Empty>
        </Card>
      ) : (
        children
      )}
    </>
  )
}
