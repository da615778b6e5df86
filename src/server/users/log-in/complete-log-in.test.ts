import { afterEach, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { completeLogIn } from '#server/users/log-in/complete-log-in.ts'
import { checkPasskey } from '#server/users/security/check-passkey.ts'
import { passkeySite } from '#server/users/security/passkeys.ts'
import { createLogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { createSoftPasskey, PASSKEY_SITE } from '#test/support/soft-passkey.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const headers = { origin: PASSKEY_SITE, host: 'localhost:3000' }
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

/** Adds a passkey, and returns a function that checks its signature as the first half of a log-in does. */
async function addPasskey() {
  const { token } = user
  await app.call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
  const key = createSoftPasskey()
  const adding = (await app.call(calls.securityPasskeyTask, { token, body: { use: 'add' }, headers })).body.data
  const body = { ticket: adding.ticket, response: key.make(adding.options), name: 'My phone' }
  expect((await app.call(calls.addPasskey, { token, headers, body })).status).toBe(200)
  return async () => {
    const { ticket, options } = (await app.call(calls.passkeyTask, { body: {}, headers })).body.data
    const given = { kind: 'passkey_sign_in', ticket, response: key.use(options) } as const
    const checked = await checkPasskey(app.ctx, passkeySite(null, PASSKEY_SITE), given)
    assert(checked.ok, 'the passkey is right')
    return checked.value
  }
}

it('AC3: a log-in whose passkey is removed between the check of its signature and the session opens no session', async () => {
  const check = await addPasskey()
  const parts = { ctx: app.ctx, signIns: createLogInRecorder(app.ctx) }
  const from = { address: '192.0.2.1', userAgent: 'test', country: null }
  const entry = { userId: user.id, how: 'passkey', from, device: null } as const
  const { passkeyId } = await check()
  expect(await completeLogIn(parts, entry, { passkeyId })).not.toBeNull()
  const { passkeyId: removed } = await check()
  const { token } = user
  expect((await app.call(calls.removePasskey, { token, params: { id: removed } })).status).toBe(200)
  expect(await completeLogIn(parts, entry, { passkeyId: removed })).toBeNull()
})
