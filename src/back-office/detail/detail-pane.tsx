import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SkeletonRows } from '#ui/states.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

interface DetailPaneProps {
  /** The row's name. Screen readers announce it when the pane opens. */
  title: ReactNode
  subtitle?: ReactNode
  query: UseQueryResult
  onClose: () => void
  /** The content of the pane, rendered once the data has loaded. */
  children: ReactNode
  /** The buttons of the row's actions, always visible at the bottom of the pane. */
  footer?: ReactNode
}

/** The details of one row in each loading state. Its `key` must be the row's id. */
export function DetailPane({ query, children, ...pane }: DetailPaneProps) {
  return (
    <SidePane {...pane} isBusy={query.isPending}>
      {query.isPending && <SkeletonRows count={4} />}
      {query.isError && query.data === undefined && <LoadFailure query={query} />}
      {query.data !== undefined && children}
    </SidePane>
  )
}
