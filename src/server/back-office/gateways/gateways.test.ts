import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let finance: StaffSession
let finance2: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser()
  finance = await app.staff('finance')
  finance2 = await app.staff('finance2')
})
afterEach(() => app.stop())

const NETWORK = { name: 'network', label: 'Network', type: 'select', is_required: true, options: ['ERC-20', 'TRC-20'] }
const NOTE = { name: 'note', label: 'Note', type: 'textarea', is_required: false, max_length: 10, hint: 'For us' }
const CONTENT = {
  name: 'Euro account',
  image: 'bank.svg',
  currency: 'eur',
  min_amount: '10',
  max_amount: 1_000,
  fixed_charge: '1.50',
  percent_charge: '2.5',
  rate: '1.08',
  wallet_address: '',
  description: 'Pay **on time**.',
  form: [NETWORK, NOTE],
  is_automatic: false,
  is_offered: true,
  sort: 7,
}

async function create(change: object = {}, kind: 'deposit' | 'withdraw' = 'deposit'): Promise<number> {
  const content = { ...CONTENT, kind, ...change } as const
  const { body } = await finance.call(staffCalls.staffCreateGateway, { body: content })
  expect(body.data).toEqual({ id: 0, version: 0, pending: { id: expect.any(String) as string, applies_at: null } })
  await app.passChanges(finance2)
  const { rows } = (await finance.call(staffCalls.staffGateways, { query: { kind } })).body.data
  return rows.findLast(({ name }) => name === content.name)?.id ?? 0
}

async function save(who: StaffSession, id: number, version: number, change: object = {}) {
  const { body } = await who.call(staffCalls.staffSaveGateway, {
    params: { id: String(id) },
    body: { ...CONTENT, version, ...change },
  })
  return body
}

async function offered(id: number) {
  const { body } = await app.call(calls.depositGateways, { token: user.token })
  return body.data.gateways.find((gateway) => gateway.id === id)
}

test('a new gateway is visible to users, and its form validates their requests', async () => {
  const id = await create()
  expect(await offered(id)).toMatchObject({
    name: 'Euro account',
    image: 'bank.svg',
    single_currency: { currency: 'EUR', min_amount: 10, fixed_charge: 1.5, percent_charge: 2.5, rate: 1.08 },
    description: '<p>Pay <strong>on time</strong>.</p>',
    form: { form_data: [NETWORK, NOTE] },
  })
  const ask = async (fields: Record<string, string>) =>
    (await app.call(calls.saveDeposit, { token: user.token, body: { method_id: id, amount: 100, fields } })).body
  expect((await ask({})).code).toBe('field_required')
  expect((await ask({ Network: 'BEP-20' })).code).toBe('field_invalid')
  expect((await ask({ Network: 'TRC-20', Note: 'longer than ten' })).code).toBe('field_invalid')
  const done = await ask({ Network: 'TRC-20', Note: 'short' })
  expect(done.data.deposit).toMatchObject({ total: 104, credited: 108 })
})

test('a change applies to new requests only', async () => {
  const id = await create({ form: [] })
  const body = { method_id: id, amount: 100 }
  const { trx } = (await app.call(calls.saveDeposit, { token: user.token, body })).body.data.deposit
  expect((await save(finance, id, 1, { rate: '2', fixed_charge: '9', form: [] })).code).toBeUndefined()
  const { deposits } = (await app.call(calls.deposits, { token: user.token })).body.data
  expect(deposits.find((deposit) => deposit.trx === trx)).toMatchObject({
    credited: 108,
    fixed_charge: 1.5,
    rate: 1.08,
  })
  const before = (await app.call(calls.saveDeposit, { token: user.token, body })).body.data.deposit
  expect(before, 'the change waits').toMatchObject({ credited: 108, fixed_charge: 1.5 })
  await app.passChanges(finance2)
  const next = (await app.call(calls.saveDeposit, { token: user.token, body })).body.data.deposit
  expect(next).toMatchObject({ credited: 200, fixed_charge: 9 })
})

test('small steps of the rate of a new gateway add up, so that the second one waits', async () => {
  const id = await create()
  app.ctx.clock.advance(MINUTE_MS)
  expect(await save(finance, id, 1, { rate: '1.134' })).toMatchObject({ data: { pending: null } })
  app.ctx.clock.advance(MINUTE_MS)
  expect(await save(finance, id, 2, { rate: '1.1907' })).toMatchObject({ data: { pending: { applies_at: null } } })
  expect((await offered(id))?.single_currency.rate).toBe(1.134)
})

test('a gateway that staff switched off is not offered to users, but stays in the list of staff', async () => {
  const id = await create()
  await save(finance, id, 1, { is_offered: false })
  expect(await offered(id)).toBeUndefined()
  const { rows } = (await finance.call(staffCalls.staffGateways, { query: { kind: 'deposit' } })).body.data
  expect(rows.find((row) => row.id === id)).toMatchObject({ is_offered: false, version: 2 })
})

test('AT33: a gateway that is switched on together with a new address waits, and is never offered with the old address', async () => {
  const id = await create({ wallet_address: 'first address' })
  await save(finance, id, 1, { wallet_address: 'first address', is_offered: false })
  const both = { wallet_address: 'second address', is_offered: true, sort: 3 }
  expect((await save(finance, id, 2, both)).data.pending).not.toBeNull()
  expect(await offered(id)).toBeUndefined()
  const { body } = await finance.call(staffCalls.staffGateway, { params: { id: String(id) } })
  expect(body.data, 'the rest applies at once').toMatchObject({ is_offered: false, sort: 3 })
  await app.passChanges(finance2)
  expect((await offered(id))?.single_currency.wallet_address).toBe('second address')
})

test('a gateway whose new address waits can be switched off at once', async () => {
  const id = await create({ wallet_address: 'first address' })
  expect(
    (await save(finance, id, 1, { wallet_address: 'second address', is_offered: false })).data.pending,
  ).not.toBeNull()
  expect(await offered(id)).toBeUndefined()
  await app.passChanges(finance2)
  expect(await offered(id), 'still off').toBeUndefined()
})

test('limits that fit only the new fees wait together with these fees', async () => {
  const method = { form: [NOTE], rate: '1', fixed_charge: '20', percent_charge: '0' }
  const id = await create({ ...method, min_amount: '50' }, 'withdraw')
  const edit = { ...method, fixed_charge: '1', min_amount: '10', name: 'Cheaper account' }
  expect((await save(finance, id, 1, edit)).data.pending).not.toBeNull()
  const terms = async () => (await finance.call(staffCalls.staffGateway, { params: { id: String(id) } })).body.data
  expect(await terms()).toMatchObject({ min_amount: 50, fixed_charge: 20, name: 'Cheaper account' })
  await app.passChanges(finance2)
  expect(await terms()).toMatchObject({ min_amount: 10, fixed_charge: 1 })
})

test('refuses an outdated edit, and names who changed the gateway and the changed fields', async () => {
  const id = await create()
  expect((await save(finance, id, 1, { name: 'Other name', sort: 3 })).data).toEqual({ id, version: 2, pending: null })
  const late = await save(finance2, id, 1, { rate: '9' })
  expect(late).toMatchObject({ code: 'changed_meanwhile' })
  expect(late.message).toMatch(/^finance changed this .*Name.*Position/)
  expect(await offered(id)).toMatchObject({ name: 'Other name', single_currency: { rate: 1.08 } })
})

test('accepts one of two concurrent edits', async () => {
  const id = await create()
  const both = await Promise.all([save(finance, id, 1, { sort: 1 }), save(finance2, id, 1, { sort: 2 })])
  expect(both.map(({ code }) => code ?? 'saved').toSorted()).toEqual(['changed_meanwhile', 'saved'])
})

test('accepts two concurrent additions as two gateways', async () => {
  const add = (who: StaffSession, name: string) =>
    who.call(staffCalls.staffCreateGateway, { body: { ...CONTENT, kind: 'deposit', name } })
  await Promise.all([add(finance, 'One'), add(finance, 'Two')])
  await app.passChanges(finance2)
  const { rows } = (await finance.call(staffCalls.staffGateways, { query: { kind: 'deposit' } })).body.data
  expect(new Set(rows.filter(({ name }) => name === 'One' || name === 'Two').map(({ id }) => id)).size).toBe(2)
})

describe('refuses unusable gateways with a reason, without any change', () => {
  it.each<[string, object, string, RegExp]>([
    ['a select of nothing', { form: [{ ...NETWORK, options: [] }] }, 'form_invalid', /field 1: Add at least/],
    ['a label twice', { form: [NETWORK, { ...NOTE, label: 'network' }] }, 'form_invalid', /field 2: Another field/],
    ['a type nobody draws', { form: [{ ...NOTE, type: 'password' }] }, 'form_invalid', /do not support/],
    ['a label that cannot be sent', { form: [{ ...NOTE, label: 'a]b' }] }, 'form_invalid', /one line without/],
    ['limits the wrong way round', { min_amount: '20', max_amount: '10' }, 'gateway_terms', /limits/],
    ['no rate', { rate: '0' }, 'gateway_terms', /rate/],
    ['crediting at once', { is_automatic: true }, 'gateway_automatic', /without approval/],
    ['a picture of somewhere else', { image: '../../x.svg' }, 'bad_request', /./],
    ['half a cent', { min_amount: '0.001' }, 'amount_invalid', /./],
    ['a charge below nothing', { fixed_charge: '-1' }, 'amount_invalid', /./],
    ['a book', { description: 'x'.repeat(6_000) }, 'description_long', /5,000/],
  ])('%s', async (_, change, code, why) => {
    const id = await create()
    const refused = await save(finance, id, 1, change)
    expect(refused.code).toBe(code)
    expect(refused.message).toMatch(why)
    expect((await save(finance, id, 1)).data).toEqual({ id, version: 2, pending: null })
  })

  it('refuses fees that exceed the smallest withdrawal', async () => {
    const { body } = await finance.call(staffCalls.staffCreateGateway, {
      body: { ...CONTENT, kind: 'withdraw', fixed_charge: '10' },
    })
    expect(body.code).toBe('gateway_terms')
  })

  it('refuses to offer a withdrawal method whose currency cannot pay small amounts', async () => {
    const coin = { ...CONTENT, form: [NOTE], currency: 'BTC', rate: '60000', min_amount: '800' }
    const terms = { max_amount: 5_000, fixed_charge: '0', percent_charge: '0' }
    const ask = async (is_offered: boolean) =>
      (await finance.call(staffCalls.staffCreateGateway, { body: { ...coin, ...terms, kind: 'withdraw', is_offered } }))
        .body
    const refused = await ask(true)
    expect(refused.code).toBe('gateway_coarse')
    expect(refused.message).toMatch(/0\.01 BTC.*600\.00/)
    expect((await ask(false)).code).toBeUndefined()
  })

  it('refuses a form with a file field for a withdrawal method', async () => {
    const { body } = await finance.call(staffCalls.staffCreateGateway, {
      body: { ...CONTENT, kind: 'withdraw', form: [{ ...NOTE, type: 'file' }] },
    })
    expect(body.code).toBe('form_invalid')
  })
})

test("only the demo's own gateway credits automatically", async () => {
  const { body } = await finance.call(staffCalls.staffGateway, { params: { id: '1' } })
  expect(body.data).toMatchObject({ is_automatic: true, may_be_automatic: true })
  const { version, ...rest } = body.data
  const sent = { ...rest, is_automatic: true, version, form: [...rest.form] }
  const saved = await finance.call(staffCalls.staffSaveGateway, { params: { id: '1' }, body: sent as never })
  expect(saved.body.data).toEqual({ id: 1, version: version + 1, pending: null })
})

test('AT33: pasted HTML is stored as markup and displayed without executable parts', async () => {
  const id = await create({ description: '<p onclick=alert(1)>Pay <b>now</b><script>alert(1)</script></p>' })
  const { body } = await finance.call(staffCalls.staffGateway, { params: { id: String(id) } })
  expect(body.data.description).toBe('Pay **now**')
  expect((await offered(id))?.description).toBe('<p>Pay <strong>now</strong></p>')
})

test('the audit log records a change of a gateway with its earlier and new values', async () => {
  const id = await create()
  await save(finance, id, 1, { rate: '1.1' })
  const rows = await app.ctx.db.selectFrom('admin_action').selectAll().where('target', '=', `gateway ${id}`).execute()
  const change = rows.find(({ before }) => before !== null)
  expect(change).toMatchObject({
    who: 'finance',
    before: { version: 1, rate_millionths: '1080000' },
    after: { version: 2, rate_millionths: '1100000' },
  })
})

test('the register publishes a rate that two approvers agreed on as a decision of two', async () => {
  const id = await create()
  await save(finance, id, 1, { rate: '1.1' })
  const requestedAt = app.ctx.now()
  await save(finance, id, 2, { rate: '2' })
  await app.passChanges(finance2)
  const entries = await app.ctx.db.selectFrom('register_pending').select('text').where('kind', '=', 'act').execute()
  const acts = entries.map(({ text }) => JSON.parse(text) as { what: string; asked_ms: number })
  const rates = acts.filter(({ what }) => what === 'rate').toSorted((one, other) => one.asked_ms - other.asked_ms)
  expect(rates).toMatchObject([
    { people: 1, reason: '1 EUR = 1.100000' },
    { people: 2, reason: '1 EUR = 2.000000', asked_ms: requestedAt },
  ])
})
