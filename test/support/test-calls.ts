import type { InjectOptions } from 'fastify'
import type { Call, CallInput, CallReply, Failure, PageMeta } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import type { App } from '#server/app/create-app.ts'
import type { SecretWatch } from '#test/support/secret-leaks.ts'

export interface Sent<C extends Call> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: CallInput<C['body']>
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply<T> {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: { data: T; message?: string; meta?: PageMeta } & Partial<Failure>
}

export interface TestCalls {
  /** Calls the API without a socket. */
  readonly call: <const C extends Call>(call: C, sent?: Sent<C>) => Promise<Reply<CallReply<C>>>
  /** Sends any request. */
  readonly inject: (options: InjectOptions) => Promise<Reply<unknown>>
}

/** Sends requests to an app, and passes the secrets in them to `watch`. */
export function createTestCalls(app: App, watch: SecretWatch): TestCalls {
  const inject: TestCalls['inject'] = async (sent) => {
    const { statusCode, headers, payload } = await app.http.inject(sent)
    return { status: statusCode, headers, body: readBody(payload) }
  }
  const call: TestCalls['call'] = async (called, { params = {}, query, body, token, headers = {} } = {}) => {
    const path = called.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const reply = await inject({
      method: called.method,
      url: `/api${path}`,
      headers: {
        // A user on the demo's own machine has the key that the demo made at its start.
        ...(called.path === calls.outbox.path && { cookie: `fairwick_demo_key=${app.demoKey?.text ?? ''}` }),
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(query && { query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) }),
      ...(body !== undefined && { payload: body as object }),
    })
    watch.hear([{ token }, body, reply.body.data])
    return reply as Reply<CallReply<typeof called>>
  }
  return { inject, call }
}

function readBody(payload: string): Reply<unknown>['body'] {
  return payload.startsWith('{') ? JSON.parse(payload) : { data: undefined, message: payload }
}
