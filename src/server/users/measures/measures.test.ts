import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import { setLimits } from '#server/users/administration/set-limits.ts'
import { setLogInAllowed } from '#server/users/administration/set-log-in-allowed.ts'
import { setTradingAllowed } from '#server/users/administration/set-trading-allowed.ts'
import { endDueMeasures } from '#server/users/measures/end-measures.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const REASON = 'Send your papers.'
const staffId = async (name: string) =>
  (await database.db.selectFrom('staff').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
const edit = async (by: string, reason = REASON) => ({
  user: { userId: alice.id },
  reason,
  actor: { who: by, what: 'a test', staffId: await staffId(by) },
  mode: 'live' as const,
})
const measures = () => database.db.selectFrom('user_measure').selectAll().orderBy('since_ms').orderBy('kind').execute()
const account = () =>
  database.db.selectFrom('app_user').selectAll().where('id', '=', alice.id).executeTakeFirstOrThrow()
const pass = async (ms: number) => {
  app.ctx.clock.jump(ms)
  await endDueMeasures(app.ctx)
}
const off = async (by = 'support') => setTradingAllowed(app.ctx, { ...(await edit(by)), mayTrade: false })
const on = async () => setTradingAllowed(app.ctx, { ...(await edit('support', 'done')), mayTrade: true })
const codeOf = (done: { ok: true } | { ok: false; refusal: string }) => (done.ok ? 'done' : done.refusal)

async function agree(by: StaffSession): Promise<string> {
  const [measure] = (await measures()).filter(({ ended_ms: ended }) => ended === null)
  const params = { id: alice.id, measure: measure?.id ?? '' }
  const { body } = await by.call(staffCalls.staffAgreeMeasure, { params })
  return body.code ?? 'done'
}

describe('in live mode', () => {
  it('a trading block by one staff member ends after 72 hours', async () => {
    expect(codeOf(await off())).toBe('done')
    expect(await account()).toMatchObject({ trade_allowed: false, trade_reason: REASON })
    await pass(72 * HOUR_MS - 1)
    expect((await account()).trade_allowed).toBe(false)
    await pass(1)
    expect(await account()).toMatchObject({ trade_allowed: true, trade_reason: '' })
    expect(await measures()).toMatchObject([{ kind: 'trade_off', reason: REASON, second_by: null }])
  })

  it('one staff member alone can block trading for 72 hours within 30 days, also in parts', async () => {
    await off()
    app.ctx.clock.jump(HOUR_MS)
    await on()
    await off()
    await pass(71 * HOUR_MS - 1)
    expect((await account()).trade_allowed).toBe(false)
    await pass(1)
    expect((await account()).trade_allowed).toBe(true)
    expect(codeOf(await off('owner'))).toBe('measure_used_up')
    expect((await account()).trade_allowed).toBe(true)
    await pass(30 * DAY_MS)
    expect(codeOf(await off())).toBe('done')
  })

  it('a log-in stays blocked when a second approver agrees, but not when the first approver agrees again', async () => {
    await setLogInAllowed(app.ctx, { ...(await edit('owner')), maySignIn: false })
    expect(await agree(await app.staff('owner'))).toBe('second_person_needed')
    expect(await agree(await app.staff('finance'))).toBe('done')
    await pass(30 * DAY_MS)
    expect(await account()).toMatchObject({ sign_in_blocked: true, sign_in_reason: REASON })
    expect(await agree(await app.staff('finance2'))).toBe('measure_not_open')
  })

  it('withdrawals are held for 14 days more when a second approver agrees', async () => {
    const limits = { maxStake: null, maxOpenStake: null, mayWithdraw: false, withdrawalsReason: REASON }
    await setLimits(app.ctx, { ...(await edit('owner')), limits })
    expect(await agree(await app.staff('finance'))).toBe('done')
    await pass(14 * DAY_MS - 1)
    expect((await account()).withdrawals_allowed).toBe(false)
    await pass(1)
    expect((await account()).withdrawals_allowed).toBe(true)
  })

  it('the database refuses a measure of more than 72 hours without a second approver, even if the server writes it', async () => {
    await database.asOwner((owner) => sql`update log_identity set mode = 'live'`.execute(owner))
    const insert = (until: number | null) =>
      database.db
        .insertInto('user_measure')
        .values({
          id: app.ctx.newId(),
          user_id: alice.id,
          kind: 'trade_off',
          value: null,
          reason: REASON,
          since_ms: app.ctx.now(),
          until_ms: until,
          asked_by: null,
        })
        .execute()
    await expect(insert(null)).rejects.toThrow(/72 hours/)
    await expect(insert(app.ctx.now() + 72 * HOUR_MS + 1)).rejects.toThrow(/72 hours/)
    await insert(app.ctx.now() + 72 * HOUR_MS)
    const set = (columns: object) => database.db.updateTable('user_measure').set(columns).execute()
    await expect(set({ until_ms: app.ctx.now() + 80 * HOUR_MS })).rejects.toThrow(/ends earlier/)
    await expect(set({ until_ms: null })).rejects.toThrow(/ends earlier/)
  })
})

it('ends a limit after 90 days, unless it is renewed', async () => {
  const limits = { maxStake: money(5_000n), maxOpenStake: null, mayWithdraw: true, withdrawalsReason: '' }
  const renew = async () => setLimits(app.ctx, { ...(await edit('finance', 'another reason')), limits })
  await setLimits(app.ctx, { ...(await edit('finance')), limits })
  await pass(89 * DAY_MS)
  await renew()
  await pass(89 * DAY_MS)
  expect(await account()).toMatchObject({ max_stake: 5_000n, max_stake_reason: REASON })
  await pass(DAY_MS)
  expect(await account()).toMatchObject({ max_stake: null, max_stake_reason: '' })
  expect(await measures()).toHaveLength(1)
})

it("the server's database role cannot change the permissions of an account, and of a measure only its end", async () => {
  await off()
  const forbidden = [
    'trade_allowed = true',
    "trade_reason = ''",
    'sign_in_blocked = false',
    "sign_in_reason = ''",
    'withdrawals_allowed = true',
    "withdrawals_reason = ''",
    'max_stake = null',
    "max_stake_reason = ''",
    'max_open_stake = null',
    "max_open_stake_reason = ''",
    // A user marked as a bot would be missing in public counts, so the server must not be able to set this.
    'is_bot = true',
  ].map((set) => `update app_user set ${set}`)
  const columns = ['id = id', "kind = 'sign_in_off'", 'value = 1', "reason = 'x'", 'since_ms = 1', 'was_ahead = true']
  forbidden.push(
    ...[...columns, 'user_id = user_id', 'asked_by = null'].map((set) => `update user_measure set ${set}`),
    'delete from user_measure',
    'truncate user_measure',
    `insert into user_measure (id, user_id, kind, reason, since_ms, was_ahead) values
      (gen_random_uuid(), '${alice.id}', 'sign_in_off', 'because', 1, false)`,
    `insert into app_user (id, username, mobile, password_hash, created_ms, trade_allowed) values
      (gen_random_uuid(), 'mallory', '', '', 1, false)`,
  )
  for (const statement of forbidden)
    await expect(sql.raw(statement).execute(database.db), statement).rejects.toThrow(/permission denied/)
  await on()
  await expect(database.db.updateTable('user_measure').set({ ended_ms: app.ctx.now() }).execute()).rejects.toThrow(
    /has ended/,
  )
})

it('in a demo, a trading block by one staff member has no end', async () => {
  const support = await app.staff('support')
  const { version } = await account()
  const body = { version, on: false, reason: REASON }
  const { status } = await support.call(staffCalls.staffSetTradingAllowed, { params: { id: alice.id }, body })
  expect(status).toBe(200)
  await pass(365 * DAY_MS)
  expect((await account()).trade_allowed).toBe(false)
  expect(await agree(await app.staff('owner'))).toBe('measure_not_open')
  expect(
    (await app.call(calls.profile, { token: (await app.signIn('alice', alice.password)).token })).body.data.user,
  ).toMatchObject({
    trade_status: 0,
    trade_reason: REASON,
  })
})
