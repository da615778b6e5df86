import { z } from 'zod'
import type { RefusalCode } from '#contract/refusals.ts'
import type { StaffRefusalCode } from '#contract/back-office/staff-refusals.ts'
import type { Permission } from '#core/staff/permissions.ts'

/** `anyone` before sign-in, every member of `staff`, or those whose role has a permission. */
export type MayCall = Permission | 'anyone' | 'staff'

/**
 * One call of the back office, relative to `/api`. As with the calls of the app, the same value validates on the server
 * and types the client. Whether it is allowed is decided by `may` before anything of the request is looked at.
 */
export interface StaffCall {
  readonly method: 'GET' | 'POST'
  readonly path: `/admin/${string}`
  readonly may: MayCall
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** A POST that only computes, a preview: it leaves no line in the log of actions, where every other one leaves one. */
  readonly changesNothing?: true
  readonly multipart?: true
  readonly largestFileBytes?: number
  readonly reply: z.ZodType
  readonly refusals: readonly (RefusalCode | StaffRefusalCode)[]
}

/** Set when a page asks by itself while nobody uses it: such a call keeps no session open. */
export const UNATTENDED_HEADER = 'x-unattended'

/** `deposits` of `/admin/deposits/:trx`: what a call is about. Answers are filed under it, and news name it. */
export function areaOf({ path }: Pick<StaffCall, 'path'>): string {
  return path.split('/')[2] ?? ''
}

/** A list: pages by cursor, and the same list as CSV at the path with `.csv` after it. */
export interface StaffListCall extends StaffCall {
  readonly method: 'GET'
  readonly row: z.ZodObject
  /** Columns of the CSV, in order. Without them all of a row's scalar fields are exported. */
  readonly columns?: readonly string[]
}

export function defineStaffCall<const C extends StaffCall>(call: C): C {
  return call
}

/** How far a list has been read, as the answer before said. Its content is the server's own affair. */
const Cursor = z.string().max(500)

/** What every list takes besides its own filters. */
const LIST_QUERY = {
  after: Cursor.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
}

interface ListShape<Row extends z.ZodObject, Filters extends z.ZodRawShape, Params extends z.ZodType> {
  readonly path: `/admin/${string}`
  readonly may: MayCall
  readonly summary: string
  readonly params?: Params
  /** What the list may be narrowed by; empty text counts as not given. */
  readonly filters: Filters
  readonly row: Row
  readonly columns?: readonly (keyof z.output<Row> & string)[]
}

/**
 * Defines a list: `GET path?filters&after=…&limit=…` answers `{ rows, next }`, where `next` is the cursor of the rows
 * after these, null at the end.
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
  // A list without parameters has no such key, so that its callers need not give any.
  return (params === undefined ? list : { ...list, params }) as typeof list & WithParams<Params>
}

type WithParams<Params> = [Params] extends [never] ? unknown : { readonly params: Params }

/** A filter that is not there when it is empty. */
export function optionalFilter<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
}

/** What is searched for: a name, a reference, an amount. */
export const SearchFilter = optionalFilter(z.string().trim().max(100))

/** A language as the specification codes it. Whether there is such a one is the server's to say. */
export const LanguageCode = z.string().regex(/^[a-z]{2}$/)
