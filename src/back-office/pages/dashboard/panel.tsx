import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { cx } from '#ui/cx.ts'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface PanelProps<Answer> {
  title: string
  /** One short sentence that explains the panel. */
  note?: string
  query: UseQueryResult<Answer>
  /** Height in pixels of the placeholder. The height of the loaded content prevents a layout shift. */
  height?: number
  className?: string
  children: (answer: Answer) => ReactNode
}

/** A panel of the dashboard with its own loading and error state, so that one slow reply delays no other panel. */
export function Panel<Answer>({ title, note, query, height = 200, className, children }: PanelProps<Answer>) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} aria-busy={query.isPending} className={cx('card min-w-0 p-4', className)}>
      <h2 id={heading} className="font-semibold">
        {title}
      </h2>
      {note !== undefined && <p className="text-caption text-fg-3">{note}</p>}
      <div className="pt-2">
        {query.isPending ? (
          <Skeleton width="100%" height={height} />
        ) : query.data === undefined ? (
          <LoadError
            reason={failureText(query.error)}
            retryLabel={t('common.retry')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
            className="px-0!"
          />
        ) : (
          children(query.data)
        )}
      </div>
    </section>
  )
}
