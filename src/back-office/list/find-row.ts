import { useEffect } from 'react'
import type { StaffList } from '#back-office/api/queries.ts'

interface WithId {
  readonly id: string
}

/** A row that is searched in the pages of a list. */
export interface SoughtRow<Row> {
  /** Undefined while the row is not found. */
  readonly row: Row | undefined
  /** The list in which the row is searched now. */
  readonly list: StaffList<Row>
  readonly isSearching: boolean
}

/** Searches a list page by page, while `goesFurther`, until the list has the row. */
export function useRow<Row extends WithId>(list: StaffList<Row>, id: string, goesFurther = true): SoughtRow<Row> {
  const row = list.rows?.find((one) => one.id === id)
  const isSearching = row === undefined && (list.rows === undefined || list.hasMore)
  const { fetchMore, hasMore, isFetchingMore, error } = list
  const goesOn = goesFurther && row === undefined && hasMore && !isFetchingMore && error === null
  useEffect(() => {
    if (goesOn) fetchMore()
  })
  return { row, list, isSearching }
}

/** Searches the list of open rows first, because an open row can be older than many ended ones, then the list of all. */
export function useOpenOrAnyRow<Row extends WithId>(
  lists: { readonly open: StaffList<Row>; readonly all: StaffList<Row> },
  id: string,
): SoughtRow<Row> {
  const open = useRow(lists.open, id)
  const all = useRow(lists.all, id, open.row === undefined && !open.isSearching)
  return {
    row: open.row ?? all.row,
    list: open.isSearching ? open.list : all.list,
    isSearching: open.isSearching || all.isSearching,
  }
}
