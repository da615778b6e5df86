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
/** Counts the rows in each table that the calls may write. */
async function rows() {
  const counts = await Promise.all(
    TABLES.map(async (table) => (await database.db.selectFrom(table).selectAll().execute()).length),
  )
  return Object.fromEntries(TABLES.map((table, at) => [table, counts[at]]))
}

/**
 * Sends a call again and again, and stops the server at its first statement, then at its second, and so on, until the
 * call writes. Returns the counts of rows before and after, and the number of stops.
 */
async function stopEverywhere(send: () => Promise<{ status: number }>) {
  const before = await rows()
  for (let at = 0; ; at += 1) {
    server.stopAfter(at)
    const { status } = await send()
    server.run()
    const after = await rows()
    if (status === 200) return { before, after, stops: at }
    // Without a reply, either nothing was written, or the whole change was written before the server stopped.
    if (JSON.stringify(after) !== JSON.stringify(before)) return { before, after, stops: at }
  }
}

describe('a server that stops between two statements', () => {
  const limit = (value: number | null) => () =>
    app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key: 'loss_day', value }] } })

  it('US1.9: of a call that sets a limit has written all of it with one notice, or nothing', async () => {
    const { before, after, stops: tried } = await stopEverywhere(limit(50))
    expect(tried).toBeGreaterThan(4)
    expect(after).toEqual({ ...before, self_limit: 1, self_limit_change: 1, notice: (before['notice'] ?? 0) + 1 })
  })

  it('US1.9: of a call that confirms a looser limit has written all of it with one notice, or nothing', async () => {
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

  it('US1.9: of a call that takes a time-out has written all of it with one notice, or nothing', async () => {
    const { before, after } = await stopEverywhere(() =>
      app.call(calls.takeTimeOut, { token: user.token, body: { days: 3 } }),
    )
    expect(after).toEqual({ ...before, self_break: 1, notice: (before['notice'] ?? 0) + 1 })
  })

  it('US1.9: of a call that takes an exclusion has written all of it with one notice, or nothing', async () => {
    await app.confirm(user.token)
    const { before, after } = await stopEverywhere(() =>
      app.call(calls.takeExclusion, { token: user.token, body: { months: 6, understood: true } }),
    )
    expect(after).toEqual({ ...before, self_break: 1, notice: (before['notice'] ?? 0) + 1 })
  })

  it('US1.9: of a call that answers the question about a limit has written all of it, or nothing', async () => {
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
