import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { passLimitTime } from '#test/support/pass-limit-time.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { stoppingServer } from '#test/support/stopping-server.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const server = stoppingServer(database)
let app: TestApp
let user: TestUser
beforeEach(async () => {
  server.run()
  app = await createTestApp(server.opened())
  user = await app.verifiedUser()
})
afterEach(() => {
  server.run()
  return app.stop()
})

const TABLES = [
  'self_limit',
  'self_limit_change',
  'self_limit_change_end',
  'self_break',
  'limit_prompt',
  'notice',
] as const
/** The rows that the call may write, by table. */
async function rows() {
  const counts = await Promise.all(
    TABLES.map(async (table) => (await database.db.selectFrom(table).selectAll().execute()).length),
  )
  return Object.fromEntries(TABLES.map((table, at) => [table, counts[at]]))
}

/** Stops the server at each statement of a call, until the call gets through. Returns the rows before and after. */
async function stopEverywhere(send: () => Promise<{ status: number }>) {
  const before = await rows()
  for (let at = 0; ; at += 1) {
    server.stopAfter(at)
    const { status } = await send()
    server.run()
    const after = await rows()
    if (status === 200) return { before, after, stops: at }
    // Either nothing was written, or the whole change was written and the server could not send its reply.
    if (JSON.stringify(after) !== JSON.stringify(before)) return { before, after, stops: at }
  }
}

describe('a server that stops between two statements', () => {
  const limit = (value: number | null) => () =>
    app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key: 'loss_day', value }] } })

  it('US1.9: of setting a limit leaves all or nothing, and one notice', async () => {
    const { before, after, stops: tried } = await stopEverywhere(limit(50))
    expect(tried).toBeGreaterThan(4)
    expect(after).toEqual({ ...before, self_limit: 1, self_limit_change: 1, notice: (before['notice'] ?? 0) + 1 })
  })

  it('US1.9: of confirming a looser limit leaves all or nothing, and one notice', async () => {
    await limit(50)()
    await limit(null)()
    await passLimitTime(database, DAY_MS)
    const { data } = (await app.call(calls.limits, { token: user.token })).body
    const body = { id: data.waiting[0]?.id ?? '' }
    const { before, after } = await stopEverywhere(() =>
      app.call(calls.confirmLimitChange, { token: user.token, body }),
    )
    expect(after).toEqual({
      ...before,
      self_limit: 0,
      self_limit_change_end: (before['self_limit_change_end'] ?? 0) + 1,
      notice: (before['notice'] ?? 0) + 1,
    })
  })

  it('US1.9: of taking a time-out leaves all or nothing, and one notice', async () => {
    const { before, after } = await stopEverywhere(() =>
      app.call(calls.takeTimeOut, { token: user.token, body: { days: 3 } }),
    )
    expect(after).toEqual({ ...before, self_break: 1, notice: (before['notice'] ?? 0) + 1 })
  })

  it('US1.9: of excluding leaves all or nothing, and one notice', async () => {
    await app.confirm(user.token)
    const { before, after } = await stopEverywhere(() =>
      app.call(calls.takeExclusion, { token: user.token, body: { months: 6, understood: true } }),
    )
    expect(after).toEqual({ ...before, self_break: 1, notice: (before['notice'] ?? 0) + 1 })
  })

  it('US1.9: of deciding about a limit before the first deposit leaves all or nothing', async () => {
    const body = { answer: 'set' as const, changes: [{ key: 'deposit_day' as const, value: 50 }] }
    const { before, after } = await stopEverywhere(() => app.call(calls.limitPrompt, { token: user.token, body }))
    expect(after).toEqual({
      ...before,
      self_limit: 1,
      self_limit_change: 1,
      limit_prompt: 1,
      notice: (before['notice'] ?? 0) + 1,
    })
  })
})
