import type { UseQueryResult } from '@tanstack/react-query'
import { failureText } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadError, SkeletonRows } from '#ui/states.tsx'

/** Shown in place of content that failed to load: the reason, and a button that tries again. */
export function LoadFailure({ query }: { query: UseQueryResult }) {
  return (
    <LoadError
      reason={failureText(query.error)}
      retryLabel={t('common.retry')}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  )
}

/** Shown in place of content: grey rows while it loads, the reason when it failed to load. */
export function NotLoaded({ query, count, rowHeight }: { query: UseQueryResult; count: number; rowHeight?: number }) {
  if (query.isError) return <LoadFailure query={query} />
  return (
    <section aria-busy="true" aria-label={t('common.loading')}>
      <SkeletonRows count={count} rowHeight={rowHeight} />
    </section>
  )
}
