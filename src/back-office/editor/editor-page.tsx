import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '#ui/link.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

interface EditorPageProps {
  title: ReactNode
  /** Path of the list that the entry belongs to. */
  back: string
  /** Loads the entry to edit; null for a new entry. */
  query: UseQueryResult | null
  /** The form, rendered once the entry has loaded. */
  children: ReactNode
}

/** A page for editing one entry, shown in place of its list. */
export function EditorPage({ title, back, query, children }: EditorPageProps) {
  const isReady = query === null || (query.data !== undefined && !isComing(query))
  return (
    <main id="content" className="lg:h-dvh lg:overflow-y-auto">
      <div className="mx-auto max-w-[1180px] px-4 pt-3 pb-8 md:px-6">
        <Link href={back} className="hit inline-flex min-h-9 items-center gap-1.5 text-fg-2 hover:text-fg">
          <ArrowLeft size={16} aria-hidden="true" />
          {t('content.back')}
        </Link>
        <h1 className="pt-1 pb-4 text-title break-words">{title}</h1>
        {isReady ? (
          children
        ) : query.isError ? (
          <LoadFailure query={query} />
        ) : (
          <section aria-busy="true" aria-label={t('common.loading')} className="max-w-[640px]">
            <SkeletonRows count={6} rowHeight={64} />
          </section>
        )}
      </div>
    </main>
  )
}

/** Whether cached data is being refetched. An edit must start from the stored version. */
function isComing(query: UseQueryResult): boolean {
  return query.isFetching && !query.isFetchedAfterMount
}

/** The form beside its preview. On narrow windows the form is above the preview. */
export function EditorColumns({ form, aside }: { form: ReactNode; aside: ReactNode }) {
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_390px]">
      <div className="flex min-w-0 flex-col gap-4">{form}</div>
      <div className="min-w-0 lg:sticky lg:top-4 lg:self-start">{aside}</div>
    </div>
  )
}
