import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { PageMeta } from '#contract/call.ts'
import { Pager } from '#ui/pager.tsx'
import { ListStates, type ListWords } from '#web/lists/list-states.tsx'
import { pagerLabels } from '#web/lists/pager-labels.ts'

interface PagedListProps<Item> extends ListWords {
  query: UseQueryResult<{ meta?: PageMeta }>
  /** Undefined until the first page has loaded. */
  items: readonly Item[] | undefined
  page: number
  /** The number of pages, unless the reply contains it. */
  pageCount?: number
  onPage: (page: number) => void
  /** Name of the list. */
  label: string
  keyOf: (item: Item) => string
  children: (item: Item) => ReactNode
}

/**
 * A list of cards with its pager, in all loading states. After a change of the page, the view and the keyboard focus
 * are at the top of the list.
 */
export function PagedList<Item>({
  items,
  page,
  pageCount,
  onPage,
  label,
  keyOf,
  children,
  ...states
}: PagedListProps<Item>) {
  const top = useRef<HTMLUListElement>(null)
  return (
    <ListStates isEmpty={items?.length === 0} {...states}>
      <ul ref={top} tabIndex={-1} aria-label={label} className="flex scroll-mt-20 flex-col gap-2 outline-none">
        {items?.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      <Pager
        page={page}
        pageCount={pageCount ?? states.query.data?.meta?.pages ?? 1}
        onChange={(next) => {
          onPage(next)
          globalThis.scrollTo(0, 0)
        }}
        labels={pagerLabels()}
        listTop={top}
      />
    </ListStates>
  )
}
