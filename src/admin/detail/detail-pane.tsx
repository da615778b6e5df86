import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { IconButton } from '#ui/icon-button.tsx'
import { LoadError, SkeletonRows } from '#ui/states.tsx'
import { failureText } from '#admin/api/call-staff.ts'
import { t } from '#admin/t.ts'

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

/** One row in full (give it the row as its `key`), 392 px beside its list, over it where there is no room. Esc closes it. */
export function DetailPane({ title, subtitle, query, onClose, children, footer }: DetailPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc closes it from wherever the focus is in it
    <section
      aria-labelledby="detail-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
      className="fixed inset-0 z-40 flex flex-col bg-surface lg:static lg:z-auto lg:h-dvh lg:w-[392px] lg:shrink-0 lg:border-s lg:border-line"
    >
      <header className="flex min-h-16 items-center gap-2 border-b border-line ps-5 pe-2">
        <div className="min-w-0 flex-1">
          <h2 id="detail-title" ref={heading} tabIndex={-1} className="truncate font-semibold outline-none">
            {title}
          </h2>
          {subtitle !== undefined && <p className="truncate text-caption text-fg-3">{subtitle}</p>}
        </div>
        <IconButton label={t('common.close')} icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
      </header>
      <div className="flex-1 overflow-y-auto px-5 py-4" aria-busy={query.isPending}>
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
      </div>
      {footer && <footer className="border-t border-line px-5 py-3.5">{footer}</footer>}
    </section>
  )
}
