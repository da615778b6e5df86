import type { InjectOptions } from 'fastify'
import type { Call, CallInput, CallReply, Failure, PageMeta } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { assert } from '#core/result.ts'
import { type App, createApp } from '#server/app/create-app.ts'
import type { AppOverrides } from '#server/app/opening.ts'
import { readConfig } from '#server/app/config/config.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import type { TestDatabase } from '#test/support/database.ts'
import type { FakeClock } from '#test/support/fake-clock.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { SecretWatch } from '#test/support/secret-leaks.ts'
import { signInStaff, type StaffSession } from '#test/support/staff-session.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'

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

export interface TestUser {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly token: string
}

export interface TestApp extends App {
  readonly ctx: TestContext
  readonly feed: ScriptedFeed
  /** Calls the API without a socket. */
  call<const C extends Call>(call: C, sent?: Sent<C>): Promise<Reply<CallReply<C>>>
  /** Sends any request. */
  inject(options: InjectOptions): Promise<Reply<unknown>>
  /** Creates an unverified account. */
  signUp(username?: string): Promise<TestUser>
  signIn(username: string, password: string): Promise<TestUser>
  /** Creates an account, verifies it with its code, and logs in again. */
  verifiedUser(username?: string): Promise<TestUser>
  /** Confirms a session by password, so that it may change the account's security for ten minutes. */
  confirm(token: string): Promise<void>
  /** Confirms the session, sets the first PIN, and ends the withdrawal pause that follows. */
  setPin(token: string, pin: string): Promise<void>
  /** Ends every withdrawal pause, so that tests of other features need not advance by a day. */
  endPauses(): Promise<void>
  /** Returns the newest code that was sent to an address. */
  sentCode(to: string): Promise<string>
  /** Logs in a demo staff member: `owner`, `finance`, `finance2`, `support`, `markets` or `content`. */
  staff(name: string): Promise<StaffSession>
}

export const TEST_PASSWORD = 'hunter-22'
/** The same hash function at a fraction of the cost. `passwords.test.ts` covers the real cost. */
const CHEAP_HASHES = { memoryCost: 64, timeCost: 1, parallelism: 1 }
/** Created once for all apps of a process. */
const testKey = makeSigningKey()
const NO_LIMIT = { perSecond: 1e6, burst: 1e6 }

/** Creates the whole server on a test database, with a clock that stands still and prices sent by the test. */
export async function createTestApp(
  database: TestDatabase,
  options: AppOverrides & {
    environment?: Readonly<Record<string, string>>
    /** Creates a feed that needs the clock, in place of the scripted one. */
    feedOn?: (clock: FakeClock) => Feed
  } = {},
): Promise<TestApp> {
  const { environment = {}, feedOn, ...overrides } = options
  const ctx = createTestContext(database.db)
  const feed = new ScriptedFeed(CATALOGUE)
  const app = await createApp(readConfig({ PORT: '0', FAIRWICK_BOTS: 'off', ...environment }), ctx.log, {
    ctx,
    feed: feedOn?.(ctx.clock) ?? feed,
    connections: database.connections,
    perAddress: NO_LIMIT,
    perAccount: NO_LIMIT,
    signUpsPerHour: 1_000_000,
    takeStrangerCall: () => Promise.resolve(0),
    checksReplies: true,
    hashCost: CHEAP_HASHES,
    signingKey: await testKey,
    ...overrides,
  })
  let users = 0
  const watch = new SecretWatch()

  const inject: TestApp['inject'] = async (sent) => {
    const { statusCode, headers, payload } = await app.http.inject(sent)
    return { status: statusCode, headers, body: readBody(payload) }
  }
  const call: TestApp['call'] = async (called, { params = {}, query, body, token, headers = {} } = {}) => {
    const path = called.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const reply = await inject({
      method: called.method,
      url: `/api${path}`,
      headers: {
        // A user at the demo's own machine has the key of its start.
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
  const sentCode: TestApp['sentCode'] = async (to) => {
    const { body } = await call(calls.outbox, { query: { to } })
    const [newest] = body.data.messages
    assert(newest, `a code was sent to ${to}`)
    return newest.code
  }
  const signUp: TestApp['signUp'] = async (name) => {
    users += 1
    const username = name ?? `user${users}`
    const { body } = await call(calls.register, {
      body: {
        username,
        email: emailOf(username),
        mobile: '5551234567',
        password: TEST_PASSWORD,
        password_confirmation: TEST_PASSWORD,
        agree: true,
      },
    })
    assert(body.data, `signed up: ${body.message ?? ''}`)
    return { id: body.data.user.id, username, password: TEST_PASSWORD, token: body.data.token }
  }
  const signIn: TestApp['signIn'] = async (username, password) => {
    const { body } = await call(calls.login, { body: { username, password } })
    assert(body.data && 'token' in body.data, `signed in: ${body.message ?? ''}`)
    return { id: body.data.user.id, username, password, token: body.data.token }
  }
  const confirm: TestApp['confirm'] = async (token) => {
    const { body } = await call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
    assert(body.data, `confirmed: ${body.message ?? ''}`)
  }
  const endPauses: TestApp['endPauses'] = async () => {
    await database.db.updateTable('app_user').set({ security_changed_ms: null }).execute()
  }
  return {
    ...app,
    ctx,
    feed,
    inject,
    call,
    confirm,
    endPauses,
    async setPin(token, pin) {
      await confirm(token)
      const body = { withdrawal_code: pin, withdrawal_code_confirmation: pin }
      const reply = await call(calls.saveWithdrawalPin, { token, body })
      assert(reply.status === 200, `the PIN is set: ${reply.body.message ?? ''}`)
      await endPauses()
    },
    sentCode,
    signUp,
    signIn,
    staff: (name) =>
      signInStaff(
        async (sent) => {
          const reply = await app.http.inject(sent)
          watch.hear([sent.headers, sent.payload])
          return reply
        },
        name,
        app.demoKey?.text ?? '',
      ),
    async stop() {
      await app.stop()
      // After every test, the log must not contain any of its secrets.
      const leaks = watch.leaks(ctx)
      assert(leaks.length === 0, `no secret is logged: ${leaks[0] ?? ''}`)
    },
    async verifiedUser(name) {
      const user = await signUp(name)
      const code = await sentCode(emailOf(user.username))
      await call(calls.verifyCode, { token: user.token, body: { code } })
      return signIn(user.username, user.password)
    },
  }
}

export function emailOf(username: string): string {
  return `${username.toLowerCase()}@example.com`
}

function readBody(payload: string): Reply<unknown>['body'] {
  return payload.startsWith('{') ? JSON.parse(payload) : { data: undefined, message: payload }
}
