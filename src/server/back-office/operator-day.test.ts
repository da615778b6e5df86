import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { checkSetting, storedSettings } from '#server/settings/site-settings.ts'
import { recordArrived } from '#test/support/arrived-deposit.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, emailOf, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BY_HAND = 90

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let owner: StaffSession
let finance: StaffSession
let finance2: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  // A decision and its transfer must have the same time. Each reading of the clock returns a different time here, so
  // two readings would be detected.
  app.ctx.clock.perReadingMs = 1
  await app.ctx.db
    .insertInto('gateway')
    .values({
      id: BY_HAND,
      kind: 'deposit',
      name: 'Bank transfer',
      currency: 'USD',
      min_amount: 1_000n,
      max_amount: 10_000_000n,
      fixed_charge: 0n,
      percent_charge_basis_points: 0,
      form: '[]',
      rate_millionths: 1_000_000n,
      sort: 90,
    })
    .execute()
  user = await app.verifiedUser('alice')
  owner = await app.staff('owner')
  finance = await app.staff('finance')
  finance2 = await app.staff('finance2')
})
afterEach(() => app.stop())

/** Requests a deposit, and records an arrival of the whole amount to pay. */
async function askDeposit(amount: number): Promise<string> {
  const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { method_id: BY_HAND, amount } })
  const { trx } = body.data.deposit
  expect(await recordArrived(app, finance, { trx })).toBeNull()
  return trx
}

async function deposit(trx: string) {
  return (await owner.call(staffCalls.staffDeposit, { params: { trx } })).body.data
}

async function decide(who: StaffSession, trx: string, how: 'approve' | 'reject', hash: string) {
  const call = how === 'approve' ? staffCalls.staffApproveDeposit : staffCalls.staffRejectDeposit
  return (await who.call(call, { params: { trx }, body: { content_hash: hash, words: 'No such payment came in' } }))
    .body
}

async function askCorrection(amount = 25) {
  const body = { user_id: user.id, kind: 'credit' as const, message: 'Sorry.', amount, reason: 'paid twice' }
  return (await finance.call(staffCalls.staffRequestCorrection, { body })).body.data.id
}

describe('F66: after concurrent decisions the second staff member sees the first decision', () => {
  it('F66: when one staff member approves a deposit and another rejects it, the later one sees who decided and when', async () => {
    const trx = await askDeposit(50)
    const { content_hash: hash } = await deposit(trx)
    const [first, second] = await Promise.all([
      decide(finance, trx, 'approve', hash),
      decide(finance2, trx, 'reject', hash),
    ])
    const [won, lost] = first.code === undefined ? [first, second] : [second, first]
    expect(won.data).toBeDefined()
    expect(lost.code).toBe('already_decided')
    const winner = first.code === undefined ? 'finance approved' : 'finance2 rejected'
    expect(lost.message).toMatch(
      new RegExp(`^${winner} this on \\d+ \\w+ \\d{4}, [\\d:]{8} UTC\\. Your decision was not carried out\\.$`),
    )
  })

  it('F66: refuses a second approval of a deposit, also by the same staff member', async () => {
    const trx = await askDeposit(50)
    const { content_hash: hash } = await deposit(trx)
    await decide(finance, trx, 'approve', hash)
    expect((await decide(finance, trx, 'approve', hash)).message).toMatch(/^finance approved this on/)
  })

  it('F66: refuses a second decision on an adjustment', async () => {
    const id = await askCorrection()
    const { body } = await owner.call(staffCalls.staffCorrection, { params: { id } })
    const given = { params: { id }, body: { content_hash: body.data.content_hash } }
    await finance2.call(staffCalls.staffApproveCorrection, given)
    const late = await owner.call(staffCalls.staffApproveCorrection, given)
    expect(late.body.message).toMatch(/^finance2 approved this on/)
  })

  it('F66: a staff member who closes a market twice is told that they closed it themselves', async () => {
    const close = () =>
      owner.call(staffCalls.staffCloseMarket, {
        params: { type: 'crypto' },
        body: { version: 0, words: 'Maintenance' },
      })
    expect((await close()).status).toBe(200)
    expect((await close()).body.message).toBe(
      'You changed this yourself since you opened it here (Closed because). The second change was not saved. Reload to see the current version.',
    )
  })
})

describe('F61: who decided a payment, and when', () => {
  it('F61: a deposit with two approvals names both staff members in list, detail and export', async () => {
    const trx = await askDeposit(2_000)
    const { content_hash: hash } = await deposit(trx)
    await decide(finance, trx, 'approve', hash)
    await decide(finance2, trx, 'approve', hash)
    const named = { first_by: 'finance', decided_by: 'finance2', decided_at: expect.any(String) }
    expect(await deposit(trx)).toMatchObject(named)
    const { rows } = (await owner.call(staffCalls.staffDeposits, { query: { search: trx } })).body.data
    expect(rows).toMatchObject([{ trx, ...named }])
    const [head = '', line = ''] = (await owner.read(`/admin/deposits.csv?search=${trx}`)).text.split('\r\n')
    const cells = Object.fromEntries(
      head
        .replace('\uFEFF', '')
        .split(',')
        .map((name, at) => [name, line.split(',')[at]]),
    )
    expect(cells).toMatchObject({ trx, first_by: 'finance', decided_by: 'finance2' })
    expect(cells['decided_at']).not.toBe('')
  })

  it('F61: a rejected deposit names one staff member, and an automatically credited deposit names none', async () => {
    const trx = await askDeposit(50)
    await decide(finance, trx, 'reject', (await deposit(trx)).content_hash)
    expect(await deposit(trx)).toMatchObject({ first_by: null, decided_by: 'finance' })
    const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { method_id: 1, amount: 100 } })
    expect(await deposit(body.data.deposit.trx)).toMatchObject({ first_by: null, decided_by: null })
  })

  it('F61: the first approval of a deposit that was then rejected stays recorded', async () => {
    const trx = await askDeposit(2_000)
    const { content_hash: hash } = await deposit(trx)
    await decide(finance, trx, 'approve', hash)
    await decide(finance2, trx, 'reject', hash)
    expect(await deposit(trx)).toMatchObject({ first_by: 'finance', decided_by: 'finance2', state: 'rejected' })
  })
})

describe('F70: the file of deposits', () => {
  it('F70: has amount, charge, total and rate of each deposit, and a byte-order mark unless the request excludes it', async () => {
    await app.ctx.db.updateTable('gateway').set({ fixed_charge: 150n }).where('id', '=', BY_HAND).execute()
    const trx = await askDeposit(50)
    const file = async (query: string) => (await finance.read(`/admin/deposits.csv?search=${trx}${query}`)).text
    const plain = await file('&bom=no')
    const [names = [], values = []] = plain.split('\r\n').map((line) => line.split(','))
    const cells = Object.fromEntries(names.map((name, at) => [name, values[at]]))
    expect(cells).toMatchObject({
      trx,
      username: user.username,
      gateway: 'Bank transfer',
      currency: 'USD',
      amount: '50',
      charge: '1.5',
      total: '51.5',
      rate: '1',
      credited: '50',
    })
    expect(await file('')).toBe(`\uFEFF${plain}`)
  })

  it('F70: is refused to roles that do not see the queue', async () => {
    for (const role of ['markets', 'content'] as const)
      expect((await (await app.staff(role)).read('/admin/deposits.csv')).status).toBe(403)
  })
})

describe('F67: refusals use field labels and plain texts', () => {
  const symbol = {
    code: 'SUI',
    name: 'Sui',
    market_type: 'crypto',
    decimals: 2,
    max_tick_age_ms: 5_000,
    source: 'x',
  } as const
  it.each<[what: string, change: object, message: string]>([
    ['letters for a number', { decimals: 'abc' }, 'Decimals must be a number, such as 12.5.'],
    ['nothing', { decimals: '' }, 'Decimals is required.'],
    ['nothing at all', { decimals: null }, 'Decimals is required.'],
    ['a fraction for a whole number', { decimals: 1.5 }, 'Decimals must be a whole number.'],
    ['too little', { decimals: -5 }, 'Decimals must be at least 0.'],
  ])('F67: %s', async (_, change, message) => {
    const reply = await owner.call(staffCalls.staffAddSymbol, { body: { ...symbol, ...change } })
    expect(reply.status).toBe(422)
    expect(reply.body.message).toBe(message)
    expect(Object.values(reply.body.errors ?? {})).toEqual([[message]])
  })

  it('F67: letters in an amount field are refused with a sentence that describes an amount', async () => {
    const reply = await owner.call(staffCalls.staffAddQuickAmount, { body: { amount: 'x' } })
    expect(reply.body.message).toBe('Amount must be an amount with at most 2 decimals, such as 1250.50.')
  })

  it.each<[key: string, value: unknown, message: string]>([
    ['withdrawal_pause_hours', 'x', 'Withdrawal pause after a change (hours) must be a number, such as 12.5.'],
    ['site_name', '', 'Name of the site is required.'],
    ['operating_since', 'yesterday', 'Operating since must be a date, such as 2026-12-31.'],
    ['chat_link', 'chat', 'Chatroom must be a web address, such as https://example.com.'],
    ['two_people_above', '1.555', 'Dual approval above (USDT) is not an amount such as 1500.00.'],
    ['countries_allowed', ['XX'], 'Countries allowed is not a country.'],
  ])('F67: the setting %s', async (key, value, message) => {
    const changes = [{ key, value: value as null, version: 0 }]
    expect((await owner.call(staffCalls.staffSaveSettings, { body: { changes } })).body.message).toBe(message)
  })

  it.each<[key: string, typed: string, stored: unknown]>([
    ['two_people_above', '1,500.00', '1500.00'],
    ['two_people_above', ' ١٬٧٥٠ ', '1750'],
    ['one_person_daily', '9 000', '9000'],
    ['bonus_verify', '1,000', '1000'],
    ['withdrawal_pause_hours', ' ２４', 24],
    ['records_kept_years', '5.0', 5],
  ])('F67: the setting %s reads %j as typed', (key, typed, value) => {
    expect(checkSetting(key, typed)).toEqual({ ok: true, value })
  })

  it('F67: a display rate is accepted with thousands separators, but not with an exponent', () => {
    expect(checkSetting('display_rates', { IDR: '16,250.5', EUR: 0.92 })).toEqual({
      ok: true,
      value: { IDR: 16_250.5, EUR: 0.92 },
    })
    expect(checkSetting('display_rates', { IDR: '1e3' }).ok).toBe(false)
  })

  it('F73: a refused form names all its wrong settings at once, each with its own reason', async () => {
    const changes = [
      { key: 'two_people_above', value: '1e3', version: 0 },
      { key: 'withdrawal_pause_hours', value: '12', version: 0 },
      { key: 'rate_jump_percent', value: 'abc', version: 0 },
    ]
    const { status, body } = await owner.call(staffCalls.staffSaveSettings, { body: { changes } })
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      two_people_above: ['Dual approval above (USDT) is not an amount such as 1500.00.'],
      rate_jump_percent: ['Step of a rate (%) must be a number, such as 12.5.'],
    })
  })

  it('F67: a wrong value of any setting is refused with its label, in plain words', async () => {
    const wrong = [null, '', 'abc', 'x'.repeat(20_000), '1.555', -1, 1.5, 1e18, true, [], ['XX'], [null], {}, { a: 1 }]
    const raw = /Invalid|[Ee]xpected|received|Too (?:small|big)|[Uu]nrecognized|[a-z]_[a-z]|[{}?]|undefined|null|NaN/
    const refusals = Object.keys(await storedSettings(app.ctx.db)).flatMap((key) =>
      wrong.flatMap((value) => {
        const checked = checkSetting(key, value)
        return checked.ok ? [] : [{ key, text: checked.why ?? '' }]
      }),
    )
    expect(refusals.length).toBeGreaterThan(200)
    expect(refusals.filter(({ key, text }) => raw.test(text) || !text.includes(fieldLabel(key)))).toEqual([])
  })

  it.each<[what: string, call: StaffCall, params: Record<string, string>]>([
    ['an order', staffCalls.staffOrder, { trx: 'x'.repeat(99) }],
    ['a correction', staffCalls.staffCorrection, { id: 'no-id' }],
    ['a user', staffCalls.staffUser, { id: 'no-id' }],
    ['a line of the log', staffCalls.staffAuditLine, { id: '7' }],
  ])('F67: answers 404 for %s at a malformed address', async (_, call, params) => {
    const reply = await owner.call(call, { params })
    expect([reply.status, reply.body.message]).toEqual([404, 'This does not exist, or it was removed meanwhile.'])
  })
})

describe('F75: an outdated edit names the changed fields by their labels', () => {
  it('F75: an outdated edit of a symbol names the other staff member and the label of the changed field', async () => {
    const markets = await app.staff('markets')
    const { version, decimals, color, is_featured, sort } = (
      await owner.call(staffCalls.staffSymbol, { params: { code: 'BTC' } })
    ).body.data
    const edit = (who: StaffSession, name: string) =>
      who.call(staffCalls.staffEditSymbol, {
        params: { code: 'BTC' },
        body: { version, decimals, color, is_featured, sort, name },
      })
    await edit(markets, 'First')
    expect((await edit(owner, 'Second')).body.message).toMatch(
      /^markets changed this while you were editing \(.*Name.*\)\. Your changes were not saved\. Reload to see the current version\.$/,
    )
  })

  it('F75: a change without an audit entry names no staff member and no field', async () => {
    await database.asOwner((db) =>
      db.updateTable('market_symbol').set({ version: 7 }).where('code', '=', 'BTC').execute(),
    )
    const reply = await owner.call(staffCalls.staffCloseSymbol, {
      params: { code: 'BTC' },
      body: { version: 0, words: 'Halted' },
    })
    expect(reply.body.message).toBe(
      'This has changed since you opened it. Your changes were not saved. Reload to see the current version.',
    )
  })
})

describe('F60: a symbol with open orders can be removed from the list', () => {
  it('F60: the page of the symbol shows the number and stakes of its open orders, and users still see these orders', async () => {
    await app.call(calls.saveDeposit, { token: user.token, body: { method_id: 1, amount: 100 } })
    await app.startMarkets()
    const time = app.ctx.now()
    app.feed.tick(1, 9_000_000, time)
    app.ctx.clock.advance(100)
    await expect.poll(() => app.ticks.latest(1)?.time).toBe(time)
    await app.engine.place({
      userId: user.id,
      clientOrderId: 'one',
      direction: 1,
      tradeSettingId: 2,
      stake: money(2_000n),
      symbol: 'BTC',
      marketType: null,
      slippageGuard: null,
    })
    const symbol = async () => (await owner.call(staffCalls.staffSymbol, { params: { code: 'BTC' } })).body.data
    expect(await symbol()).toMatchObject({ open_orders: 1, open_stakes: 20 })
    const { decimals } = await symbol()
    const { newest_n: seen } = (await owner.call(staffCalls.staffTermsState)).body.data
    const closing = { what: 'symbol', of: 'BTC', value: 'closing', applies_at: null, seen_n: seen } as const
    expect((await owner.call(staffCalls.staffAnnounceTerms, { body: closing })).status).toBe(200)
    await app.passNotice()
    const { trades } = (await app.call(calls.recentTrades, { token: user.token })).body.data
    expect(trades).toMatchObject([{ symbol: 'BTC', result: 0, decimals, market_type: 'crypto' }])
    const pending = (await app.call(calls.pendingTransactions, { token: user.token })).body.data
    expect(pending.transactions).toHaveLength(1)
    expect(await symbol()).toMatchObject({ is_listed: false, open_orders: 1 })
  })
})

describe('F62: deposits are switched off', () => {
  const close = (reason: string) =>
    owner.call(staffCalls.staffSaveSettings, {
      body: {
        changes: [
          { key: 'deposits_open', value: false, version: 1 },
          { key: 'deposit_reason', value: reason, version: 0 },
        ],
      },
    })
  const profile = async () => (await app.call(calls.profile, { token: user.token })).body.data.user

  it('F62: the site shows the reason, and a user who still sends the form is told it too', async () => {
    expect((await close('Our bank is being changed.')).status).toBe(200)
    expect((await app.call(calls.generalSetting)).body.data).toMatchObject({
      deposit_feature: 0,
      deposit_reason: 'Our bank is being changed.',
    })
    const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { method_id: BY_HAND, amount: 50 } })
    expect(body.message).toBe('Deposits are closed at the moment. Our bank is being changed.')
  })

  it("F62: a user's earlier deposits still count as deposits, whatever their status", async () => {
    expect((await profile()).has_deposits).toBe(false)
    const trx = await askDeposit(50)
    expect((await profile()).has_deposits).toBe(true)
    await decide(finance, trx, 'reject', (await deposit(trx)).content_hash)
    expect((await profile()).has_deposits).toBe(true)
    await close('')
    const { deposits } = (await app.call(calls.deposits, { token: user.token })).body.data
    expect(deposits).toMatchObject([{ trx }])
  })
})

describe('F63: a removed verification', () => {
  it('F63: sends the user a code, and shows the reason until the user is verified again', async () => {
    const about = async () => (await owner.call(staffCalls.staffUser, { params: { id: user.id } })).body.data
    const set = async (verified: boolean, reason: string) => {
      const body = { version: (await about()).version, verified, reason }
      return (await owner.call(staffCalls.staffSetVerified, { params: { id: user.id }, body })).body
    }
    expect((await set(false, '')).code).toBe('words_needed')
    const before = await app.sentCode(emailOf('alice'))
    await set(false, 'The phone number belongs to somebody else.')
    expect(await app.sentCode(emailOf('alice'))).not.toBe(before)
    expect((await about()).verification_reason).toBe('The phone number belongs to somebody else.')
    const profile = async (token: string) => (await app.call(calls.profile, { token })).body.data.user
    const { token } = await app.signIn(user.username, user.password)
    expect(await profile(token)).toMatchObject({
      ev: false,
      ev_reason: 'The phone number belongs to somebody else.',
      code_sent: true,
    })
    app.ctx.clock.advance(11 * 60_000)
    expect((await profile(token)).code_sent, 'a code that is over counts no more').toBe(false)
    await set(true, 'It is theirs after all.')
    const again = await app.signIn(user.username, user.password)
    expect(await profile(again.token)).toMatchObject({ ev: true, ev_reason: '' })
  })
})

describe('F69: a picture that pages could not load is refused', () => {
  it.each([
    'https://elsewhere.example/logo.png',
    'http://elsewhere.example/logo.png',
    '//elsewhere.example/logo.png',
    '/\\elsewhere.example/logo.png',
    'data:image/png;base64,AAAA',
  ])('F69: %s', async (address) => {
    for (const key of ['logo_url', 'favicon_url']) {
      const { body } = await owner.call(staffCalls.staffSaveSettings, {
        body: { changes: [{ key, value: address, version: 0 }] },
      })
      expect(body.errors?.[key]?.[0]).toMatch(/must be a picture of this site.*Upload it here\.$/)
    }
  })

  it('F69: an image path on this site is accepted', async () => {
    const { status } = await owner.call(staffCalls.staffSaveSettings, {
      body: { changes: [{ key: 'logo_url', value: '/images/site/0123.webp', version: 0 }] },
    })
    expect(status).toBe(200)
  })
})

describe('F71: a requested adjustment can be withdrawn, and its page shows the number of pending ones', () => {
  const withdraw = (who: StaffSession, id: string) => who.call(staffCalls.staffWithdrawCorrection, { params: { id } })
  const waiting = async (who: StaffSession) => (await who.call(staffCalls.staffCounts)).body.data.corrections
  const state = async (id: string) => (await owner.call(staffCalls.staffCorrection, { params: { id } })).body.data

  it('F71: only its requester can withdraw it, once, and no money moves', async () => {
    const id = await askCorrection(999_999_999_999)
    expect(await waiting(finance)).toBe(1)
    expect((await withdraw(finance2, id)).body.code).toBe('not_asked_by_you')
    expect((await withdraw(finance, id)).body.data).toEqual({ outcome: 'withdrawn' })
    expect(await state(id)).toMatchObject({
      state: 'withdrawn',
      decided_by: null,
      decided_at: expect.any(String),
      cash: 0,
    })
    expect(await waiting(finance)).toBe(0)
    expect((await withdraw(finance, id)).body.message).toMatch(/^finance withdrew this request on/)
  })

  it('F71: when the requester withdraws it while another staff member approves it, one succeeds and the other is refused', async () => {
    const id = await askCorrection()
    const { content_hash: hash } = await state(id)
    const [withdrawn, approved] = await Promise.all([
      withdraw(finance, id),
      finance2.call(staffCalls.staffApproveCorrection, { params: { id }, body: { content_hash: hash } }),
    ])
    const codes = [withdrawn.body.code, approved.body.code]
    expect(codes.filter((code) => code === 'already_decided')).toHaveLength(1)
    expect((await state(id)).cash).toBe(withdrawn.body.code === undefined ? 0 : 25)
  })

  it('F71: the number of pending adjustments is visible only to roles that can see the page', async () => {
    await askCorrection()
    expect(await waiting(await app.staff('support'))).toBeNull()
  })
})
