import type { UseQueryResult } from '@tanstack/react-query'
import { failureText } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadError } from '#ui/states.tsx'

/** In place of content that failed to load, with a button that tries again. */
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
