import type { PageMeta } from '#contract/call.ts'
import type { PageQuery } from '#contract/wire.ts'

/** The maximum number of rows in a list, with or without pages. */
export const MAX_PAGE_SIZE = 200
const DEFAULT_PAGE = 10

export interface Slice {
  readonly limit: number
  readonly offset: number
}

/** The requested rows. Without `page`, the start of the list. */
export function sliceOf(query: PageQuery): Slice {
  if (query.page === undefined) return { limit: MAX_PAGE_SIZE, offset: 0 }
  const limit = pageSize(query)
  return { limit, offset: Math.min((query.page - 1) * limit, Number.MAX_SAFE_INTEGER) }
}

/** The paging metadata of a reply; none when no page was requested. */
export function metaOf(query: PageQuery, total: number): { meta?: PageMeta } {
  if (query.page === undefined) return {}
  const size = pageSize(query)
  return { meta: { page: query.page, per_page: size, total, pages: Math.ceil(total / size) } }
}

function pageSize(query: PageQuery): number {
  return Math.min(query.per_page ?? DEFAULT_PAGE, MAX_PAGE_SIZE)
}
