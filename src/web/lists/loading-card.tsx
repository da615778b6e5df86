import type { UseQueryResult } from '@tanstack/react-query'
import { Card } from '#ui/card.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'

/** A card in place of content that is loading, or that failed to load. */
export function LoadingCard({ query }: { query: UseQueryResult }) {
  return (
    <Card>
      {query.isError ? (
        <LoadError
          reason={failureText(query.error)}
          retryLabel={t('common.try_again')}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : (
        <div aria-busy="true">
          <Skeleton height={120} />
        </div>
      )}
    </Card>
  )
}
