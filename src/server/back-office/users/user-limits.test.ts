import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listActions } from '#server/audit/audit.queries.ts'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let support: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  app.ctx.clock.jump(Date.now() - app.ctx.now())
  user = await app.verifiedUser()
  support = await app.staff('support')
})
afterEach(() => app.stop())

const WORDS = 'You asked for it in your letter of 2 November.'
const exclude = (body: { months: number; words: string }, who = support, id = user.id) =>
  who.call(staffCalls.staffExclude, { params: { id }, body })
const ownBreak = async () => (await app.call(calls.limits, { token: user.token })).body.data.break

describe('limits of a user in the back office', () => {
  it('show staff the same as the user sees, and no call lets staff change them', async () => {
    const changes = [{ key: 'loss_day' as const, value: 50 }]
    await app.call(calls.changeLimits, { token: user.token, body: { changes } })
    const { body } = await support.call(staffCalls.staffUserLimits, { params: { id: user.id } })
    const own = (await app.call(calls.limits, { token: user.token })).body.data
    expect({ ...body.data.limits, as_of: '' }).toEqual({ ...own, as_of: '' })
    const writing = Object.values(staffCalls).filter(
      ({ method, path }) => method === 'POST' && /exclu|break|own-limit/.test(path),
    )
    expect(writing).toEqual([staffCalls.staffExclude])
    expect((await support.call(staffCalls.staffUserLimits, { params: { id: app.ctx.newId() } })).status).toBe(404)
  })
})

describe('an exclusion that a user requested from staff', () => {
  it('closes the account at once, with a message to the user and an entry in the audit log', async () => {
    const { body } = await exclude({ months: 6, words: WORDS })
    expect(body.data.break).toMatchObject({ kind: 'exclusion', state: 'on', words: WORDS })
    expect(await ownBreak()).toEqual(body.data.break)
    const [entry] = await listActions(database.db, 1)
    expect(entry).toMatchObject({ what: 'users/:id/exclude', target: user.id, reason: WORDS })
    expect(app.ctx.announced.map(({ kind }) => kind)).toContain('limits-changed')
  })

  it.each([
    [{ months: 5, words: WORDS }, 'break_too_short'],
    [{ months: 61, words: WORDS }, 'break_too_long'],
    [{ months: 6, words: ' ' }, 'words_needed'],
    [{ months: 6, words: '--- 123' }, 'words_needed'],
  ])('is refused for %o', async (body, code) => {
    expect((await exclude(body)).body.code).toBe(code)
    expect(await ownBreak()).toBeNull()
  })

  it('US1.5: can be shortened neither by the user nor by staff, like a self-exclusion', async () => {
    await exclude({ months: 12, words: WORDS })
    const before = await ownBreak()
    const owner = await app.staff('owner')
    expect((await exclude({ months: 6, words: WORDS }, owner)).body.code).toBe('break_shorter')
    await app.confirm(user.token)
    const own = { months: 6, understood: true } as const
    expect((await app.call(calls.takeExclusion, { token: user.token, body: own })).body.code).toBe('break_shorter')
    expect((await app.call(calls.takeTimeOut, { token: user.token, body: { days: 42 } })).body.code).toBe(
      'break_shorter',
    )
    expect(await ownBreak()).toEqual(before)
  })

  it('can be entered only by owners and support, and only for existing users', async () => {
    for (const role of ['finance', 'markets', 'content'] as const) {
      expect((await exclude({ months: 6, words: WORDS }, await app.staff(role))).status).toBe(403)
    }
    expect((await exclude({ months: 6, words: WORDS }, support, app.ctx.newId())).status).toBe(404)
    expect(await ownBreak()).toBeNull()
  })
})
