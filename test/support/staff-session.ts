import type { InjectOptions } from 'fastify'
import type { z } from 'zod'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { CallInput, Failure } from '#contract/call.ts'
import { assert } from '#core/result.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'

export interface StaffReply<T> {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: { data: T } & Partial<Failure>
}

interface StaffSent<C extends StaffCall> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: CallInput<C['body']>
}

/** A logged-in staff member. */
export interface StaffSession {
  readonly name: string
  readonly cookie: string
  call<const C extends StaffCall>(call: C, sent?: StaffSent<C>): Promise<StaffReply<z.output<C['reply']>>>
  /** Reads a raw address of the back office, e.g. a CSV file. */
  read(path: string): Promise<{ readonly status: number; readonly headers: object; readonly text: string }>
}

type Inject = (options: InjectOptions) => Promise<{
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}>

/** Logs in a demo staff member with both steps: `owner`, `finance`, `finance2`, `support`, `markets` or `content`. */
export async function signInStaff(inject: Inject, name: string, demoKey: string): Promise<StaffSession> {
  const anonymous = staffSession(inject, name, `fairwick_demo_key=${demoKey}`)
  const first = await anonymous.call(staffCalls.staffSignIn, { body: { name, password: DEMO_STAFF.password } })
  assert(first.status === 200, `the first step of a sign-in is answered: ${JSON.stringify(first.body)}`)
  const { ticket, demo_code: code } = first.body.data
  assert(code, 'a demo account is told its code')
  const second = await anonymous.call(staffCalls.staffSignInCode, { body: { ticket, code } })
  const cookie = String(second.headers['set-cookie']).split(';')[0]
  assert(cookie, 'a session was opened')
  return staffSession(inject, name, cookie)
}

/** Creates a session with a cookie, or without one. */
export function staffSession(inject: Inject, name: string, cookie: string): StaffSession {
  const headers = cookie === '' ? {} : { cookie }
  return {
    name,
    cookie,
    async call(called, { params = {}, query, body } = {}) {
      const path = called.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
      const reply = await inject({
        method: called.method,
        url: `/api${path}`,
        headers,
        ...(query && { query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) }),
        ...(body !== undefined && { payload: body as object }),
      })
      return { status: reply.statusCode, headers: reply.headers, body: JSON.parse(reply.payload) }
    },
    async read(path) {
      const {
        statusCode,
        headers: replyHeaders,
        payload,
      } = await inject({ method: 'GET', url: `/api${path}`, headers })
      return { status: statusCode, headers: replyHeaders, text: payload }
    },
  }
}
