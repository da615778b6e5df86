import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { type Lost, RECOVERY_WAIT_HOURS } from '#core/accounts/recovery.ts'
import { assert } from '#core/result.ts'
import { waitMs } from '#core/staff/independence.ts'
import { DAY_MS, MINUTE_MS } from '#core/time/instant.ts'
import { afterRestore } from '#server/operator-cli/after-restore.ts'
import { payInFull } from '#test/support/pay-withdrawal.ts'
import { sendDueNotices } from '#test/support/send-notices.ts'
import { spendTries } from '#test/support/spend-tries.ts'
import { staffSession, type StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, emailOf, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const EMAIL = emailOf('alice')
const NEW_EMAIL = 'alice.new@example.org'
const PASSWORD = 'a-new-one-22'
const BANK = 101
const FIELDS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
const WORDS = 'Video call, and the first deposit with its amount.'
/** The wait of a demo that corresponds to the 72 hours of a live installation. */
const WAIT_MS = waitMs('demo', RECOVERY_WAIT_HOURS)
let app: TestApp
let owner: StaffSession
let support: StaffSession
let compliance: StaffSession
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
  support = await app.staff('support')
  compliance = await app.staff('compliance')
  alice = await app.verifiedUser('alice')
  await app.setPin(alice.token, '042713', { 101: FIELDS })
})
afterEach(() => app.stop())

async function ask(lost: readonly Lost[] = ['pin'], by = support, more: object = {}) {
  const body = { lost: [...lost], new_address: NEW_EMAIL, words: WORDS, deposits: [], ...more }
  const { body: reply } = await by.call(staffCalls.staffAskRecovery, { params: { id: alice.id }, body })
  return reply.code ?? 'done'
}
async function row(by = owner) {
  const [newest] = (await by.call(staffCalls.staffRecoveries)).body.data.rows
  assert(newest, 'there is a recovery')
  return newest
}
async function confirm(by: StaffSession, hash?: string) {
  const { id, content_hash: seen } = await row()
  const body = { content_hash: hash ?? seen }
  return (await by.call(staffCalls.staffConfirmRecovery, { params: { id }, body })).body.code ?? 'done'
}
async function sendLink(by = support) {
  const { id } = await row()
  return (await by.call(staffCalls.staffSendRecoveryLink, { params: { id } })).body.code ?? 'done'
}
/** Returns all messages of a kind to an address, the newest last. */
async function mail(kind: string, to: string) {
  const found = await sql<{ text: string }>`
    select text from outbox_message where kind = ${kind} and sent_to = ${to} order by sent_ms, id`.execute(database.db)
  return found.rows.map(({ text }) => text).join('\n')
}
const tokenIn = (text: string, path: string) => [...text.matchAll(new RegExp(`/${path}/(\\S+)`, 'g'))].at(-1)?.[1] ?? ''
const linkTo = async (address: string) => tokenIn(await mail('recovery', address), 'recover')
/** Requests and confirms the recovery, waits, and sends the link. */
async function openLink(lost: readonly Lost[] = ['pin'], address = EMAIL) {
  expect(await ask(lost)).toBe('done')
  expect(await confirm(compliance)).toBe('done')
  app.ctx.clock.advance(WAIT_MS)
  expect(await sendLink()).toBe('done')
  return linkTo(address)
}
async function finish(token: string, more: object = {}) {
  const pin = { withdrawal_code: '111222', withdrawal_code_confirmation: '111222' }
  const body = { password: PASSWORD, password_confirmation: PASSWORD, ...pin, ...more }
  return (await app.call(calls.finishRecovery, { params: { token }, body })).body.code ?? 'done'
}
const logIn = async (password: string) =>
  (await app.call(calls.login, { body: { username: 'alice', password } })).status
const recovering = async () => (await app.call(calls.profile, { token: alice.token })).body.data.user.recovery

describe('A191: attack: recover an account alone, or with a puppet', () => {
  it('a request and its confirmation need two permitted staff members, and the confirmed content is the requested one', async () => {
    expect(await ask(['pin'], await app.staff('finance'))).toBe('not_allowed')
    expect(await ask(['pin'], owner)).toBe('done')
    expect(await ask()).toBe('recovery_open')
    expect(await confirm(support)).toBe('not_allowed')
    expect(await confirm(owner)).toBe('asked_yourself')
    expect((await row()).may_confirm).toBe(false)
    expect(await confirm(compliance, 'another')).toBe('content_changed')
    await sql`update app_user set proven_email = 'thief@example.org' where id = ${alice.id}`.execute(database.db)
    expect(await confirm(compliance)).toBe('content_changed')
    await sql`update app_user set proven_email = ${EMAIL} where id = ${alice.id}`.execute(database.db)
    expect(await confirm(compliance)).toBe('done')
    expect(await confirm(compliance)).toBe('recovery_over')
  })

  it('a staff member who invited or admitted the requester, or was invited by the requester, cannot confirm', async () => {
    const link = sql`update staff set invited_by = (select id from staff where name = 'compliance') where name = 'support'`
    await link.execute(database.db)
    expect(await ask()).toBe('done')
    expect(await confirm(compliance)).toBe('not_independent')
    await sql`update staff set approver_ms = null where name = 'compliance'`.execute(database.db)
    expect(await confirm(compliance)).toBe('not_approver')
    expect(await confirm(owner)).toBe('done')
  })

  it('one operator sends a link to the verified contact only, never to a new one', async () => {
    await sql`update staff set approver_ms = null where name <> 'owner'`.execute(database.db)
    expect(await ask(['contact'], owner)).toBe('done')
    expect(await confirm(owner)).toBe('asked_yourself')
    const { id } = await row()
    await owner.call(staffCalls.staffStopRecovery, { params: { id }, body: { reason: 'Asked in vain.' } })
    expect(await ask(['pin'], owner)).toBe('done')
    expect(await confirm(owner)).toBe('done')
    expect((await row()).link_to).not.toContain(NEW_EMAIL)
  })

  it('no reply of the server contains the link, and the database refuses a new address by one staff member alone', async () => {
    expect(await ask(['contact'], owner)).toBe('done')
    const alone = sql`update account_recovery set state = 'waiting', confirmed_by = asked_by, confirmed_ms = asked_ms,
      opens_ms = asked_ms + 1`
    await expect(alone.execute(app.ctx.db)).rejects.toThrow(/two_check/)
    const set = (text: string) => sql.raw(`update account_recovery set ${text}`).execute(app.ctx.db)
    await expect(set(`state = 'waiting'`)).rejects.toThrow(/confirmed_check/)
    await expect(set(`state = 'done', ended_ms = 1`)).rejects.toThrow(/no such step/)
    await expect(set(`link_hash = 'x', link_until_ms = 1`)).rejects.toThrow(/link_check/)
    expect(await confirm(compliance)).toBe('done')
    await expect(set(`state = 'done', ended_ms = opens_ms`)).rejects.toThrow(/done_check/)
    app.ctx.clock.advance(WAIT_MS)
    const { id } = await row()
    const reply = await support.call(staffCalls.staffSendRecoveryLink, { params: { id } })
    const token = await linkTo(NEW_EMAIL)
    expect(token).not.toBe('')
    expect(JSON.stringify([reply.body, await row()])).not.toContain(token)
  })

  it('a case needs deposits of this user as evidence, and can replace only credentials that the account has', async () => {
    expect(await ask(['pin'], support, { deposits: ['FW-AAAA-BBBB-CCCC'] })).toBe('recovery_deposit_unknown')
    expect(await ask(['second_step'])).toBe('nothing_lost')
    expect(await ask([])).toBe('nothing_lost')
    expect(await ask(['pin'], support, { words: '…' })).toBe('words_needed')
    expect(await ask(['contact'], support, { new_address: 'nobody' })).toBe('email_invalid')
    await sql`update app_user set proven_email = null where id = ${alice.id}`.execute(database.db)
    expect(await ask(['pin'])).toBe('recovery_address_needed')
  })
})

describe('A192: attack: a recovery that its user does not want', () => {
  it('every contact gets a link that stops the recovery, before the recovery link can be sent', async () => {
    await sql`update app_user set proven_mobile = '+15557654321' where id = ${alice.id}`.execute(database.db)
    expect(await ask(['contact'])).toBe('done')
    expect(await recovering()).toBeNull()
    expect(await confirm(compliance)).toBe('done')
    expect(await sendLink()).toBe('recovery_waits')
    await sendDueNotices(app)
    for (const to of [EMAIL, '+15557654321']) expect(await mail('security', to)).toContain('/stop-recovery/')
    expect(await mail('security', NEW_EMAIL)).toBe('')
    const token = tokenIn(await mail('security', EMAIL), 'stop-recovery')
    const stop = () => app.call(calls.stopRecoveryByLink, { params: { token } })
    expect((await stop()).status).toBe(200)
    expect((await stop()).body.code).toBe('recovery_over')
    app.ctx.clock.advance(WAIT_MS)
    expect(await sendLink()).toBe('recovery_over')
    expect(await row()).toMatchObject({ state: 'stopped', ended_by: 'user' })
  })

  it('every open session, even of a blocked user, shows the recovery and can stop it', async () => {
    const params = { id: alice.id }
    const { version } = (await owner.call(staffCalls.staffUser, { params })).body.data
    const body = { version, allowed: false, reason: 'Several accounts.' }
    await owner.call(staffCalls.staffSetLogInAllowed, { params, body })
    alice = await app.signIn('alice', TEST_PASSWORD)
    expect(await ask()).toBe('done')
    expect(await confirm(compliance)).toBe('done')
    expect(await recovering()).toEqual({ opens_at: new Date(app.ctx.now() + WAIT_MS).toISOString() })
    expect((await app.call(calls.stopRecovery, { token: alice.token })).status).toBe(200)
    expect(await recovering()).toBeNull()
    expect((await app.call(calls.stopRecovery, { token: alice.token })).body.code).toBe('recovery_over')
  })

  it('a stop at the last second wins against the link', async () => {
    const token = await openLink()
    const [finished, stopped] = await Promise.all([
      finish(token),
      app.call(calls.stopRecovery, { token: alice.token }).then(({ status }) => status),
    ])
    const isStopped = stopped === 200
    expect(finished).toBe(isStopped ? 'recovery_link_over' : 'done')
    expect(await logIn(TEST_PASSWORD)).toBe(isStopped ? 200 : 422)
    const again = await database.db.selectFrom('account_recovery').select('state').execute()
    expect(again).toEqual([{ state: isStopped ? 'stopped' : 'done' }])
  })

  it('a restored backup does not reopen a case that its user has stopped since the backup', async () => {
    const token = await openLink()
    await afterRestore(app.ctx, { who: 'operator', what: 'after restore' })
    expect(await finish(token)).toBe('recovery_link_over')
    owner = await app.staff('owner')
    expect(await row()).toMatchObject({ state: 'stopped', ended_by: 'restore' })
  })

  it('the database ends a case once, and writes the notice to the user whatever the server does', async () => {
    await openLink()
    const end = (state: string) =>
      sql`update account_recovery set state = ${state}, ended_ms = opens_ms + 1`.execute(app.ctx.db)
    await end('stopped')
    await expect(end('done')).rejects.toThrow(/has ended/)
    const kinds = await sql<{ kind: string }>`
      select kind from notice where kind like 'recovery%' order by seq`.execute(database.db)
    expect(kinds.rows.map(({ kind }) => kind)).toEqual(['recovery_begun', 'recovery_stopped'])
    await expect(sql`delete from account_recovery`.execute(app.ctx.db)).rejects.toThrow(/permission denied/)
    await expect(sql`update account_recovery set new_address = 'x@y.zz'`.execute(app.ctx.db)).rejects.toThrow(/denied/)
  })
})

describe('A193: attack: a link of a recovery that is used twice, guessed, stopped or too old', () => {
  it('a recovery link sets a new password and PIN once, ends every session, and opens none', async () => {
    const token = await openLink()
    expect((await app.call(calls.recoveryLink, { params: { token } })).body.data).toEqual({
      recovery: { username: 'alice', lost: ['pin'] },
    })
    expect(await finish(token, { password: 'short', password_confirmation: 'short' })).toBe('password_length')
    expect(await finish(token, { withdrawal_code: '12' })).toBe('pin_format')
    expect(await finish(token, { withdrawal_code: '111223' })).toBe('pin_mismatch')
    expect(await finish(token)).toBe('done')
    expect(await finish(token)).toBe('recovery_link_over')
    expect((await app.call(calls.profile, { token: alice.token })).status).toBe(401)
    expect([await logIn(TEST_PASSWORD), await logIn(PASSWORD)]).toEqual([422, 200])
    expect((await app.call(calls.recoveryLink, { params: { token } })).body.data.recovery).toBeNull()
  })

  it('a lost second step is gone afterwards, and lost contacts set no password any more', async () => {
    await sql`insert into user_recovery_code (user_id, code_hash) values (${alice.id}, ${Buffer.alloc(32)})`.execute(
      database.db,
    )
    await sql`insert into user_authenticator (user_id, secret, is_on, created_ms)
      values (${alice.id}, 'sealed', true, 1)`.execute(database.db)
    await sql`update app_user set proven_mobile = '+15557654321' where id = ${alice.id}`.execute(database.db)
    const token = await openLink(['contact', 'second_step'], NEW_EMAIL)
    expect(await finish(token)).toBe('done')
    expect(await logIn(PASSWORD)).toBe(200)
    const account = await database.db
      .selectFrom('app_user')
      .select(['email', 'proven_email', 'proven_mobile'])
      .where('id', '=', alice.id)
      .executeTakeFirst()
    expect(account).toEqual({ email: NEW_EMAIL, proven_email: NEW_EMAIL, proven_mobile: null })
    await sendDueNotices(app)
    expect(await mail('security', EMAIL)).not.toBe('')
  })

  it.each(['', 'A'.repeat(43)])('nothing opens with the token %j', async (token) => {
    await openLink()
    const reply = await app.call(calls.recoveryLink, { params: { token: token || 'x' } })
    expect(reply.body.data.recovery).toBeNull()
    expect(await finish(token || 'x')).toBe('recovery_link_over')
  })

  it('a recovery link works for half an hour, is replaced by a newer link, and is not sent after two weeks', async () => {
    const first = await openLink()
    app.ctx.clock.advance(30 * MINUTE_MS)
    expect(await finish(first)).toBe('recovery_link_over')
    expect(await sendLink()).toBe('done')
    const next = await linkTo(EMAIL)
    app.ctx.clock.advance(2 * MINUTE_MS)
    expect(await sendLink()).toBe('done')
    expect(await finish(next)).toBe('recovery_link_over')
    app.ctx.clock.advance(14 * DAY_MS)
    expect(await finish(await linkTo(EMAIL))).toBe('recovery_link_over')
    support = await app.staff('support')
    owner = await app.staff('owner')
    expect(await sendLink()).toBe('recovery_over')
  })

  it('F9: at the limit of text messages, a recovery link is refused, and the audit log does not claim that it was sent', async () => {
    const contact = { email: null, proven_email: null, proven_mobile: '+491701112222' }
    await app.ctx.db.updateTable('app_user').set(contact).where('id', '=', alice.id).execute()
    await spendTries(app.ctx.db, { limit: 'sms_total', key: 'all', left: 1, now: app.ctx.now() })
    await openLink(['pin'], '+491701112222')
    expect(await sendLink()).toBe('too_many_attempts')
    const { rows } = await sql<{ link: string }>`
      select after ->> 'link' as link from admin_action_words where after ->> 'link' is not null`.execute(database.db)
    expect(rows.map(({ link }) => link)).toEqual(['made', 'made'])
  })

  it('the link does not go to a verified contact that changed after both staff members confirmed', async () => {
    const setContact = (proven_email: string) =>
      database.db.updateTable('app_user').set({ proven_email }).where('id', '=', alice.id).execute()
    expect(await ask()).toBe('done')
    expect(await confirm(compliance)).toBe('done')
    await setContact(NEW_EMAIL)
    app.ctx.clock.advance(WAIT_MS)
    expect(await sendLink()).toBe('content_changed')
    expect(await mail('recovery', NEW_EMAIL)).toBe('')
    await setContact(EMAIL)
    expect(await sendLink()).toBe('done')
  })

  it('anonymous callers reach no call of staff', async () => {
    await ask()
    const { id } = await row()
    const visitor = staffSession((sent) => app.http.inject(sent), 'nobody', '')
    expect((await visitor.call(staffCalls.staffSendRecoveryLink, { params: { id } })).status).toBe(401)
  })
})

describe('A194: attack: money that leaves right after a recovery', () => {
  it('withdrawals are paused for seven days, and every destination is new again', async () => {
    await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
    const withdraw = async (pin: string) => {
      const body = { method_id: BANK, amount: 200, fields: FIELDS, withdrawal_code: pin }
      return (await app.call(calls.saveWithdrawal, { token: alice.token, body })).body
    }
    const isKnown = async (trx: string) => {
      const { checks } = (await owner.call(staffCalls.staffWithdrawal, { params: { trx } })).body.data
      return checks.find(({ check }) => check === 'known_details')?.passed
    }
    const { trx } = (await withdraw('042713')).data.withdrawal
    await payInFull(owner, trx)
    expect(await isKnown((await withdraw('042713')).data.withdrawal.trx)).toBe(true)
    expect(await finish(await openLink())).toBe('done')
    alice = await app.signIn('alice', PASSWORD)
    const pause = async () => (await app.call(calls.security, { token: alice.token })).body.data.withdrawals_from
    expect(await pause()).toBe(new Date(app.ctx.now() + 7 * DAY_MS).toISOString())
    app.ctx.clock.advance(7 * DAY_MS - 1)
    alice = await app.signIn('alice', PASSWORD)
    expect((await withdraw('111222')).code).toBe('withdrawals_paused')
    app.ctx.clock.advance(1)
    expect(await pause()).toBeNull()
    owner = await app.staff('owner')
    expect(await isKnown((await withdraw('111222')).data.withdrawal.trx)).toBe(false)
    await expect(sql`update app_user set recovered_ms = null`.execute(app.ctx.db)).rejects.toThrow(/permission denied/)
  })
})
