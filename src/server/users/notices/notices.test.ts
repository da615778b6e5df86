import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { NOTICE_KINDS } from '#core/accounts/notices.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import { markPaid, startPaying } from '#server/payments/withdrawals/pay-withdrawal.ts'
import { returnWithdrawal } from '#server/payments/withdrawals/return-withdrawal.ts'
import { rejectWithdrawal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import { noticeText } from '#server/users/notices/notice-text.ts'
import { dropOldNotices, listNotices, tellDue } from '#server/users/notices/notices.queries.ts'
import { historyRow } from '#test/support/history-row.ts'
import { passLimitTime } from '#test/support/pass-limit-time.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const inbox = async (query: { before?: string } = {}, { token } = user) =>
  (await app.call(calls.notices, { token, query })).body.data
/** Returns the kind and the text of each notice in the inbox, oldest first. */
const written = async () => (await inbox()).notices.toReversed().map(({ kind, text }) => [kind, text])
const read = (body: object, { token } = user) => app.call(calls.readNotices, { token, body })
const deposit = () => app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })

/** Stores void orders, as the settlement does. The database writes one notice for each order. */
async function voidOrders(count: number, userId = user.id): Promise<void> {
  const settledMs = app.ctx.now()
  const rows = Array.from({ length: count }, () =>
    historyRow({ user_id: userId, id: app.ctx.newId(), settled_ms: settledMs, void_reason: 'no_price', stake: 1_050n }),
  )
  if (rows.length > 0) await app.ctx.db.insertInto('order_history').values(rows).execute()
}

describe('notices of money', () => {
  const DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
  const actor = { who: 'operator', what: 'test' }

  async function withdraw(): Promise<string> {
    const body = { amount: 100, method_id: 101, withdrawal_code: '042713', fields: DETAILS }
    return (await app.call(calls.saveWithdrawal, { token: user.token, body })).body.data.withdrawal.trx
  }

  it('US3.1: a notice of a deposit is written in the transaction that credits it', async () => {
    await deposit()
    const [notice] = (await inbox()).notices
    expect(notice).toMatchObject({ kind: 'deposit_credited', title: 'Deposit credited', read: false })
    expect(notice?.text).toMatch(/^\$1,000\.00 · FW(?:-[0-9A-Z]{5}){3}$/)
    expect(notice?.link).toBe('/history/deposit')
  })

  it('US3.1: do not exist when the transaction of the event fails', async () => {
    const failed = app.ctx.db.transaction().execute(async (tx) => {
      await sql`select tell_security_change(${user.id}, 'pin', ${app.ctx.now()}, null)`.execute(tx)
      throw new Error('the server stops')
    })
    await expect(failed).rejects.toThrow('the server stops')
    expect((await inbox()).notices).toEqual([])
  })

  it('US3.1: report every step of a withdrawal, with the reason of a rejection', async () => {
    await deposit()
    await app.setPin(user.token, '042713', { 101: DETAILS })
    const [paid, rejected, cancelled] = [await withdraw(), await withdraw(), await withdraw()] as const
    const limits = approvalLimits(app.settings, 'demo')
    await approveWithdrawal(app.ctx, { trx: paid, reason: 'three in a row', actor, limits })
    await startPaying(app.ctx, { trx: paid, actor })
    await markPaid(app.ctx, { trx: paid, reference: 'B-1', actor })
    await returnWithdrawal(app.ctx, { trx: paid, words: 'Account closed', reference: 'B-2', actor, limits })
    await rejectWithdrawal(app.ctx, {
      trx: rejected,
      words: 'Wrong IBAN',
      reasonCode: 'details_wrong',
      actor,
      mode: 'demo',
    })
    await app.call(calls.cancelWithdrawal, { token: user.token, params: { trx: cancelled } })
    const late = await withdraw()
    app.ctx.clock.jump(73 * HOUR_MS)
    await tellDue(app.ctx.db, app.ctx.now())
    await tellDue(app.ctx.db, app.ctx.now())
    expect((await written()).filter(([kind]) => kind?.startsWith('withdrawal'))).toEqual([
      ...[paid, rejected, cancelled].map((trx) => ['withdrawal_asked', `$100.00 · Bank transfer · ${trx}`]),
      ...['approved', 'paying', 'paid'].map((step) => [`withdrawal_${step}`, `$100.00 · Bank transfer · ${paid}`]),
      [
        'withdrawal_returned',
        `$100.00 · Bank transfer · ${paid}\nReason: Account closed\nThe amount is back in your balance.`,
      ],
      [
        'withdrawal_rejected',
        `$100.00 · Bank transfer · ${rejected}\nReason: Wrong IBAN\nThe amount is back in your balance.`,
      ],
      ['withdrawal_cancelled', `$100.00 · Bank transfer · ${cancelled}\nThe amount is back in your balance.`],
      ['withdrawal_asked', `$100.00 · Bank transfer · ${late}`],
      ['withdrawal_late', `$100.00 · ${late}\nIt has waited for more than 72 hours.`],
    ])
  })

  it('US3.1: report a void order once, and no other order', async () => {
    await voidOrders(1)
    await app.ctx.db
      .insertInto('order_history')
      .values(historyRow({ user_id: user.id, id: app.ctx.newId(), settled_ms: app.ctx.now() }))
      .execute()
    const { notices } = await inbox()
    expect(notices.map(({ kind }) => kind)).toEqual(['order_void'])
    expect(notices[0]?.text).toContain('$10.50')
    expect(notices[0]?.link).toMatch(/^\/check\/./)
  })

  it('US3.1: report an adjustment when it is announced and when it is posted', async () => {
    await deposit()
    const finance = await app.staff('finance')
    const owner = await app.staff('owner')
    const { trx } = await database.db
      .selectFrom('deposit')
      .select('trx')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const form = {
      user_id: user.id,
      kind: 'deposit_reversed',
      link: trx,
      amount: 10,
      reason: 'x',
      message: 'Bounced',
    } as const
    const { id } = (await finance.call(staffCalls.staffRequestCorrection, { body: form })).body.data
    const { content_hash: hash } = (await owner.call(staffCalls.staffCorrection, { params: { id } })).body.data
    await owner.call(staffCalls.staffApproveCorrection, { params: { id }, body: { content_hash: hash } })
    const [announced] = (await inbox()).notices
    expect(announced).toMatchObject({ kind: 'correction_announced', link: '/history/transaction' })
    expect(announced?.text).toMatch(/^-\$10\.00 · .+\nReason: Bounced\nThe adjustment will be posted on .+ UTC\./)
  })
})

describe('notices of the account', () => {
  it('US3.1: report a measure with its reason, and its end', async () => {
    const finance = await app.staff('finance')
    const open = { max_open_stake: null, withdrawals: true, withdrawals_reason: '' }
    const set = async (maxStake: number | null) => {
      const { version } = (await finance.call(staffCalls.staffUser, { params: { id: user.id } })).body.data
      const body = { ...open, version, reason: 'Unusual orders.', max_stake: maxStake }
      await finance.call(staffCalls.staffSetLimits, { params: { id: user.id }, body })
    }
    await set(50)
    await set(null)
    expect(await written()).toEqual([
      ['measure_set', 'Stake limited to $50.00\nReason: Unusual orders.'],
      ['measure_ended', 'Stake limited to $50.00\nReason: Unusual orders.'],
    ])
  })

  it('US3.1: report log-ins from new devices and changes of the security settings', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36' }
    await app.call(calls.login, { body: { username: 'alice', password: TEST_PASSWORD }, headers })
    await app.setPin(user.token, '042713')
    const texts = await written()
    expect(texts.map(([kind]) => kind)).toEqual(['sign_in', 'security_changed'])
    expect(texts[0]?.[1]).toContain('Chrome · Windows, address 127.0.0.1')
    expect(texts[1]?.[1]).toContain('A withdrawal PIN was set (2026-03-18 15:00 UTC)')
  })

  it('US3.1: report limits that change, wait and are confirmed, and breaks that begin and end', async () => {
    const set = (value: number | null) =>
      app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key: 'loss_day', value }] } })
    await set(50)
    const { id } = (await set(60)).body.data.limits.waiting[0]!
    await passLimitTime(database, 25 * HOUR_MS)
    await app.call(calls.confirmLimitChange, { token: user.token, body: { id } })
    await app.call(calls.takeTimeOut, { token: user.token, body: { days: 2 } })
    await tellDue(app.ctx.db, app.ctx.now())
    await passLimitTime(database, 3 * DAY_MS)
    await tellDue(app.ctx.db, app.ctx.now())
    const texts = await written()
    expect(texts.map(([kind]) => kind)).toEqual([
      'limit_changed',
      'limit_waits',
      'limit_changed',
      'break_begun',
      'break_over',
    ])
    expect(texts[0]?.[1]).toBe('Loss limit (24 hours) · $50.00')
    expect(texts[1]?.[1]).toMatch(/^Loss limit \(24 hours\) · \$60\.00\nYou can confirm it from .+ UTC\./)
    expect(texts[2]?.[1]).toBe('Loss limit (24 hours) · $60.00')
    expect(texts[4]?.[1]).toBe('Trading is open again.')
  })

  describe('the end of a break', () => {
    const CLOSED = 'Trading stays closed until you ask to return.'
    const timeOut = (days: number) => app.call(calls.takeTimeOut, { token: user.token, body: { days } })
    async function exclude(): Promise<void> {
      await app.confirm(user.token)
      await app.call(calls.takeExclusion, { token: user.token, body: { months: 6, understood: true } })
    }
    async function pass(days: number): Promise<string[]> {
      await passLimitTime(database, days * DAY_MS)
      await tellDue(app.ctx.db, app.ctx.now())
      return (await written()).filter(([kind]) => kind === 'break_over').map(([, text]) => String(text))
    }

    it('F3: a time-out that ends during an exclusion is not told as the end of the break', async () => {
      await exclude()
      await passLimitTime(database, 180 * DAY_MS)
      await timeOut(42)
      expect(await pass(43)).toEqual([CLOSED])
    })

    it('F3: a time-out after an exclusion that the user has not returned from leaves trading closed', async () => {
      await exclude()
      expect(await pass(185)).toEqual([CLOSED])
      await timeOut(7)
      expect(await pass(8)).toEqual([CLOSED, CLOSED])
    })

    it('F3: a return from an exclusion during a time-out is told when the time-out ends', async () => {
      await exclude()
      expect(await pass(185)).toEqual([CLOSED])
      await timeOut(7)
      expect((await app.call(calls.askToReturn, { token: user.token })).status).toBe(200)
      await passLimitTime(database, 2 * DAY_MS)
      expect((await app.call(calls.confirmReturn, { token: user.token })).status).toBe(200)
      expect(await pass(0)).toEqual([CLOSED])
      expect(await pass(6)).toEqual([CLOSED, 'Trading is open again.'])
    })
  })
})

describe('the inbox', () => {
  it('US3.2: shows pages from the newest to the oldest notice, and a new notice repeats or skips none on the next pages', async () => {
    await voidOrders(65)
    const first = await inbox()
    expect([first.notices.length, first.unread]).toEqual([30, 65])
    await voidOrders(1)
    const second = await inbox({ before: first.next! })
    const third = await inbox({ before: second.next! })
    expect([second.notices.length, third.notices.length, third.next]).toEqual([30, 5, null])
    const ids = [first, second, third].flatMap(({ notices }) => notices.map(({ id }) => id))
    expect(new Set(ids).size).toBe(65)
    expect((await inbox({ before: 'forged' })).notices).toEqual([])
  })

  it('US3.2: marks notices as read: those with given ids, or all up to the newest that the page showed', async () => {
    await voidOrders(3)
    const { notices, newest } = await inbox()
    expect((await read({ ids: [notices[1]!.id] })).body.data).toEqual({ unread: 2 })
    await voidOrders(1)
    expect((await read({ until: newest })).body.data).toEqual({ unread: 1 })
    expect((await inbox()).notices.map((one) => one.read)).toEqual([false, true, true, true])
    const { unread_notices: unread } = (await app.call(calls.profile, { token: user.token })).body.data.user
    expect(unread).toBe(1)
    for (const body of [{}, { ids: [] }, { ids: ['x'] }, { ids: [notices[0]!.id], until: newest }])
      expect((await read(body)).status).toBe(422)
    expect((await read({ until: 'forged' })).body.data).toEqual({ unread: 1 })
  })

  it('keeps notices for two years', async () => {
    await voidOrders(2)
    const [kept] = (await inbox()).notices
    const ago = Date.now() - 731 * DAY_MS
    await database.asOwner((db) => sql`update notice set stored_ms = ${ago} where id <> ${kept!.id}`.execute(db))
    await database.asOwner((db) => sql`update notice set stored_ms = ${Date.now()} where id = ${kept!.id}`.execute(db))
    await dropOldNotices(app.ctx.db)
    expect((await inbox()).notices.map(({ id }) => id)).toEqual([kept!.id])
  })

  it('writes the prices of an alert with thousands separators in every language', async () => {
    await voidOrders(1)
    const [notice] = await listNotices(app.ctx.db, { userId: user.id }, { after: null, limit: 1 })
    const data = { symbol: 'BTC', level: 675_000_000, price: 1_234_567_890, decimals: 4, tick: 7 }
    for (const language of LANGUAGE_CODES) {
      const said = noticeText({ ...notice!, kind: 'price_alert', data }, { language, site: 'Fairwick' })
      expect(said.title, language).toContain('67,500.0000')
      expect(said.text, language).toContain('123,456.7890')
    }
  })

  it('distinguishes first payment details and a first PIN from changed ones', async () => {
    await app.confirm(user.token)
    for (const current of [undefined, '042713']) {
      const body = {
        withdrawal_code: '042713',
        withdrawal_code_confirmation: '042713',
        ...(current !== undefined && { current_withdrawal_code: current }),
      }
      expect((await app.call(calls.saveWithdrawalPin, { token: user.token, body })).status).toBe(200)
      app.ctx.clock.advance(1_000)
    }
    for (const bank of ['First', 'Second']) {
      const details = { 'Account holder': 'Alice A.', Bank: bank, 'Account number or IBAN': `DE00 ${bank.length}234` }
      const body = { withdraw_method_id: 101, withdrawal_information: details }
      expect((await app.call(calls.saveWithdrawMethod, { token: user.token, body })).status).toBe(200)
      app.ctx.clock.advance(1_000)
    }
    const texts = (await written()).filter(([kind]) => kind === 'security_changed').map(([, text]) => text)
    expect(texts).toEqual([
      expect.stringMatching(/^A withdrawal PIN was set /),
      expect.stringMatching(/^The withdrawal PIN was changed /),
      expect.stringMatching(/^Payment details were added /),
      expect.stringMatching(/^The payment details were changed /),
    ])
  })

  it('the inbox has a full text for every kind of notice in every language, without placeholders or missing values', async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'notice_kind_check'`.execute(
      database.db,
    )
    const kinds = [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind)
    expect(new Set(kinds)).toEqual(new Set(Object.keys(NOTICE_KINDS)))
    await voidOrders(1)
    const [notice] = await listNotices(app.ctx.db, { userId: user.id }, { after: null, limit: 1 })
    const data = {
      trx: 'FW-1',
      amount: 1_000,
      method: 'Bank',
      words: 'W',
      until_ms: 0,
      limit: 'loss_day',
      what: 'pin',
      price: 100,
    }
    for (const language of LANGUAGE_CODES) {
      for (const kind of Object.keys(NOTICE_KINDS) as (keyof typeof NOTICE_KINDS)[]) {
        const { title, text } = noticeText({ ...notice!, kind, data }, { language, site: 'Fairwick' })
        expect([title, text].join(' '), `${kind} in ${language}`).not.toMatch(/[{}]|notice\.|undefined/)
        expect(title).not.toBe('')
      }
    }
  })
})
