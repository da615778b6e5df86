import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import type { CountryRule, CountryRules } from '#core/accounts/country-rules.ts'
import { assert } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { openAttackBench } from '#test/security/attack-harness.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { TEST_PASSWORD, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const HEADER = 'x-country'
const database = useTestDatabase()
let bench: Awaited<ReturnType<typeof openAttackBench>>
let owner: StaffSession
let alice: TestUser
beforeEach(async () => {
  bench = await openAttackBench(database, {
    environment: { TRUSTED_PROXIES: '127.0.0.1', FAIRWICK_COUNTRY_HEADER: HEADER },
  })
  owner = await bench.app.staff('owner')
  alice = await bench.funded(1_000, 'alice')
})
afterEach(async () => {
  assert((await checkLedger(bench.app.ctx.db)).clean, 'the ledger must reconcile')
  await bench.close()
})

const REFUSED: CountryRule = {
  country: 'US',
  sign_up: 'refuse',
  deposit: 'refuse',
  trade: 'refuse',
  note: 'no licence',
}
const look = async () => (await owner.call(staffCalls.staffCountries)).body.data
type Wanted = Partial<CountryRules> & { version?: number; reason?: string }

async function save({ version = 0, reason = 'no licence there', ...rules }: Wanted = {}) {
  const body = { unknown_address: 'allow' as const, ...rules, rules: [...(rules.rules ?? [REFUSED])], version, reason }
  return owner.call(staffCalls.staffSaveCountries, { body })
}

async function enforce(wanted?: Wanted): Promise<void> {
  const saved = await save(wanted)
  assert(saved.status === 200, `the rules are asked for: ${JSON.stringify(saved.body)}`)
  await bench.app.passChanges()
}

const signUp = async (username: string, headers: Record<string, string>, country = 'PT') =>
  bench.app.call(calls.register, {
    headers,
    body: {
      username,
      mobile: '912345678',
      mobile_code: '+351',
      country_code: country,
      password: TEST_PASSWORD,
      password_confirmation: TEST_PASSWORD,
      agree: true,
    },
  })
const deposit = async (country: string) => {
  const body = { amount: 100, method_id: 1 }
  return (await bench.app.call(calls.saveDeposit, { token: alice.token, headers: { [HEADER]: country }, body })).body
    .code
}

async function trader(country: string) {
  const client = await bench.connect('/ws/app', { headers: { [HEADER]: country } })
  return async (clientOrderId: string) => {
    const before = client.answers('newTrade').length
    const data = { type: 'buy', tradeSettingId: 1, amount: 100, symbol: 'BTC', clientOrderId }
    client.send({ action: 'newTrade', token: alice.token, data })
    await bench.until(() => client.answers('newTrade').length > before)
    const answer = client.answers('newTrade').at(-1)
    return answer?.code ?? answer?.['status']
  }
}

describe('rules in force', () => {
  it('OD11.2: refuse a sign-up by the declared country and by that of the address', async () => {
    await enforce()
    expect((await signUp('bob', { [HEADER]: 'US' })).body.code).toBe('country_not_allowed')
    expect((await signUp('bob', { [HEADER]: 'PT' }, 'US')).body.code).toBe('country_not_allowed')
    expect((await signUp('bob', { [HEADER]: 'PT' }, '')).body.code).toBe('country_not_allowed')
    expect((await signUp('bob', { [HEADER]: 'PT' })).status).toBe(200)
  })

  it('OD11.2: refuse new orders by the country of the connection, and answer a repeated order as before', async () => {
    await bench.priced(9_400_000)
    expect(await (await trader('PT'))('first')).toBe('success')
    await enforce()
    await bench.priced(9_400_000)
    const away = await trader('US')
    expect(await away('second')).toBe('place_not_allowed')
    expect(await away('first')).toBe('success')
    expect(await (await trader('PT'))('third')).toBe('success')
  })

  it('OD11.2: refuse orders and deposits of users who declared the country', async () => {
    await bench.app.ctx.db.updateTable('app_user').set({ country_code: 'US' }).where('id', '=', alice.id).execute()
    await enforce()
    await bench.priced(9_400_000)
    const order = await trader('PT')
    expect([await order('first'), await deposit('PT')]).toEqual(['place_not_allowed', 'place_not_allowed'])
  })

  it('OD11.2: show no gateway, but a reason, to a connection from a country where they refuse deposits', async () => {
    await enforce()
    const at = async (country: string) =>
      (await bench.app.call(calls.depositGateways, { token: alice.token, headers: { [HEADER]: country } })).body.data
    const [away, home] = [await at('US'), await at('PT')]
    expect([away.gateways, away.closed_reason]).toEqual([[], expect.stringContaining('not offered in your country')])
    expect([home.gateways.length > 0, home.closed_reason]).toEqual([true, ''])
  })

  it('OD11.1: stay in force when another stored rule cannot be read', async () => {
    await enforce()
    const rules = [{ country: 'Atlantis' }, REFUSED]
    await database.asOwner((db) =>
      sql`update setting set value = ${JSON.stringify({ unknown_address: 'refuse', rules })}::jsonb
        where key = 'country_rules'`.execute(db),
    )
    const { rules: read, unknown_address: unknown } = await look()
    expect([read, unknown]).toEqual([[REFUSED], 'refuse'])
  })

  it('OD11.2: still let an open order settle, and let its user log in, read the profile and request a withdrawal', async () => {
    const fields = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
    await bench.app.setPin(alice.token, '042713', { 101: fields })
    await bench.priced(9_400_000)
    expect(await (await trader('PT'))('first')).toBe('success')
    await enforce({ unknown_address: 'refuse' })
    const headers = { [HEADER]: 'US' }
    expect(await deposit('US')).toBe('place_not_allowed')
    const { ctx } = bench.app
    const [open] = await ctx.db.selectFrom('open_order').select('id').execute()
    await bench.priced(9_500_000)
    await vi.waitFor(
      async () => {
        ctx.clock.advance(200)
        expect(await ctx.db.selectFrom('open_order').select('id').execute()).toEqual([])
      },
      { interval: 20 },
    )
    const history = await ctx.db.selectFrom('order_history').select('id').execute()
    expect(history.map(({ id }) => id)).toEqual([open?.id])
    const body = { username: 'alice', password: TEST_PASSWORD }
    expect((await bench.app.call(calls.login, { body, headers })).status).toBe(200)
    expect((await bench.app.call(calls.profile, { token: alice.token, headers })).status).toBe(200)
    const withdrawal = { amount: 50, method_id: 101, withdrawal_code: '042713', fields }
    const requested = await bench.app.call(calls.saveWithdrawal, { token: alice.token, headers, body: withdrawal })
    expect(requested.status, JSON.stringify(requested.body)).toBe(200)
  })

  it('OD11.1: refuse a sign-up from an address of unknown country only when they name such addresses', async () => {
    expect((await signUp('bob', {})).status).toBe(200)
    await enforce({ rules: [], unknown_address: 'refuse' })
    expect((await signUp('carol', {})).body.code).toBe('country_not_allowed')
    expect((await signUp('carol', { [HEADER]: 'PT' })).status).toBe(200)
  })
})

it('OD11.2: a log-in with a country header stores the country beside the log-in, and a log-in without the header stores none', async () => {
  const body = { username: 'alice', password: TEST_PASSWORD }
  await bench.app.call(calls.login, { body, headers: { [HEADER]: 'pt' } })
  const lines = await bench.app.ctx.db.selectFrom('sign_in').select('country').execute()
  expect(lines.filter(({ country }) => country !== null)).toEqual([{ country: 'PT' }])
})

describe('changing the rules', () => {
  it('OD11.3: needs two staff members and 24 hours, and appears in the register', async () => {
    expect((await save()).body.data.pending).toMatchObject({ applies_at: null })
    expect((await look()).rules).toEqual([])
    expect((await save()).body).toMatchObject({ code: 'change_pending' })
    const [change] = (await owner.call(staffCalls.staffChanges, { query: { state: 'open' } })).body.data.rows
    expect(change).toMatchObject({
      kind: 'countries',
      reason: 'no licence there',
      lines: [{ field: 'US', before: '', after: 'sign_up: refuse, deposit: refuse, trade: refuse (no licence)' }],
    })
    await bench.app.passChanges()
    expect(await look()).toMatchObject({ rules: [REFUSED], unknown_address: 'allow', version: 1 })
    const lines = await bench.app.ctx.db.selectFrom('admin_action').select(['what', 'reason']).execute()
    expect(lines).toContainEqual({ what: 'countries/save', reason: 'no licence there' })
    const listed = (await owner.call(staffCalls.staffAudit, { query: { area: 'countries' } })).body.data.rows
    expect(listed.filter(({ what }) => what === 'countries/save')).toHaveLength(1)
    // The register can move a pending entry to its own table at any moment, so the test reads both tables.
    const entries = await bench.app.ctx.db
      .selectFrom('register_pending')
      .select('text')
      .unionAll(bench.app.ctx.db.selectFrom('register_entry').select('text'))
      .execute()
    expect(entries.some(({ text }) => text.includes('"what":"countries"'))).toBe(true)
  })

  it.each<[string, Wanted, string]>([
    ['no reason', { reason: ' ' }, 'reason_needed'],
    ['an older version', { version: 7 }, 'changed_meanwhile'],
    ['an unknown country', { rules: [{ ...REFUSED, country: 'QQ' }] }, 'setting_invalid'],
    ['a country twice', { rules: [REFUSED, REFUSED] }, 'setting_invalid'],
  ])('OD11.3: refuses %s', async (_, wanted, code) => {
    expect((await save(wanted)).body).toMatchObject({ code })
    expect((await look()).rules).toEqual([])
  })
})

it('OD11.3: shows the number of users of each country, and the age of the table of addresses', async () => {
  await signUp('bob', {})
  const { countries, source } = await look()
  expect(countries.find(({ code }) => code === 'PT')).toEqual({ code: 'PT', name: 'Portugal', users: 1 })
  const days = Math.max(0, Math.floor((bench.app.ctx.now() - Date.parse(source.built_at ?? '')) / DAY_MS))
  expect(source).toMatchObject({ header: HEADER, table: 'package', age_days: days, is_old: days > 120 })
})

it('OD11.3: shows for a given address its country and what the rules in force refuse', async () => {
  await enforce({ rules: [{ ...REFUSED, country: 'NL', sign_up: 'allow' }] })
  const attempt = async (address: string) => (await owner.call(staffCalls.staffTryAddress, { body: { address } })).body
  expect((await attempt('193.0.6.139')).data).toEqual({
    country: { code: 'NL', name: 'Netherlands' },
    is_private: false,
    sign_up: 'allow',
    deposit: 'refuse',
    trade: 'refuse',
  })
  expect((await attempt('10.0.0.1')).data).toMatchObject({ country: null, is_private: true, trade: 'allow' })
  expect(await attempt('example.com')).toMatchObject({ code: 'ip_address_invalid' })
})
