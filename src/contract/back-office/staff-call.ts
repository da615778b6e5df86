import { z } from 'zod'
import type { RefusalCode } from '#contract/refusals.ts'
import type { StaffRefusalCode } from '#contract/back-office/staff-refusals.ts'
import type { Permission } from '#core/staff/permissions.ts'

/** Who may make a call: `anyone` (before log-in), all `staff`, or the roles with a permission. */
export type MayCall = Permission | 'anyone' | 'staff'

/**
 * One call of the back office, relative to `/api`. As with the app's calls, the same value validates on the server and
 * types the client. `may` is checked before any part of the request is parsed.
 */
export interface StaffCall {
  readonly method: 'GET' | 'POST'
  readonly path: `/admin/${string}`
  readonly may: MayCall
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** A POST that only computes, such as a preview. It writes no audit entry; every other POST writes one. */
  readonly changesNothing?: true
  readonly multipart?: true
  readonly maxFileBytes?: number
  /** Whether the path with `.csv` appended returns the reply as a CSV file. Every list has such a path. */
  readonly hasCsv?: true
  readonly reply: z.ZodType
  readonly refusals: readonly (RefusalCode | StaffRefusalCode)[]
}

/** Header of requests that a page sends automatically. They do not extend the session. */
export const UNATTENDED_HEADER = 'x-unattended'

/**
 * Returns the area of a call: `deposits` for `/admin/deposits/:trx`. Clients cache replies by area, and events name the
 * area that changed.
 */
export function areaOf({ path }: Pick<StaffCall, 'path'>): string {
  return path.split('/')[2] ?? ''
}

/** A list with cursor paging. The path with `.csv` appended returns the same list as CSV. */
export interface StaffListCall extends StaffCall {
  readonly method: 'GET'
  readonly row: z.ZodObject
  /** Columns of the CSV, in order. Without them, all scalar fields of a row are exported. */
  readonly columns?: readonly string[]
}

export function defineStaffCall<const C extends StaffCall>(call: C): C {
  return call
}

/** A cursor from the previous reply. Only the server interprets its content. */
const Cursor = z.string().max(500)

/** Query parameters of every list, in addition to its own filters. */
const LIST_QUERY = {
  after: Cursor.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
}

interface ListShape<Row extends z.ZodObject, Filters extends z.ZodRawShape, Params extends z.ZodType> {
  readonly path: `/admin/${string}`
  readonly may: MayCall
  readonly summary: string
  readonly params?: Params
  /** Filters of the list. An empty text counts as missing. */
  readonly filters: Filters
  readonly row: Row
  readonly columns?: readonly (keyof z.output<Row> & string)[]
}

/**
 * Defines a list. `GET path?filters&after=…&limit=…` returns `{ rows, next }`; `next` is the cursor of the following
 * rows, or null at the end.
 */
export function defineStaffList<
  Row extends z.ZodObject,
  const Filters extends z.ZodRawShape,
  Params extends z.ZodType = never,
>({ filters, row, params, ...shape }: ListShape<Row, Filters, Params>) {
  const list = {
    ...shape,
    method: 'GET',
    row,
    query: z.object({ ...LIST_QUERY, ...filters }),
    reply: z.object({ rows: z.array(row), next: z.string().nullable() }),
    refusals: ['cursor_invalid'],
  } as const
  // Without path parameters the key `params` is left out, so that callers need not pass any.
  return (params === undefined ? list : { ...list, params }) as typeof list & WithParams<Params>
}

type WithParams<Params> = [Params] extends [never] ? unknown : { readonly params: Params }

/** A filter that counts as missing when it is empty. */
export function optionalFilter<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
}

/** A search text: a name, a reference or an amount. */
export const SearchFilter = optionalFilter(z.string().trim().max(100))

/** A language code of the specification. The server checks whether the language exists. */
export const LanguageCode = z.string().regex(/^[a-z]{2}$/)
