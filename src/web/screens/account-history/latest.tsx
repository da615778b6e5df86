import type { UseQueryResult } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useId } from 'react'
import { Card } from '#ui/card.tsx'
import { Link } from '#ui/link.tsx'
import { LoadError, SkeletonRows } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'

/** The number of entries shown of each history. */
export const LATEST = 3

interface LatestProps {
  title: string
  href: string
  query: UseQueryResult
  /** The latest entries; undefined while loading. */
  entries: readonly { key: string; line: ReactNode }[] | undefined
  emptyText: string
}

/** One history: its linked name above its latest entries. */
export function Latest({ title, href, query, entries, emptyText }: LatestProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="mb-1.5 flex items-center justify-between gap-3 px-0.5">
        <h2 id={id} className="text-heading">
          {title}
        </h2>
        <Link
          href={href}
          aria-label={t('account_history.show_all_of', { name: title })}
          className="hit flex items-center gap-0.5 text-label font-semibold text-brand underline-offset-4 hover:underline"
        >
          {t('account_history.show_all')}
          <ChevronRight size={16} className="flip" aria-hidden="true" />
        </Link>
      </div>
      <Card padded={false} className="overflow-hidden">
        {query.isPending && (
          <div aria-busy="true" className="px-4">
            <span className="sr-only">{t('common.loading')}</span>
            <SkeletonRows count={LATEST} />
          </div>
        )}
        {query.isError && (
          <LoadError
            reason={failureText(query.error)}
            retryLabel={t('common.try_again')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        )}
        {entries?.length === 0 && <p className="px-4 py-5 text-small text-fg-2">{emptyText}</p>}
        {entries !== undefined && entries.length > 0 && (
          <ul className="divide-y divide-line">
            {entries.map(({ key, line }) => (
              <li key={key} className="px-4 py-2.5">
                {line}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}
