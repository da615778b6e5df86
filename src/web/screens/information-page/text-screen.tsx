import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '#ui/card.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { CallFailure, failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'
import { NotFoundScreen } from '#web/screens/not-found/not-found-screen.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

interface TextScreenProps {
  query: UseQueryResult
  title: string
  crumb: string
  parent: string
  /** Rendered once the text has loaded. */
  children: ReactNode
}

/** A screen with one text, in its states: loading, failed, missing, loaded. */
export function TextScreen({ query, title, crumb, parent, children }: TextScreenProps) {
  if (query.error instanceof CallFailure && query.error.status === 404) return <NotFoundScreen />
  return (
    <Page title={title} header={<DeepHeader title={title} crumb={crumb} parent={parent} />} className="pt-1 pb-8">
      {query.data !== undefined ? (
        <Card>{children}</Card>
      ) : query.isPending ? (
        <Loading />
      ) : (
        <Card padded={false}>
          <LoadError
            reason={failureText(query.error)}
            retryLabel={t('common.try_again')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        </Card>
      )}
    </Page>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="card flex flex-col gap-4 p-4">
      <span className="sr-only">{t('common.loading')}</span>
      {[92, 100, 84, 96, 60].map((width) => (
        <Skeleton key={width} width={`${width}%`} height={14} />
      ))}
    </div>
  )
}
