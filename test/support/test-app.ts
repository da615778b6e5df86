import { generateKeyPairSync } from 'node:crypto'
import { openRegisterKeys } from '#server/register/register-keys.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type App, createApp } from '#server/app/create-app.ts'
import type { AppOverrides } from '#server/app/opening.ts'
import { readConfig } from '#server/app/config/config.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import { closeRegister } from '#test/support/close-register.ts'
import type { TestDatabase } from '#test/support/database.ts'
import type { FakeClock } from '#test/support/fake-clock.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { SecretWatch } from '#test/support/secret-leaks.ts'
import { passChanges } from '#test/support/pass-changes.ts'
import { signInStaff, type StaffSession } from '#test/support/staff-session.ts'
import { createTestCalls, type TestCalls } from '#test/support/test-calls.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { createTestUsers, type TestUsers } from '#test/support/test-users.ts'

export { emailOf, TEST_PASSWORD, type TestUser } from '#test/support/test-users.ts'

export interface TestApp extends App, TestCalls, TestUsers {
  readonly ctx: TestContext
  readonly feed: ScriptedFeed
  /** Logs in a demo staff member: `owner`, `finance`, `finance2`, `support`, `markets` or `content`. */
  staff(name: string): Promise<StaffSession>
  /** Closes a minute of the register, so that announced trade terms can apply. */
  publishTerms(): Promise<void>
  /**
   * Agrees to all requested changes as `finance2` or the given staff member, and lets time elapse until they are in
   * force.
   */
  passChanges(by?: StaffSession): Promise<void>
  /** Publishes announced trade terms, and lets time elapse until the last of them applies. */
  passNotice(): Promise<void>
}

/** The same hash function at a fraction of the cost. `passwords.test.ts` covers the real cost. */
const CHEAP_HASHES = { memoryCost: 64, timeCost: 1, parallelism: 1 }
/** Signing keys that are created once and shared by all apps of a process. */
export const testKey = makeSigningKey()
export const testRegisterKeys = openRegisterKeys(
  '',
  JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
)
const NO_LIMIT = { perSecond: 1e6, burst: 1e6 }

/** Creates the whole server on a test database, with a clock that stands still and prices sent by the test. */
export async function createTestApp(
  database: TestDatabase,
  options: AppOverrides & {
    environment?: Readonly<Record<string, string>>
    /** Creates a feed that needs the clock, in place of the scripted one. */
    feedOn?: (clock: FakeClock) => Feed
    startAt?: Instant
  } = {},
): Promise<TestApp> {
  const { environment = {}, feedOn, startAt, ...overrides } = options
  const ctx = createTestContext(database.db, startAt)
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
    registerKeys: testRegisterKeys,
    ...overrides,
  })
  const watch = new SecretWatch()
  const requests = createTestCalls(app, watch)
  async function publishTerms(): Promise<void> {
    await closeRegister(app)
    await app.catalogue.refreshLogged()
  }
  const test: TestApp = {
    ...app,
    ...requests,
    ...createTestUsers(requests, database.db),
    ctx,
    feed,
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
    publishTerms,
    passChanges: async (by) => passChanges(test, database, by ?? (await test.staff('finance2'))),
    async passNotice() {
      await publishTerms()
      const { terms } = app.catalogue
      let last = ctx.now()
      for (let next = terms.nextChange(last); Number.isFinite(next); next = terms.nextChange(last)) last = instant(next)
      ctx.clock.jump(last - ctx.now())
    },
    async stop() {
      await app.stop()
      // After every test, the log must not contain any of its secrets.
      const leaks = watch.leaks(ctx)
      assert(leaks.length === 0, `no secret is logged: ${leaks[0] ?? ''}`)
    },
  }
  return test
}
