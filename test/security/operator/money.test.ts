import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { postAnnounced } from '#server/payments/adjustments/post-announced.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import type { RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { TEST_PASSWORD } from '#test/support/test-users.ts'
import { payInFull, stepBody } from '#test/support/pay-withdrawal.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
})
afterEach(() => app.stop())

const ADDRESSES = [
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  'DE89 3704 0044 0532 0130 00',
  '4111 1111 1111 1111',
]

const CONTENT = {
  version: 0,
  icon: '',
  link: '',
  place: null,
  is_published: true,
  published_at: null,
}

const GATEWAY = {
  kind: 'deposit' as const,
  name: 'Euro account',
  image: 'bank.svg',
  currency: 'eur',
  min_amount: '10',
  max_amount: '1000',
  fixed_charge: '0',
  percent_charge: '0',
  rate: '1.08',
  wallet_address: '',
  form: [],
  is_automatic: false,
  is_offered: true,
  sort: 7,
}

describe('attack: "Send to this address" shows another address', () => {
  it.each(LANGUAGE_CODES)(
    'an override of the text "Send to this address" is refused or has no effect, in %s',
    async (language) => {
      const key = 'deposit.send_to'
      const { body } = await owner.call(staffCalls.staffSaveText, {
        params: { language, key },
        body: { version: 0, text: `Send to ${ADDRESSES[0]}` },
      })
      expect(body.code).toBe('text_locked')
      // A changed program or an older version may have written the row.
      await database.db
        .insertInto('text_override')
        .values({ language, key, text: `Send to ${ADDRESSES[0]}`, version: 1, updated_ms: 0 })
        .execute()
      await app.stop()
      app = await createTestApp(database)
      expect((await app.call(calls.textOverrides, { params: { language } })).body.data.texts).toEqual({})
      expect((await app.call(calls.proofTexts)).body.data.texts).toEqual([])
    },
  )

  it.each(ADDRESSES)('other texts that contain %s are refused', async (address) => {
    const text = `From today on send to ${address}`
    const { body: override } = await owner.call(staffCalls.staffSaveText, {
      params: { language: 'de', key: 'home.headline' },
      body: { version: 0, text },
    })
    expect(override).toMatchObject({ code: 'text_has_address', message: expect.stringContaining(address) })
    for (const kind of ['page', 'post', 'banner'] as const) {
      const { body } = await owner.call(staffCalls.staffSaveContent, {
        params: { kind, key: 'payments' },
        body: { ...CONTENT, texts: { en: { title: 'News', text: 'Hello' }, de: { title: 'Neues', text } } },
      })
      expect([kind, body.code]).toEqual([kind, 'text_has_address'])
    }
    const { body: banner } = await owner.call(staffCalls.staffSaveAnnouncement, {
      params: { id: app.ctx.newId() },
      body: {
        version: 0,
        tone: 'info',
        link: '',
        from: '2026-01-01T00:00:00.000Z',
        until: '2027-01-01T00:00:00.000Z',
        texts: { en: 'Hello', fr: text },
      },
    })
    expect(banner.code).toBe('text_has_address')
    const { body: gateway } = await owner.call(staffCalls.staffCreateGateway, {
      body: { ...GATEWAY, description: `**Note:** ${text}` },
    })
    expect(gateway.code).toBe('text_has_address')
    const { body: named } = await owner.call(staffCalls.staffCreateGateway, {
      body: { ...GATEWAY, description: '', name: `USDT: ${address}` },
    })
    expect(named).toMatchObject({ code: 'text_has_address', errors: { name: [expect.any(String)] } })
    expect((await app.call(calls.announcements)).body.data.announcements).toEqual([])
  })

  it('changes of other texts are always public', async () => {
    const params = { language: 'de', key: 'login.title' }
    await owner.call(staffCalls.staffSaveText, { params, body: { version: 0, text: 'Herein' } })
    expect((await app.call(calls.proofTexts)).body.data.texts).toEqual([
      { ...params, ours: 'Anmelden', theirs: 'Herein', since: new Date(app.ctx.now()).toISOString() },
    ])
    expect((await app.call(calls.generalSetting)).body.data.changed_texts).toBe(1)
  })
})

describe('money that goes out', () => {
  const PIN = '042713'
  const BANK = 101
  const BANK_DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
  let user: TestUser
  beforeEach(async () => {
    user = await app.verifiedUser('alice')
    await deposit()
    await app.setPin(user.token, PIN, { 101: BANK_DETAILS })
  })

  const deposit = async () =>
    (await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })).body.code ??
    'done'
  async function ask() {
    const body = { amount: 100, method_id: BANK, withdrawal_code: PIN, fields: BANK_DETAILS }
    const { data } = (await app.call(calls.saveWithdrawal, { token: user.token, body })).body
    return data.withdrawal.trx
  }
  const own = async () => (await app.call(calls.withdrawals, { token: user.token })).body.data.withdrawals
  async function reject(trx: string, who = owner, code: RejectionCode = 'provider_refused') {
    const body = { ...(await stepBody(who, trx)), words: 'Not today.', reason_code: code }
    const done = (await who.call(staffCalls.staffRejectWithdrawal, { params: { trx }, body })).body
    return done.code ?? done.data.outcome
  }
  const passDays = (days: number) => app.ctx.clock.advance(days * DAY_MS)
  async function logInAgain() {
    const finance = await app.staff('finance')
    owner = await app.staff('owner')
    user = await app.signIn('alice', TEST_PASSWORD)
    return finance
  }

  it('attack: never decide a withdrawal', async () => {
    const trx = await ask()
    expect(await own()).toMatchObject([{ trx, due_at: new Date(app.ctx.now() + 3 * DAY_MS).toISOString() }])
    passDays(10)
    await logInAgain()
    expect(await deposit(), 'at ten days').toBe('done')
    app.ctx.clock.advance(1)
    expect(await deposit()).toBe('deposits_closed_late')
    const { data } = (await app.call(calls.depositGateways, { token: user.token })).body
    expect([data.gateways, data.closed_reason]).toEqual([[], expect.stringContaining('more than ten days')])
    // No setting opens deposits while a withdrawal is overdue by this much.
    const settings = { changes: [{ key: 'deposits_open', version: 1, value: true }] }
    await owner.call(staffCalls.staffSaveSettings, { body: settings })
    expect(await deposit()).toBe('deposits_closed_late')
    await expect(insertDepositBySql()).rejects.toThrow(/waited for more than ten days/)
    expect(await reject(trx)).toBe('rejected')
    expect(await deposit(), 'decided').toBe('done')
  })

  it('attack: reject the same withdrawal every day', async () => {
    for (let day = 0; day < 11; day += 1) {
      const trx = await ask()
      passDays(1)
      const finance = await logInAgain()
      const first = await reject(trx)
      if (day === 0) expect(first, 'one person, once').toBe('rejected')
      else {
        expect(first, 'a second time').toBe('first_rejection')
        expect(await reject(trx)).toBe('second_person_needed')
        expect(await reject(trx, finance)).toBe('rejected')
      }
      await app.endPauses()
    }
    await ask()
    expect(await deposit(), 'eleven days in eleven requests').toBe('deposits_closed_late')
    const [newest] = await own()
    expect(newest?.due_at).toBe(new Date(app.ctx.now() - 8 * DAY_MS).toISOString())
    // The role of the server cannot change the clock.
    const renewed = app.ctx.db.transaction().execute(async (tx) => {
      await sql`set local role fairwick_server`.execute(tx)
      await sql`update withdrawal set clock_ms = created_ms where status = 2`.execute(tx)
    })
    await expect(renewed).rejects.toThrow(/permission denied/)
  })

  it('attack: reject two pending withdrawals, the newer one last', async () => {
    const first = await ask()
    passDays(2)
    const finance = await logInAgain()
    const second = await ask()
    expect(await reject(first)).toBe('rejected')
    app.ctx.clock.advance(1)
    expect([await reject(second), await reject(second, finance)]).toEqual(['first_rejection', 'rejected'])
    const third = await ask()
    const newest = (await own()).find(({ trx }) => trx === third)
    expect(newest?.due_at).toBe(new Date(app.ctx.now() + DAY_MS).toISOString())
  })

  it('restarts the deadline when the details were wrong, and accepts an identity check only for amounts above the deposits', async () => {
    const trx = await ask()
    passDays(5)
    await logInAgain()
    expect(await reject(trx, owner, 'identity')).toBe('identity_not_needed')
    expect(await reject(trx, owner, 'details_wrong')).toBe('rejected')
    await ask()
    const [newest, before] = await own()
    expect(newest?.due_at).toBe(new Date(app.ctx.now() + 3 * DAY_MS).toISOString())
    expect(before).toMatchObject({ reason_code: 'details_wrong', due_at: null })
  })

  /** Approves a withdrawal, starts its payment, and records that the payment failed. */
  async function fail(trx: string) {
    const params = { trx }
    const approval = { ...(await stepBody(owner, trx)), words: '', reason: 'looked at' }
    await owner.call(staffCalls.staffApproveWithdrawal, { params, body: approval })
    await owner.call(staffCalls.staffStartPaying, { params, body: await stepBody(owner, trx) })
    const body = { ...(await stepBody(owner, trx)), words: 'The bank refused it.' }
    return (await owner.call(staffCalls.staffMarkFailed, { params, body })).body.data.outcome
  }
  const newestDue = async () => (await own())[0]?.due_at

  it('attack: a closed account sends each payment back, until deposits are closed for everyone', async () => {
    for (let round = 0; round < 4; round += 1) {
      const trx = await ask()
      expect(await newestDue()).toBe(new Date(app.ctx.now() + 3 * DAY_MS).toISOString())
      app.ctx.clock.advance(60 * HOUR_MS)
      await logInAgain()
      expect(await payInFull(owner, trx)).toBe('paid')
      const body = { ...(await stepBody(owner, trx)), reference: `back ${trx}`, words: 'The account is closed.' }
      const done = await owner.call(staffCalls.staffReturnWithdrawal, { params: { trx }, body })
      expect(done.body.data.outcome).toBe('returned')
    }
    expect(await deposit()).toBe('done')
  })

  it('a failed payment ends the wait, unless staff took more than 72 hours for it', async () => {
    const first = await ask()
    app.ctx.clock.advance(60 * HOUR_MS)
    await logInAgain()
    expect(await fail(first)).toBe('failed')
    const second = await ask()
    expect(await newestDue()).toBe(new Date(app.ctx.now() + 3 * DAY_MS).toISOString())
    passDays(5)
    await logInAgain()
    expect(await fail(second)).toBe('failed')
    await ask()
    expect(await newestDue(), 'failed late').toBe(new Date(app.ctx.now() - 2 * DAY_MS).toISOString())
  })

  it('attack: withdrawals off "for maintenance" for a month', async () => {
    const close = async (reason: string, untilMs: number | null) => {
      const { settings } = (await owner.call(staffCalls.staffSettings)).body.data
      const version = (key: string) => settings.find((one) => one.key === key)?.version ?? 0
      const until = untilMs === null ? '' : new Date(app.ctx.now() + untilMs).toISOString()
      const values = { withdrawals_open: false, withdraw_reason: reason, withdrawals_closed_until: until }
      const changes = Object.entries(values).map(([key, value]) => ({ key, value, version: version(key) }))
      const { body } = await owner.call(staffCalls.staffSaveSettings, { body: { changes } })
      return body.code ?? 'saved'
    }
    const isOpen = async () =>
      (await app.call(calls.withdrawMethods, { token: user.token })).body.data.withdraw_status === 1
    const reason = 'Maintenance of our payment systems.'
    expect(await close('…', DAY_MS)).toBe('reason_public')
    expect(await close(reason, null)).toBe('until_needed')
    expect(await close(reason, 30 * DAY_MS)).toBe('until_needed')
    expect(await isOpen()).toBe(true)
    expect(await close(reason, 3 * DAY_MS)).toBe('saved')
    expect([await isOpen(), await deposit()]).toEqual([false, 'deposits_closed'])
    passDays(2)
    await logInAgain()
    expect(await close(reason, 3 * DAY_MS), 'longer').toBe('closed_lately')
    passDays(1)
    await logInAgain()
    expect([await isOpen(), await deposit()], 'they open by themselves').toEqual([true, 'done'])
    expect(await close(reason, DAY_MS), 'again').toBe('closed_lately')
    const late = { at_ms: app.ctx.now(), from_ms: app.ctx.now(), until_ms: app.ctx.now() + 1, reason }
    await expect(database.db.insertInto('withdrawal_closure').values(late).execute()).rejects.toThrow(/within 14 days/)
    passDays(11)
    await logInAgain()
    expect(await close(reason, DAY_MS)).toBe('saved')
    expect(await close(reason, HOUR_MS), 'an earlier end').toBe('saved')
  })

  /** Requests an adjustment by one person. */
  async function request(change: object, finance: StaffSession) {
    const form = {
      user_id: user.id,
      kind: 'deposit_reversed' as const,
      link: '',
      amount: 10,
      reason: 'x',
      message: 'y',
    }
    return (await finance.call(staffCalls.staffRequestCorrection, { body: { ...form, ...change } })).body
  }
  /** Requests an adjustment by one person and approves it by another. */
  async function adjust(change: object, finance: StaffSession) {
    const requested = await request(change, finance)
    return requested.code === undefined ? await approve(requested.data.id) : requested.code
  }
  async function approve(id: string, who = owner) {
    const { content_hash } = (await who.call(staffCalls.staffCorrection, { params: { id } })).body.data
    const done = (await who.call(staffCalls.staffApproveCorrection, { params: { id }, body: { content_hash } })).body
    return done.code ?? done.data.outcome
  }
  const balance = async () => (await app.call(calls.profile, { token: user.token })).body.data.user.balance
  const seen = async () => (await app.call(calls.adjustments, { token: user.token })).body.data.adjustments
  const deposited = async () =>
    (await database.db.selectFrom('deposit').select('trx').where('user_id', '=', user.id).executeTakeFirstOrThrow()).trx

  it('attack: take a win back by an adjustment, in one part and in ten parts', async () => {
    const finance = await app.staff('finance')
    // Posts the profit of a won order, 500, as the order engine does.
    const order = app.ctx.newId()
    await database.asOwner((db) =>
      db
        .transaction()
        .execute((tx) =>
          postTransfers(
            tx,
            [transfer('order_profit', { userId: user.id, ref: order, amount: money(50_000n) })],
            app.ctx.now(),
          ),
        ),
    )
    expect(await balance()).toBe(1_500)
    for (const link of ['', order, 'FW-00000-00000-00000']) {
      const change = { link, amount: 500 }
      expect(await adjust(change, finance), 'no order is a link').toBe('correction_not_allowed')
      expect(await adjust({ ...change, kind: 'paid_twice' }, finance)).toBe('correction_not_allowed')
    }
    // With a real deposit as a pretext, adjustments take no more than the deposit, in however many pieces.
    const link = await deposited()
    for (let piece = 0; piece < 10; piece += 1) {
      expect(await adjust({ link, amount: 150 }, finance)).toBe(piece < 6 ? 'announced' : 'correction_not_allowed')
    }
    app.ctx.clock.advance(MINUTE_MS)
    await postAnnounced(app.ctx)
    expect(await balance(), 'the win and what is left of the deposit').toBe(600)
    const bySql = database.db.insertInto('correction').values({
      user_id: user.id,
      id: app.ctx.newId(),
      trx: 'FW-1',
      kind: 'deposit_reversed',
      link,
      message: 'y',
      amount: -15_000n,
      reason: 'x',
      content_hash: '',
      state: 'waiting',
      asked_by: await staffId('finance'),
      asked_ms: app.ctx.now(),
      decided_by: null,
      decided_ms: null,
    })
    await expect(bySql.execute()).rejects.toThrow(/more than the linked record/)
  })

  it('attack: an adjustment while the withdrawal waits', async () => {
    const finance = await app.staff('finance')
    for (let turn = 0; turn < 5; turn += 1) await ask()
    expect(await adjust({ link: await deposited(), amount: 800 }, finance)).toBe('announced')
    app.ctx.clock.advance(MINUTE_MS)
    await postAnnounced(app.ctx)
    const { balance: cash, withdrawing } = (await app.call(calls.profile, { token: user.token })).body.data.user
    expect([cash, withdrawing], 'nothing is taken from held money').toEqual([500, 500])
    expect(await seen()).toMatchObject([{ state: 'announced' }])
  })

  it('attack: an adjustment announced for a past time, or posted before its time', async () => {
    const finance = await app.staff('finance')
    expect(await adjust({ link: await deposited() }, finance)).toBe('announced')
    const now = Number(app.ctx.now())
    await logPriceAt(now)
    const { id, decided_by } = await database.db
      .selectFrom('correction')
      .select(['id', 'decided_by'])
      .where('state', '=', 'announced')
      .executeTakeFirstOrThrow()
    const move = (of: string, times: Record<string, unknown>) =>
      database.db.updateTable('correction').set(times).where('id', '=', of).execute()
    const posted = { state: 'posted', posted_ms: now + MINUTE_MS }
    await expect(move(id, posted), 'in the same second').rejects.toThrow(/ahead of its time/)
    const other = (await request({ link: await deposited() }, finance)).data.id
    const dated = { state: 'announced', decided_ms: now - 3 * DAY_MS, posts_ms: now, decided_by }
    await expect(move(other, dated)).rejects.toThrow(/announced in the past/)
    // Once the log has reached the announced time, the adjustment is posted.
    app.ctx.clock.advance(MINUTE_MS)
    await logPriceAt(now + MINUTE_MS)
    await postAnnounced(app.ctx)
    expect(await balance()).toBe(990)
  })

  /** Adds a batch of the tick log that was written at a time. */
  async function logPriceAt(ms: number): Promise<void> {
    await database.asOwner((db) =>
      sql`insert into tick_batch (first_seq, last_seq, first_time_ms, last_time_ms, written_ms, payload, previous_hash, hash)
        select n, n, ${ms}, ${ms}, ${ms}, '', int8send(n - 1), int8send(n) from (select coalesce(max(last_seq), 0) + 1 as n from tick_batch) next`.execute(
        db,
      ),
    )
  }

  it('attack: a hidden adjustment', async () => {
    const finance = await app.staff('finance')
    const link = await deposited()
    expect(await adjust({ link, message: ' ' }, finance)).toBe('reason_needed')
    expect(await adjust({ link, message: 'The bank took it back.' }, finance)).toBe('announced')
    const [announced] = await seen()
    expect(announced).toMatchObject({
      kind: 'deposit_reversed',
      link,
      amount: -10,
      message: 'The bank took it back.',
      state: 'announced',
      posts_at: new Date(app.ctx.now() + MINUTE_MS).toISOString(),
      can_dispute: true,
    })
    const trx = announced?.trx ?? ''
    // The database accepts neither a shorter notice nor a missing one.
    const { id } = await database.db.selectFrom('correction').select('id').executeTakeFirstOrThrow()
    const early = { state: 'posted', posted_ms: Number(app.ctx.now()) }
    await expect(database.db.updateTable('correction').set(early).where('id', '=', id).execute()).rejects.toThrow(
      /not announced/,
    )
    const dispute = async () =>
      (await app.call(calls.disputeAdjustment, { token: user.token, params: { trx } })).body.code ?? 'disputed'
    expect([await dispute(), await dispute()]).toEqual(['disputed', 'adjustment_decided'])
    app.ctx.clock.advance(2 * MINUTE_MS)
    await postAnnounced(app.ctx)
    expect([await balance(), (await seen())[0]?.state], 'the dispute stops it').toEqual([1_000, 'disputed'])
    expect(await approve(id, finance), 'who asked').toBe('asked_yourself')
    expect(await approve(id), 'who approved').toBe('asked_yourself')
    await database.db.updateTable('staff').set({ role: 'finance' }).where('name', '=', 'support').execute()
    const [third, fourth] = [await app.staff('finance2'), await app.staff('support')]
    expect([await approve(id, third), await approve(id, third)]).toEqual(['disputed', 'second_person_needed'])
    expect(await approve(id, fourth)).toBe('announced')
    await postAnnounced(app.ctx)
    expect([await balance(), await dispute()]).toEqual([990, 'adjustment_decided'])
  })

  const staffId = async (name: string) =>
    (await database.db.selectFrom('staff').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

  async function insertDepositBySql() {
    const row = await database.db.selectFrom('deposit').selectAll().executeTakeFirstOrThrow()
    const copied = {
      ...row,
      id: app.ctx.newId(),
      trx: 'FW-00000-00000-00000',
      client_request_id: null,
      created_ms: app.ctx.now(),
      fields: '{}',
      files: '{}',
    }
    await database.db.insertInto('deposit').values(copied).execute()
  }
})
