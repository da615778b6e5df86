import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import type { RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { TEST_PASSWORD } from '#test/support/test-users.ts'
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

describe('attack: "Send to this address" says another one', () => {
  it.each(LANGUAGE_CODES)('by a text of its own, in %s', async (language) => {
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
  })

  it.each(ADDRESSES)('by words of other places that hold %s', async (address) => {
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
    expect((await app.call(calls.announcements)).body.data.announcements).toEqual([])
  })

  it('changes other words only in public', async () => {
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
    await app.setPin(user.token, PIN)
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
    const seen = (await who.call(staffCalls.staffWithdrawal, { params: { trx } })).body.data
    const body = { content_hash: seen.content_hash, words: 'Not today.', reason_code: code }
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
    // No setting opens them.
    const settings = { changes: [{ key: 'deposits_open', version: 1, value: true }] }
    await owner.call(staffCalls.staffSaveSettings, { body: settings })
    expect(await deposit()).toBe('deposits_closed_late')
    await expect(insertDepositBySql()).rejects.toThrow(/waited for more than ten days/)
    expect(await reject(trx)).toBe('rejected')
    expect(await deposit(), 'decided').toBe('done')
  })

  it('attack: reject it every day', async () => {
    for (let day = 0; day < 11; day += 1) {
      const trx = await ask()
      passDays(1)
      const finance = await logInAgain()
      const first = await reject(trx)
      if (day === 0) expect(first, 'one person, once').toBe('rejected')
      else {
        expect(first, 'a second time').toBe('first-rejection')
        expect(await reject(trx)).toBe('second_person_needed')
        expect(await reject(trx, finance)).toBe('rejected')
      }
      await app.endPauses()
    }
    await ask()
    expect(await deposit(), 'eleven days in eleven requests').toBe('deposits_closed_late')
    const [newest] = await own()
    expect(newest?.due_at).toBe(new Date(app.ctx.now() - 8 * DAY_MS).toISOString())
    // The server's own rights cannot start the clock anew.
    const renewed = app.ctx.db.transaction().execute(async (tx) => {
      await sql`set local role fairwick_server`.execute(tx)
      await sql`update withdrawal set clock_ms = created_ms where status = 2`.execute(tx)
    })
    await expect(renewed).rejects.toThrow(/permission denied/)
  })

  it('begins the clock anew when the details were wrong, and asks for identity only above the deposits', async () => {
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
