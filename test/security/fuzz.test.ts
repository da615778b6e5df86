import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { AppSocketIn } from '#contract/live/app-socket.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { type AttackBench, openAttackBench, type RawClient } from '#test/security/attack-harness.ts'
import { runs } from '#test/support/random-plans.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/** Runs per schema and socket message. `npm run fuzz -- --times 333 attacks/fuzz` makes a thousand. */
const RUNS = runs(3)

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let token: string
let cookie: string
const rejected: unknown[] = []
const note = (reason: unknown) => void rejected.push(reason)
beforeAll(async () => {
  process.on('unhandledRejection', note)
  bench = await openAttackBench(database)
  ;({ token } = await bench.funded(1_000))
  ;({ cookie } = await bench.app.staff('owner'))
  await bench.priced(9_400_000)
})
afterAll(async () => {
  await bench.close()
  process.off('unhandledRejection', note)
})

/** Generates any JSON value, often a value with a meaning in the API. */
const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      '1',
      1,
      0,
      -1,
      'BTC',
      'crypto',
      'buy',
      '1m',
      100,
      '100.00',
      true,
      null,
      '',
      [],
      {},
      '2026-03-18',
      'en',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      '\u0000',
      '\uD800',
      '9'.repeat(30),
      1e308,
      -0,
      2 ** 53,
      '🙂'.repeat(50),
      'x'.repeat(5_000),
      '__proto__',
      "'; --",
    ),
  },
)

/** Generates objects with the fields of a schema, some omitted, and unknown fields. */
function likeThe(schema: z.ZodType | undefined): fc.Arbitrary<Record<string, unknown>> {
  const names = schema && 'shape' in schema ? Object.keys(schema.shape as object) : []
  const named = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })
  const others = fc.dictionary(fc.string({ maxLength: 20 }), value, { maxKeys: 2 })
  return fc.tuple(named, others).map(([own, foreign]) => ({ ...foreign, ...own }))
}

const STAYS_SIGNED_IN = new Set(['/user/auth/logout', '/admin/session/sign-out'])
const everyCall: readonly (Call | StaffCall)[] = [
  ...Object.values<Call>(calls),
  ...Object.values<StaffCall>(staffCalls),
].filter((call) => call !== calls.logout && call !== staffCalls.staffSignOut && !STAYS_SIGNED_IN.has(call.path))

describe('AT38: no call crashes on any input', () => {
  it.each(everyCall.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', async (_, call) => {
    const input = fc.tuple(
      likeThe(call.params),
      likeThe(call.query),
      likeThe(call.body),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    )
    await fc.assert(
      fc.asyncProperty(input, async ([params, query, body, part]) => {
        const path = call.path.replace(
          /:(\w+)/g,
          (_whole, name: string) => encodeURIComponent(wellFormed(params[name] ?? part)) || 'x',
        )
        const search = new URLSearchParams(Object.entries(query).map(([name, given]) => [name, JSON.stringify(given)]))
        const { status, body: answer } = await bench.app.inject({
          method: call.method,
          url: `/api${path}?${search}`,
          headers: call.path.startsWith('/admin') ? { cookie } : { authorization: `Bearer ${token}` },
          ...(call.method === 'POST' && { payload: body }),
        })
        expect(status, JSON.stringify({ path, query, body, answer })).toBeLessThan(500)
      }),
      { numRuns: RUNS },
    )
  })
})

/** Removes unpaired surrogates, which a URL cannot contain. */
function wellFormed(given: unknown): string {
  return (typeof given === 'string' ? given : JSON.stringify(given)).replace(/[\uD800-\uDFFF]/g, '?')
}

describe('AT38: no socket message crashes the server', () => {
  it.each(AppSocketIn.options.map((option) => [option.shape.action.value, option] as const))(
    '%s',
    async (action, schema) => {
      const data = 'data' in schema.shape ? likeThe(schema.shape.data) : value
      const message = fc.tuple(likeThe(schema), data, fc.boolean()).map(([own, inner, isSignedIn]) => ({
        ...own,
        action,
        ...(isSignedIn && { token }),
        ...('data' in schema.shape && { data: inner }),
      }))
      let client: RawClient | null = null
      await fc.assert(
        fc.asyncProperty(message, async (sent) => {
          if (client === null || client.closed !== null) client = await bench.connect()
          const before = client.answers('pong').length
          client.send(sent)
          client.send({ action: 'ping' })
          const { until } = bench
          const socket = client
          await until(() => socket.answers('pong').length > before || socket.closed !== null)
          expect(
            socket.said.filter(({ code }) => code === 'server_error'),
            JSON.stringify(sent),
          ).toEqual([])
        }),
        { numRuns: RUNS },
      )
    },
  )

  it('no message to a stream or ticker socket crashes the server', async () => {
    const message = fc.record(
      {
        method: fc.oneof(
          fc.constantFrom('SUBSCRIBE', 'UNSUBSCRIBE', 'SET_PROPERTY', 'GET_PROPERTY', 'LIST_SUBSCRIPTIONS'),
          value,
        ),
        params: fc.oneof(fc.array(value), value),
        id: value,
        type: fc.oneof(fc.constantFrom('subscribe', 'unsubscribe'), value),
        channels: fc.oneof(fc.array(value), value),
        product_ids: fc.oneof(fc.array(value), value),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/ws', '/stream', '/ws/ticker'), message, async (path, sent) => {
        const client = await bench.connect(path)
        client.send(sent)
        client.ws.close()
        await bench.until(() => client.closed !== null)
      }),
      { numRuns: RUNS },
    )
    expect(bench.app.ctx.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

it('the messages and calls of these tests caused no unhandled promise rejection', () => {
  expect(rejected).toEqual([])
})
