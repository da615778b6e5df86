import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { openAttackBench } from '#test/security/attack-harness.ts'
import { TEST_PASSWORD, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: Awaited<ReturnType<typeof openAttackBench>>
let alice: TestUser
beforeEach(async () => {
  bench = await openAttackBench(database)
  // The test clock is set to the real time, because the database uses its own clock for closings.
  bench.app.ctx.clock.jump(Date.now() - bench.app.ctx.now())
  alice = await bench.funded(1_000, 'alice')
  await bench.app.confirm(alice.token)
})
afterEach(async () => {
  await bench.expectSoundBooks()
  await bench.close()
})

const BANK = 101
const FIELDS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
const close = (reason?: string) => bench.app.call(calls.closeAccount, { token: alice.token, body: { reason } })
const cancel = () => bench.app.call(calls.cancelClosing, { token: alice.token })
const state = async () => (await bench.app.call(calls.closing, { token: alice.token })).body.data
const profile = async () => (await bench.app.call(calls.profile, { token: alice.token })).body.data.user
const deposit = async () =>
  (await bench.app.call(calls.saveDeposit, { token: alice.token, body: { amount: 50, method_id: 1 } })).body.code
const withdraw = async (amount: number) =>
  (
    await bench.app.call(calls.saveWithdrawal, {
      token: alice.token,
      body: { method_id: BANK, amount, withdrawal_code: '042713', fields: FIELDS },
    })
  ).body.code
const exclude = () => bench.app.call(calls.takeExclusion, { token: alice.token, body: { months: 6, understood: true } })

/** Places an order. Returns the code of its refusal, or undefined when it was accepted. */
async function order(clientOrderId: string): Promise<unknown> {
  await bench.priced(9_400_000)
  const client = await bench.connect()
  const data = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC', clientOrderId }
  client.send({ action: 'newTrade', token: alice.token, data })
  await bench.until(() => client.answers('newTrade').length > 0)
  return client.answers('newTrade')[0]?.code
}

/** Simulates that days have passed, by moving the time of the erasing to earlier. */
const pass = (days: number) =>
  database.asOwner((db) => sql`update account_closing set erase_ms = erase_ms - ${days * DAY_MS}::int8`.execute(db))

describe('closing an account', () => {
  it('refuses new orders and deposits, and names the time until which the closing can be cancelled', async () => {
    expect(await order('before')).toBeUndefined()
    const { body } = await close('Too much time.')
    expect(body.data.closing?.erases_at).toBe((await profile()).closing?.erases_at)
    expect([await order('after'), await deposit()]).toEqual(['account_closing', 'account_closing'])
    expect((await state()).obstacles).toMatchObject({ open_orders: 1, withdrawals: 0, cash: 990 })
  })

  it('needs a fresh confirmation, and changes nothing when it is requested again', async () => {
    const first = (await close('one')).body.data.closing
    expect((await close('two')).body.data.closing).toEqual(first)
    const other = await bench.app.signIn('alice', TEST_PASSWORD)
    expect((await bench.app.call(calls.closeAccount, { token: other.token, body: {} })).body.code).toBe(
      'confirmation_needed',
    )
  })

  it('opens the account again when it is cancelled within 14 days', async () => {
    await close()
    await pass(13)
    expect((await cancel()).body.data.closing).toBeNull()
    expect([await order('again'), await deposit()]).toEqual([undefined, undefined])
    await close()
    await pass(14)
    expect((await cancel()).body.code).toBe('closing_final')
    expect((await state()).closing).not.toBeNull()
  })

  it('cannot be cancelled during an exclusion, and does not end the exclusion', async () => {
    await close()
    await exclude()
    expect((await cancel()).body.code).toBe('excluded')
    await expect(
      sql`update account_closing set state = 'cancelled' where user_id = ${alice.id}`.execute(database.db),
    ).rejects.toThrow('it stays')
    expect((await state()).excluded_until).not.toBeNull()
  })

  it('allows a withdrawal below the minimum of a method only when it pays out all that is left', async () => {
    await bench.app.setPin(alice.token, '042713', { 101: FIELDS })
    await bench.app.endPauses()
    expect(await withdraw(992)).toBeUndefined()
    expect(await withdraw(8)).toBe('below_minimum')
    await close()
    expect(await withdraw(7)).toBe('below_minimum')
    expect(await withdraw(8)).toBeUndefined()
    expect((await state()).obstacles).toMatchObject({ withdrawals: 2, cash: 0 })
  })

  it('sends the user a notice that is always mailed', async () => {
    await close()
    const { notices } = (await bench.app.call(calls.notices, { token: alice.token })).body.data
    expect(notices.find(({ kind }) => kind === 'closing_begun')?.link).toBe('/account/close')
    const mails = await database.db
      .selectFrom('notice_delivery')
      .select('channel')
      .where('user_id', '=', alice.id)
      .execute()
    expect(mails.map(({ channel }) => channel)).toContain('mail')
  })
})
