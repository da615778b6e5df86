import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { StaffListCall } from '#contract/back-office/staff-call.ts'
import { ok, refuse } from '#core/result.ts'
import { type Cursor, readCursor, writeCursor } from '#server/platform/database/keyset-pagination.ts'
import { csvLines, type ReadRows } from '#server/back-office/api/csv-lines.ts'
import { registerCsvFile } from '#server/back-office/api/register-csv-file.ts'
import type { RegisterStaff, StaffCallParts } from '#server/back-office/api/register-staff-call.ts'
import type { SignedInStaff } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'
import type { CallInput } from '#server/platform/http/read-input.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** The request to a list's loader: filters, cursor, and maximum number of rows. */
export interface ListRequest<C extends StaffListCall> {
  readonly params: CallInput<C>['params']
  readonly filters: CallInput<C>['query']
  readonly after: Cursor | null
  readonly limit: number
  /** True when the rows are for a CSV file, which contains values that the page shortens or hides. */
  readonly isFile: boolean
  readonly staff: SignedInStaff | null
}

/** Loads rows in the list's order, each with its cursor. */
export type LoadList<C extends StaffListCall> = (
  request: ListRequest<C>,
) => Promise<readonly { readonly row: z.output<C['row']>; readonly cursor: Cursor }[]>

/** Registers a list: as JSON in pages, and as one CSV file with all rows. */
export type RegisterStaffList = <C extends StaffListCall>(call: C, load: LoadList<C>) => void

const FILE_LIMITS = { rowsPerRead: 1_000, maxRows: 1_000_000 }

export function createRegisterStaffList(
  app: FastifyInstance,
  register: RegisterStaff,
  parts: StaffCallParts,
): RegisterStaffList {
  return <C extends StaffListCall>(call: C, load: LoadList<C>) => {
    register(call, async ({ params, query, staff }) => {
      const { after: text, limit } = Page.parse(query)
      const after = text === undefined ? null : readCursor(text)
      if (text !== undefined && after === null) return refuse('cursor_invalid')
      // One more row than requested tells whether there is a next page.
      const found = await load({ params, filters: query, after, limit: limit + 1, isFile: false, staff }).catch(
        (error: unknown) => {
          if (after !== null && isInvalidCursor(error)) return null
          throw error
        },
      )
      if (found === null) return refuse('cursor_invalid')
      const rows = found.slice(0, limit)
      const last = rows.at(-1)
      const next = found.length > limit && last ? writeCursor(last.cursor) : null
      // `defineStaffList` builds the reply type of every list from its row type.
      return { ok: true, value: { rows: rows.map(({ row }) => row), next } as z.output<C['reply']> }
    })
    registerCsv(app, call, load, parts)
  }
}

/**
 * Returns whether an error comes from a forged cursor: a well-formed cursor with values of the wrong type.
 * PostgreSQL reports such values with class 22, and `BigInt` with a SyntaxError.
 */
function isInvalidCursor(error: unknown): boolean {
  return error instanceof SyntaxError || (errorCode(error)?.startsWith('22') ?? false)
}

const Page = z.object({ after: z.string().optional(), limit: z.number() })

function registerCsv<C extends StaffListCall>(
  app: FastifyInstance,
  call: C,
  load: LoadList<C>,
  parts: StaffCallParts,
): void {
  registerCsvFile(app, call, parts, ({ params, query: filters, staff, hasMark }) => {
    const read: ReadRows = (after, limit) => load({ params, filters, after, limit, isFile: true, staff })
    const columns = call.columns ?? Object.keys(call.row.shape)
    return Promise.resolve(ok(csvLines(columns, read, { hasMark, ...FILE_LIMITS })))
  })
}
