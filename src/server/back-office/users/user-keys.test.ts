import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { listActions } from '#server/audit/audit.queries.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { makeTestKey } from '#test/support/test-keys.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let support: StaffSession
let key: Awaited<ReturnType<typeof makeTestKey>>
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser()
  support = await app.staff('support')
  key = await makeTestKey(app, user, { name: 'grid bot', scope: 'trade', anywhere: true })
})
afterEach(() => app.stop())

const REASON = 'The user reported the computer stolen by phone.'
const list = async (who = support, id = user.id) => who.call(staffCalls.staffUserKeys, { params: { id } })
const end = (given: { id?: string; key?: string; reason?: string } = {}, who = support) =>
  who.call(staffCalls.staffEndUserKey, {
    params: { id: given.id ?? user.id, key: given.key ?? key.id },
    body: { reason: given.reason ?? REASON },
  })
const useKey = () => app.call(calls.keyItself, { token: key.secret })

it("staff see a user's valid API keys, without their secrets", async () => {
  expect((await list()).body.data.keys).toMatchObject([{ id: key.id, name: 'grid bot', scope: 'trade', used_at: null }])
  await useKey()
  const { body } = await list()
  expect(body.data.keys[0]?.used_at).not.toBeNull()
  expect(JSON.stringify(body)).not.toContain(key.secret.slice(-43))
  expect((await list(support, app.ctx.newId())).status).toBe(404)
})

it('a key that staff revoked is refused immediately, with a notice to its user and an audit entry', async () => {
  expect((await useKey()).status).toBe(200)
  expect((await end()).status).toBe(200)
  expect((await useKey()).status).toBe(401)
  expect((await list()).body.data.keys).toEqual([])
  const [entry] = await listActions(database.db, 1)
  expect(entry).toMatchObject({ what: 'users/:id/keys/:key/end', target: user.id, reason: REASON })
  const { notices } = (await app.call(calls.notices, { token: user.token })).body.data
  expect(notices.map(({ kind }) => kind)).toContain('key_ended')
  expect((await end()).body.code).toBe('not_found')
})

it("a user's other key stays valid after staff revoked one key", async () => {
  const other = await makeTestKey(app, user)
  await end()
  expect((await app.call(calls.keyItself, { token: other.secret })).status).toBe(200)
})

it.each([
  ['without a reason', { reason: '  ' }, 422, 'reason_needed'],
  ['that does not exist', { key: '0'.repeat(16) }, 404, 'not_found'],
] as const)('a key %s is not ended', async (_, given, status, code) => {
  const reply = await end(given)
  expect([reply.status, reply.body.code]).toEqual([status, code])
  expect((await useKey()).status).toBe(200)
})

it('a key cannot be revoked under the id of another user', async () => {
  const { id } = await app.verifiedUser()
  expect((await end({ id })).body.code).toBe('not_found')
  expect((await useKey()).status).toBe(200)
})

it.each([
  ['owner', 200, 200],
  ['support', 200, 200],
  ['finance', 200, 403],
  ['compliance', 200, 403],
  ['markets', 403, 403],
  ['content', 403, 403],
] as const)('%s gets %i for the list of keys and %i for the end of one', async (role, forList, forEnd) => {
  const who = await app.staff(role)
  expect([(await list(who)).status, (await end({}, who)).status]).toEqual([forList, forEnd])
  expect((await useKey()).status).toBe(forEnd === 200 ? 401 : 200)
})
