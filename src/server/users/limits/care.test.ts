import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { REALITY_MINUTES } from '#core/accounts/self-limits.ts'
import { money } from '#core/money/money.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { siteCare } from '#server/settings/site-care.ts'
import { createRateOf } from '#server/payments/deposits/gateway-rate.ts'
import { saveDeposit } from '#server/payments/deposits/save-deposit.ts'
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

const own = async ({ token } = user) => (await app.call(calls.limits, { token })).body.data
const lock = (value: boolean) =>
  app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key: 'withdrawal_lock', value }] } })

describe('the withdrawal lock', () => {
  const DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
  beforeEach(async () => {
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
    await app.setPin(user.token, '042713', { 101: DETAILS })
  })
  const withdraw = async () =>
    (
      await app.call(calls.saveWithdrawal, {
        token: user.token,
        body: { amount: 100, method_id: 101, withdrawal_code: '042713', fields: DETAILS },
      })
    ).body.data.withdrawal.trx
  const cancel = (trx: string) => app.call(calls.cancelWithdrawal, { token: user.token, params: { trx } })

  it('the lock is off at first in a demo, and also covers withdrawals that are pending when it is turned on', async () => {
    const [first, second] = [await withdraw(), await withdraw()]
    expect((await own()).withdrawal_lock).toBe(false)
    expect((await cancel(first)).status).toBe(200)
    expect((await lock(true)).body.data.outcomes).toMatchObject([{ key: 'withdrawal_lock', in_force: 1 }])
    expect((await cancel(second)).body.code).toBe('withdrawal_locked')
    expect((await app.call(calls.withdrawals, { token: user.token })).body.data.withdrawals).toMatchObject([
      { trx: second, status: 2 },
      { trx: first, status: 3 },
    ])
  })

  it('ends when the user confirms, 24 hours after the request at the earliest', async () => {
    const trx = await withdraw()
    await lock(true)
    await lock(false)
    expect((await cancel(trx)).body.code).toBe('withdrawal_locked')
    const [waiting] = (await own()).waiting
    await passLimitTime(database, DAY_MS)
    await app.call(calls.confirmLimitChange, { token: user.token, body: { id: waiting?.id ?? '' } })
    expect((await cancel(trx)).status).toBe(200)
  })

  it('US1.2: the database refuses a cancellation that the server checked before the lock was turned on', async () => {
    const trx = await withdraw()
    await lock(true)
    const late = sql`update withdrawal set is_cancelled = true, status = 3 where trx = ${trx}`.execute(app.ctx.db)
    await expect(late).rejects.toThrow('locked cancelling')
  })
})

describe('in live mode', () => {
  beforeEach(() => database.asOwner((owner) => sql`update log_identity set mode = 'live'`.execute(owner)))

  it('users start with an hourly reality check and a withdrawal lock; in a demo they start with neither', async () => {
    const begun = await app.verifiedUser('second')
    expect(await own(begun)).toMatchObject({ reality: { minutes: 60 }, withdrawal_lock: true, stake_max: null })
    expect(await own()).toMatchObject({ reality: { minutes: null }, withdrawal_lock: false })
    // The user gets no notice about these limits, because the user changed nothing.
    expect((await app.call(calls.notices, { token: begun.token })).body.data.notices).toEqual([])
    expect(REALITY_MINUTES).toContain(60)
  })

  it.each([
    ['live', false, true],
    ['live', true, false],
    ['demo', false, false],
  ] as const)(
    'the lock in %s mode with cancelling allowed: %s applies to everyone: %s',
    (mode, withdrawalCancel, isFixed) => {
      const current = { ...app.settings.current, withdrawalCancel }
      expect(siteCare({ current }, mode).isLockFixed).toBe(isFixed)
    },
  )
})

describe('the question about a limit before the first deposit', () => {
  const deposit = async (asksForLimit = true) => {
    const rateOf = createRateOf({ ctx: app.ctx, catalogue: app.catalogue, ticks: app.ticks })
    const site = { ...app.settings.current, asksForLimit }
    const request = { userId: user.id, gatewayId: 1, amount: money(10_000n), fields: {}, clientRequestId: null }
    const saved = await saveDeposit({ ctx: app.ctx, uploads: app.uploads, rateOf }, request, site)
    return saved.ok ? 'saved' : saved.refusal
  }
  const decide = (body: object) =>
    app.inject({
      method: 'POST',
      url: '/api/user/limits/prompt',
      headers: { authorization: `Bearer ${user.token}` },
      payload: body,
    })

  it('holds back the first deposit until the user has decided, and never asks again', async () => {
    expect(await deposit()).toBe('limit_prompt_needed')
    expect((await decide({ answer: 'none' })).status).toBe(200)
    expect(await deposit()).toBe('saved')
    expect((await own()).deposit.day).toBeNull()
  })

  it('an answer with a limit sets the limit at the same time', async () => {
    expect((await decide({ answer: 'set', changes: [{ key: 'deposit_day', value: 50 }] })).status).toBe(200)
    expect(await deposit()).toBe('self_deposit_limit')
    expect((await own()).deposit.day).toMatchObject({ value: 50 })
  })

  it('refuses the answer `set` without limits, `none` with limits, and a limit that is too high, and changes nothing', async () => {
    expect((await decide({ answer: 'set' })).status).toBe(422)
    expect((await decide({ answer: 'none', changes: [{ key: 'deposit_day', value: 50 }] })).status).toBe(422)
    expect((await decide({ answer: 'set', changes: [{ key: 'deposit_day', value: 2_000_000_000 }] })).status).toBe(422)
    expect(await deposit()).toBe('limit_prompt_needed')
  })

  it.each([
    [
      'has a limit',
      () => app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key: 'loss_day', value: 5 }] } }),
    ],
    [
      'has deposited before',
      () => app.call(calls.saveDeposit, { token: user.token, body: { amount: 50, method_id: 1 } }),
    ],
  ])('does not ask a user who %s', async (_what, prepare) => {
    await prepare()
    expect(await deposit()).toBe('saved')
  })

  it('never appears in a demo', async () => {
    expect((await own()).prompt).toBe(false)
    expect(siteCare(app.settings, 'demo').asksForLimit).toBe(false)
    expect(siteCare(app.settings, 'live').asksForLimit).toBe(true)
  })
})
