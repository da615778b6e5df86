import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Failure } from '#contract/call.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { isUsername } from '#core/accounts/username.ts'
import type { Result } from '#core/result.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { admitStaff, type StaffCallParts } from '#server/back-office/api/register-staff-call.ts'
import { type AnyRefusal, STAFF_WORDS, staffRefusalReply } from '#server/back-office/api/staff-replies.ts'
import type { SignedInStaff } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'
import { callerOf } from '#server/platform/http/register-call.ts'
import { type CallInput, readInput } from '#server/platform/http/read-input.ts'

/** The request for a CSV file, parsed by the schemas of the JSON call for the same data. */
export interface CsvRequest<C extends StaffCall> {
  readonly params: CallInput<C>['params']
  readonly query: CallInput<C>['query']
  readonly staff: SignedInStaff | null
  /** Whether the file begins with a byte-order mark, by which spreadsheets read UTF-8. */
  readonly hasMark: boolean
}

type LinesOf<C extends StaffCall> = (
  request: CsvRequest<C>,
) => Promise<Result<AsyncIterable<string> | Iterable<string>, AnyRefusal>>

/**
 * Registers the CSV file of a GET call under its path with `.csv`. Every export is recorded in the audit log: whose data
 * it had, with which filters, and the address of the caller.
 */
export function registerCsvFile<C extends StaffCall>(
  app: FastifyInstance,
  call: C,
  parts: StaffCallParts,
  linesOf: LinesOf<C>,
): void {
  app.get(`/api${call.path}.csv`, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const fail = (failed: { status: number; body: Failure }): Failure => {
      void reply.code(failed.status)
      return failed.body
    }
    const admitted = await admitStaff(call, request, parts)
    if (!admitted.ok) return fail(staffRefusalReply(admitted))
    const { bom, ...query } = request.query as Readonly<Record<string, unknown>>
    const input = readInput(call, { params: request.params, query, body: undefined }, STAFF_WORDS)
    if (!input.ok) return fail(input.unreadable)
    const { staff } = admitted
    const lines = await linesOf({ ...input.value, staff, hasMark: bom !== 'no' })
    if (!lines.ok) return fail(staffRefusalReply(lines))
    const actor = {
      who: staff?.name ?? '',
      what: 'export',
      requestId: request.id,
      address: callerOf(request).address,
      ...(staff && { staffId: staff.staffId }),
    }
    await recordAction(parts.ctx.db, parts.ctx, actor, {
      target: pathOf(call, request.params),
      outcome: 'looked',
      after: { filters: recorded(query) },
    })
    const name = call.path
      .split('/')
      .filter((part) => !part.startsWith(':'))
      .slice(2)
      .join('-')
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .header('x-content-type-options', 'nosniff')
    return reply.send(Readable.from(lines.value))
  })
}

/** Returns the path of a call with its parameters filled in. */
function pathOf({ path }: StaffCall, params: unknown): string {
  const values = new Map(Object.entries(params as Readonly<Record<string, string>>))
  return path.replace(/:([a-z_]+)/g, (whole, name: string) => values.get(name) ?? whole)
}

/**
 * Returns the filters for the audit log, which keeps them permanently. A search may contain the email address or the
 * phone number of a user, and an erasure changes no entry. So only usernames and references are recorded.
 */
function recorded(filters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { search } = filters
  if (typeof search !== 'string' || (isUsername(search) && /[a-z]/i.test(search))) return filters
  return { ...filters, search: '…' }
}
