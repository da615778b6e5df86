import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { SelfLimitKey } from '#core/accounts/self-limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { passLimitTime } from '#test/support/pass-limit-time.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser()
})
afterEach(() => app.stop())

const set = (key: SelfLimitKey, value: number | null) =>
  app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key, value }] } })
const own = async () => (await app.call(calls.limits, { token: user.token })).body.data
const confirm = (id: string) => app.call(calls.confirmLimitChange, { token: user.token, body: { id } })
const inForce = async () =>
  Object.fromEntries(
    (await database.db.selectFrom('self_limit').select(['key', 'amount']).execute()).map(({ key, amount }) => [
      key,
      amount,
    ]),
  )
const passTime = (ms: number) => passLimitTime(database, ms)

describe('POST /user/limits', () => {
  it('US1.4: applies a tighter limit immediately, and lets a looser limit wait 24 hours', async () => {
    const { body } = await set('loss_day', 50)
    expect(body.data.outcomes).toEqual([{ key: 'loss_day', in_force: 50, ready_at: null }])
    expect(body.data.limits.loss.day).toMatchObject({ value: 50, used: 0, open: 0, left: 50, frees_at: null })
    await set('loss_day', 40)
    const looser = await set('loss_day', 60)
    expect(looser.body.data.outcomes).toMatchObject([{ key: 'loss_day', in_force: 40, ready_at: expect.any(String) }])
    expect(looser.body.data.limits.waiting).toMatchObject([{ key: 'loss_day', from: 40, to: 60, ready: false }])
    expect(await inForce()).toEqual({ loss_day: 4_000n })
  })

  it('US1.4: keeps the waiting time when the same value is requested again, and restarts it for another value', async () => {
    await set('stake_max', 5)
    await set('stake_max', 10)
    await passTime(HOUR_MS)
    const [first] = (await own()).waiting
    await set('stake_max', 10)
    expect((await own()).waiting).toEqual([first])
    await set('stake_max', null)
    const [second, ...others] = (await own()).waiting
    expect([second?.to, others]).toEqual([null, []])
    expect(Date.parse(second?.ready_at ?? '')).toBeGreaterThan(Date.parse(first?.ready_at ?? ''))
    expect((await own()).history.map(({ outcome }) => outcome)).toEqual(['waiting', 'dropped', 'in_force'])
  })

  it('US1.4: drops a waiting looser change of a limit when the user tightens the limit', async () => {
    await set('stake_max', 5)
    await set('stake_max', 10)
    const [waiting] = (await own()).waiting
    await set('stake_max', 4)
    await passTime(DAY_MS)
    expect((await own()).waiting).toEqual([])
    expect((await confirm(waiting?.id ?? '')).body.code).toBe('change_ended')
    expect(await inForce()).toEqual({ stake_max: 400n })
  })

  it('US1.4: drops a waiting looser change when the user requests the value in force', async () => {
    await set('stake_max', 5)
    await set('stake_max', 10)
    const same = await set('stake_max', 5)
    expect(same.body.data.outcomes).toEqual([{ key: 'stake_max', in_force: 5, ready_at: null }])
    expect((await own()).waiting).toEqual([])
    expect((await own()).history.map(({ outcome }) => outcome)).toEqual(['dropped', 'in_force'])
  })

  it('refuses two values for one limit', async () => {
    const changes = [
      { key: 'stake_max', value: 5 },
      { key: 'stake_max', value: 50 },
    ] as const
    const twice = await app.call(calls.changeLimits, { token: user.token, body: { changes: [...changes] } })
    expect(twice.status).toBe(422)
    expect(await inForce()).toEqual({})
  })

  it('changes all limits or none', async () => {
    const changes = [
      { key: 'loss_day' as const, value: 10 },
      { key: 'stake_max' as const, value: 1_000_000_000.01 },
    ]
    const { status, body } = await app.call(calls.changeLimits, { token: user.token, body: { changes } })
    expect([status, body.code]).toEqual([422, 'above_maximum'])
    expect(await inForce()).toEqual({})
  })
})

describe('POST /user/limits/confirm', () => {
  it.each<[string, number, string | undefined, bigint]>([
    ['refuses it a minute before 24 hours', DAY_MS - MINUTE_MS, 'change_waits', 500n],
    ['applies it after 24 hours', DAY_MS, undefined, 1_000n],
    ['applies it a minute before eight days', 8 * DAY_MS - MINUTE_MS, undefined, 1_000n],
    ['lets it lapse after eight days', 8 * DAY_MS, 'change_lapsed', 500n],
  ])('US1.4: %s, by the clock of the database', async (_what, passed, code, amount) => {
    await set('stake_max', 5)
    await set('stake_max', 10)
    const [waiting] = (await own()).waiting
    await passTime(passed)
    app.ctx.clock.jump(-DAY_MS)
    expect((await confirm(waiting?.id ?? '')).body.code).toBe(code)
    app.ctx.clock.jump(10 * DAY_MS)
    await confirm(waiting?.id ?? '')
    expect(await inForce()).toEqual({ stake_max: amount })
  })

  it('US1.4: applies once when it is confirmed ten times in parallel', async () => {
    await set('loss_day', 5)
    await set('loss_day', null)
    const [waiting] = (await own()).waiting
    await passTime(DAY_MS)
    const replies = await Promise.all(Array.from({ length: 10 }, () => confirm(waiting?.id ?? '')))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await inForce()).toEqual({})
    expect(await database.db.selectFrom('self_limit_change_end').select('outcome').execute()).toEqual([
      { outcome: 'confirmed' },
    ])
    // When the confirmation is repeated after the user tightened the limit, the limit stays tight.
    await set('loss_day', 3)
    await confirm(waiting?.id ?? '')
    expect(await inForce()).toEqual({ loss_day: 300n })
  })

  it('answers 404 for the change of another user', async () => {
    await set('stake_max', 5)
    await set('stake_max', 10)
    const [waiting] = (await own()).waiting
    const other = await app.verifiedUser()
    for (const call of [calls.confirmLimitChange, calls.dropLimitChange]) {
      expect((await app.call(call, { token: other.token, body: { id: waiting?.id ?? '' } })).status).toBe(404)
    }
  })
})

describe("SQL with the rights of the server's role", () => {
  it.each<[string, (db: Db, id: string) => Promise<unknown>]>([
    ['raise a limit', (db) => sql`update self_limit set amount = 999999`.execute(db)],
    ['delete a limit', (db) => sql`delete from self_limit`.execute(db)],
    ['add a limit', (db, id) => sql`insert into self_limit values (${id}, 'loss_day', 1, 1)`.execute(db)],
    ['raise the copy with the balance', (db) => sql`update balance set self_stake_max = null`.execute(db)],
    ['switch the rules of a balance off', (db) => sql`update balance set self_rules = false`.execute(db)],
    ['change a change', (db) => sql`update self_limit_change set ready_ms = 0`.execute(db)],
    ['delete a change', (db) => sql`delete from self_limit_change`.execute(db)],
    [
      'choose the time of a change',
      (db, id) =>
        sql`insert into self_limit_change (user_id, id, key, to_amount, ready_ms)
        values (${id}, ${id}, 'stake_max', 9999, 0)`.execute(db),
    ],
    [
      'confirm a change early',
      (db) =>
        sql`insert into self_limit_change_end (user_id, id, outcome)
        select user_id, id, 'confirmed' from self_limit_change where direction = 'looser'`.execute(db),
    ],
    ['shorten a break', (db) => sql`update self_break set until_ms = 0`.execute(db)],
    ['delete a break', (db) => sql`delete from self_break`.execute(db)],
    [
      'choose the end of a break',
      (db, id) =>
        sql`insert into self_break (user_id, id, kind, length, until_ms) values (${id}, ${id}, 'time_out', 1, 0)`.execute(
          db,
        ),
    ],
    [
      'take a shorter break',
      (db, id) =>
        sql`insert into self_break (user_id, id, kind, length) values (${id}, ${id}, 'time_out', 1)`.execute(db),
    ],
    ['open trading during a break', (db) => sql`update balance set closed_until_ms = null`.execute(db)],
    [
      'return before the end',
      (db) => sql`insert into self_return (user_id, break_id) select user_id, id from self_break`.execute(db),
    ],
    ['delete all marks by truncating them', (db) => sql`truncate limit_mark`.execute(db)],
  ])('US1.5: cannot %s', async (_what, attempt) => {
    await set('stake_max', 5)
    await set('stake_max', 10)
    await app.call(calls.takeTimeOut, { token: user.token, body: { days: 7 } })
    const before = await everything()
    await expect(attempt(database.db, user.id)).rejects.toThrow(
      /permission denied|too early|nothing changes|cannot be made shorter|no exclusion is over/,
    )
    expect(await everything()).toEqual(before)
  })

  it('US1.3: cannot add a balance without the limits of its user: the database copies them', async () => {
    await set('loss_week', 70)
    // Each account has one balance, so a new one needs the old one out of the way.
    await database.asOwner((owner) => sql`delete from balance where user_id = ${user.id}`.execute(owner))
    await sql`insert into balance (user_id, currency, cash, self_rules) values (${user.id}, 'EUR', 0, false)`.execute(
      database.db,
    )
    const copies = await database.db
      .selectFrom('balance')
      .select(['self_rules', 'loss_week'])
      .where('user_id', '=', user.id)
      .execute()
    expect(copies).toEqual([{ self_rules: true, loss_week: 7_000n }])
  })

  const everything = async () => [
    await database.db.selectFrom('self_limit').selectAll().execute(),
    await database.db.selectFrom('self_limit_change').selectAll().execute(),
    await database.db.selectFrom('self_break').selectAll().execute(),
    await database.db.selectFrom('balance').selectAll().execute(),
  ]
})
