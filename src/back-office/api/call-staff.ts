import type { z } from 'zod'
import { type StaffCall, UNATTENDED_HEADER } from '#contract/back-office/staff-call.ts'
import type { CallPart } from '#contract/call.ts'
import { readFailureBody } from '#contract/failure-body.ts'
import { isUserActive } from '#back-office/api/user-activity.ts'
import { t } from '#back-office/i18n/t.ts'

/**
 * The arguments of a call: `params` fill its path, `query` its query string, `body` is sent as JSON, `form` as
 * multipart.
 */
export type StaffArgs<C extends StaffCall> = { signal?: AbortSignal | undefined } & Part<C, 'params'> &
  Partial<Part<C, 'query'>> &
  (C extends { multipart: true } ? { form: FormData } : Part<C, 'body'>)
type Part<C, Name extends 'params' | 'query' | 'body'> =
  CallPart<C, Name> extends undefined ? unknown : Record<Name, CallPart<C, Name>>
export type StaffReply<C extends StaffCall> = z.output<C['reply']>

/** A failed call; `message` can be shown to staff. Status 0 means that no server replied. */
export class StaffFailure extends Error {
  readonly status: number
  readonly code: string
  /** Error messages by field name. */
  readonly errors: Readonly<Record<string, readonly string[]>>

  constructor(message: string, facts: { status: number; code: string; errors?: Record<string, string[]> }) {
    super(message)
    this.name = 'StaffFailure'
    this.status = facts.status
    this.code = facts.code
    this.errors = facts.errors ?? {}
  }
}

interface AnyArgs {
  signal?: AbortSignal | undefined
  params?: Readonly<Record<string, string>>
  query?: object
  body?: unknown
  form?: FormData
}

let onSignedOut = (): void => undefined
/** Registers the listener that runs when the server replies that the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/**
 * Makes one call of the back office: `callStaff(staffCalls.adminDeposit, { params: { trx } })`. The session is a cookie
 * that scripts cannot read. Throws a `StaffFailure`, or the `AbortError` of its signal.
 */
export async function callStaff<C extends StaffCall>(
  call: C,
  ...given: object extends StaffArgs<C> ? [StaffArgs<C>?] : [StaffArgs<C>]
): Promise<StaffReply<C>> {
  const args: AnyArgs = { ...given[0] }
  const response = await send(call, args)
  if (response.ok) {
    const { data } = (await response.json()) as { data: StaffReply<C> }
    return data
  }
  const body = await readFailureBody(response)
  if (response.status === 401 && call.may !== 'anyone') onSignedOut()
  throw new StaffFailure(body.message ?? t('common.server_error'), {
    status: response.status,
    code: body.code ?? 'server_error',
    ...(body.errors && { errors: body.errors }),
  })
}

/** Returns the URL of a call. A suffix gives a list as a file: `addressOf(call, { query }, '.csv')`. */
export function addressOf(call: StaffCall, { params = {}, query = {} }: AnyArgs, suffix = ''): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return `/api${path}${suffix}${search.size === 0 ? '' : `?${search}`}`
}

async function send(call: StaffCall, args: AnyArgs): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (!isUserActive()) headers.set(UNATTENDED_HEADER, '1')
  const request: RequestInit = { method: call.method, headers }
  if (args.signal) request.signal = args.signal
  if (args.form) request.body = args.form
  else if (call.method !== 'GET') {
    headers.set('content-type', 'application/json')
    request.body = JSON.stringify(args.body ?? {})
  }
  try {
    return await fetch(addressOf(call, args), request)
  } catch (error) {
    if (args.signal?.aborted === true) throw error
    throw new StaffFailure(t('common.offline'), { status: 0, code: 'network' })
  }
}

/** Returns the text to show for any thrown error. */
export function failureText(error: unknown): string {
  return error instanceof StaffFailure ? error.message : t('common.server_error')
}
