import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const DEMO_FUNDS = 1
const BY_HAND = 50
const BANK = 2
const BITCOIN = 4

const database = useTestDatabase()
let app: TestApp
let token: string
let dataDir: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairwick-deposits-'))
  app = await createTestApp(database, { environment: { FAIRWICK_DATA_DIR: dataDir } })
  ;({ token } = await app.verifiedUser('alice'))
  await app.ctx.db
    .insertInto('gateway')
    .values({
      id: BY_HAND,
      kind: 'deposit',
      name: 'Bank transfer',
      currency: 'EUR',
      min_amount: 1_000n,
      max_amount: 100_000n,
      fixed_charge: 150n,
      percent_charge_basis_points: 250,
      rate_millionths: 1_080_000n,
      form: JSON.stringify([{ name: 'iban', label: 'IBAN', type: 'text', is_required: true }]),
      sort: 2,
    })
    .execute()
})
afterEach(async () => {
  await app.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const save = (body: {
  amount: number | string
  method_id: number | string
  method_version?: number
  fields?: Record<string, string>
  client_request_id?: string
}) => app.call(calls.saveDeposit, { token, body })
const balance = async () => (await app.call(calls.profile, { token })).body.data.user.balance
const list = (query?: Record<string, string | number>) => app.call(calls.deposits, { token, ...(query && { query }) })

it('credits demo funds immediately through the ledger', async () => {
  const { status, body } = await save({ amount: 1234.56, method_id: DEMO_FUNDS })
  expect(status).toBe(200)
  expect(body.data.deposit).toMatchObject({ status: 1, amount: 1234.56, charge: 0, total: 1234.56, credited: 1234.56 })
  expect(body.data.deposit.trx).toMatch(/^FW(-[0-9A-Z]{5}){3}$/)
  expect(await balance()).toBe(1234.56)
  expect(app.ctx.announced.at(-1)).toMatchObject({ kind: 'balance-changed' })
  expect((await list()).body.data.deposits).toEqual([body.data.deposit])
})

it('keeps the ledger balanced when many deposits arrive together', async () => {
  const replies = await Promise.all(Array.from({ length: 12 }, () => save({ amount: '10.10', method_id: DEMO_FUNDS })))
  expect(replies.every(({ status }) => status === 200)).toBe(true)
  expect(await balance()).toBe(121.2)
  expect((await checkLedger(app.ctx.db)).mismatches).toEqual([])
  expect((await list()).body.data.deposits).toHaveLength(12)
})

it('refuses a deposit for an older version of its gateway than the current one, whose address the user did not see', async () => {
  const { gateways } = (await app.call(calls.depositGateways, { token })).body.data
  const shown = gateways.find(({ id }) => id === BY_HAND)?.version
  const request = {
    amount: 100,
    method_id: BY_HAND,
    fields: { IBAN: 'DE00 1234' },
    ...(shown && { method_version: shown }),
  }
  await app.ctx.db
    .updateTable('gateway')
    .set((eb) => ({ wallet_address: 'B', version: eb('version', '+', 1) }))
    .where('id', '=', BY_HAND)
    .execute()
  expect((await save(request)).body.code).toBe('gateway_changed')
  expect((await list()).body.data.deposits).toEqual([])
  expect((await save({ ...request, method_version: (shown ?? 0) + 1 })).status).toBe(200)
})

it('keeps the quote of a deposit that waits for approval, and credits nothing yet', async () => {
  const { body } = await save({ amount: 100, method_id: BY_HAND, fields: { IBAN: 'DE00 1234', Other: 'ignored' } })
  expect(body.data.deposit).toMatchObject({
    status: 2,
    currency: 'EUR',
    percent_charge: 2.5,
    fixed_charge: 1.5,
    charge: 4,
    total: 104,
    rate: 1.08,
    credited: 108,
  })
  expect(body.message).toBe('Your deposit is waiting for approval')
  expect(await balance()).toBe(0)
  const row = await app.ctx.db.selectFrom('deposit').select('fields').where('status', '=', 2).executeTakeFirstOrThrow()
  expect(row.fields).toEqual({ IBAN: 'DE00 1234' })
})

it('CA33: reads multipart forms as clients of the specification send them', async () => {
  const line = (name: string, value: string) =>
    `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = '--cut\r\nContent-Disposition: form-data; name="fields[Receipt]"; filename="a.png"\r\n\r\n\x89PNG\r\n'
  const { status, body } = await app.inject({
    method: 'POST',
    url: '/api/user/deposits/save',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=cut' },
    payload: `${line('amount', '25.5')}${line('method_id', String(BY_HAND))}${line('fields[IBAN]', 'DE1')}${file}--cut--\r\n`,
  })
  expect([status, body.message]).toEqual([200, 'Your deposit is waiting for approval'])
})

it.each([
  [{ amount: 9.99, method_id: DEMO_FUNDS }, 'below_minimum', 'amount', 'Minimum Amount is 10.00 USDT'],
  [{ amount: 50_000.01, method_id: DEMO_FUNDS }, 'above_maximum', 'amount', 'Maximum Amount is 50000.00 USDT'],
  [{ amount: 10.001, method_id: DEMO_FUNDS }, 'amount_invalid', 'amount', null],
  [{ amount: -10, method_id: DEMO_FUNDS }, 'amount_invalid', 'amount', null],
  [{ amount: '1e3', method_id: DEMO_FUNDS }, 'amount_invalid', 'amount', null],
  [{ amount: '+100', method_id: DEMO_FUNDS }, 'amount_invalid', 'amount', null],
  [{ amount: 1e300, method_id: DEMO_FUNDS }, 'amount_invalid', 'amount', null],
  [{ amount: '', method_id: DEMO_FUNDS }, 'bad_request', 'amount', 'Amount is Required'],
  [{ amount: 100, method_id: 99 }, 'gateway_unknown', 'method_id', null],
  [{ amount: 100, method_id: '1; drop table gateway' }, 'bad_request', 'method_id', 'Gateway is not valid'],
  [{ amount: 100, method_id: BY_HAND }, 'field_required', 'fields[IBAN]', 'IBAN is Required'],
  [{ amount: 100, method_id: BY_HAND, fields: { IBAN: '  ' } }, 'field_required', 'fields[IBAN]', 'IBAN is Required'],
])('VA14: refuses %j with %s', async (body, code, field, text) => {
  const reply = await save(body)
  expect([reply.status, reply.body.code]).toEqual([422, code])
  expect(reply.body.errors?.[field]).toHaveLength(1)
  if (text !== null) expect(reply.body.message).toBe(text)
  expect(await balance()).toBe(0)
})

it('refuses deposits while the feature is off', async () => {
  await app.ctx.db.updateTable('setting').set({ value: 'false' }).where('key', '=', 'deposits_open').execute()
  await app.stop()
  app = await createTestApp(database)
  expect((await save({ amount: 100, method_id: DEMO_FUNDS })).body.code).toBe('deposits_closed')
  expect((await app.call(calls.depositGateways, { token })).body.data.gateways).toEqual([])
})

describe('a proof of payment', () => {
  const send = (file: Buffer, name = 'receipt.png', requestId = '') =>
    app.inject({
      method: 'POST',
      url: '/api/user/deposits/save',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=cut' },
      payload: Buffer.concat([
        Buffer.from(
          [
            ...[
              ['amount', '100'],
              ['method_id', String(BANK)],
              ['fields[Name of the account holder]', 'Alice'],
              ...(requestId === '' ? [] : [['client_request_id', requestId]]),
            ].map(([field, value]) => `--cut\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`),
            `--cut\r\nContent-Disposition: form-data; name="fields[Receipt]"; filename="${name}"\r\n`,
            'Content-Type: image/png\r\n\r\n',
          ].join(''),
        ),
        file,
        Buffer.from('\r\n--cut--\r\n'),
      ]),
    })
  const pdf = Buffer.from('%PDF-1.7\n%%EOF\n')
  const stored = () => app.ctx.db.selectFrom('upload').select(['name', 'in_use']).execute()

  it('A19: is refused when another file arrives under the same request id', async () => {
    const sent = [pdf, Buffer.from('%PDF-1.7\n%%%%EOF\n'), pdf]
    const statuses: number[] = []
    for (const file of sent) statuses.push((await send(file, 'a.pdf', 'form-1')).status)
    expect(statuses).toEqual([200, 409, 200])
    expect(await stored()).toHaveLength(1)
  })

  it('belongs to the stored deposit', async () => {
    expect((await send(pdf, '../../etc/passwd')).status).toBe(200)
    const deposit = await app.ctx.db
      .selectFrom('deposit')
      .select(['fields', 'files'])
      .where('gateway_id', '=', BANK)
      .executeTakeFirstOrThrow()
    const [upload] = await stored()
    expect(upload?.in_use).toBe(true)
    expect(deposit).toEqual({
      fields: { 'Name of the account holder': 'Alice' },
      files: { Receipt: upload?.name },
    })
    expect(readFileSync(join(dataDir, 'uploads', upload?.name ?? '')).equals(pdf)).toBe(true)
  })

  it.each([
    ['of another kind', Buffer.from('<html>'), 'file_type', 'This type of file cannot be used'],
    ['that is damaged', Buffer.from('\xFF\xD8\xFFxxxxxxxx', 'latin1'), 'file_unreadable', 'The picture cannot be read'],
    ['that is too large', Buffer.alloc(MAX_UPLOAD_BYTES + 1), 'file_too_large', 'The file is larger than 8 MB.'],
  ])('refuses %s at its field and stores nothing', async (_, file, code, text) => {
    const { status, body } = await send(file)
    expect([status, body.code]).toEqual([422, code])
    expect(body.errors).toEqual({ 'fields[Receipt]': [expect.stringContaining(text)] })
    expect(await stored()).toEqual([])
    expect((await list()).body.data.deposits).toEqual([])
  })

  it('must be present and must be a file', async () => {
    const fields = { 'Name of the account holder': 'Alice' }
    const without = await save({ amount: 100, method_id: BANK, fields })
    expect([without.body.code, without.body.message]).toEqual(['field_required', 'Receipt is Required'])
    const text = await save({ amount: 100, method_id: BANK, fields: { ...fields, Receipt: 'x.png' } })
    expect(text.body.errors).toEqual({ 'fields[Receipt]': ['Receipt is Required'] })
    expect((await send(Buffer.alloc(0))).body.code).toBe('field_required')
  })
})

describe('bitcoin deposits', () => {
  const request = { amount: 0.5, method_id: BITCOIN, fields: { 'Transaction hash': '0xabc' } }
  const say = async (units: number) => {
    app.feed.tick(1, units, app.ctx.now())
    app.ctx.clock.advance(200)
    await vi.waitFor(() => expect(app.ticks.latest(1)?.price).toBe(units))
  }
  const rate = async () =>
    (await app.call(calls.depositGateways, { token })).body.data.gateways.find(({ id }) => id === BITCOIN)
      ?.single_currency.rate

  it('use the live price at the time of the request, and keep it when the price changes later', async () => {
    await app.startMarkets()
    await say(6_000_025)
    expect(await rate()).toBe(60_000.25)
    const { body } = await save(request)
    expect(body.data.deposit).toMatchObject({ rate: 60_000.25, amount: 0.5, credited: 30_000.12, currency: 'BTC' })
    await say(1_000)
    expect((await list()).body.data.deposits[0]).toMatchObject({ rate: 60_000.25, credited: 30_000.12 })
  })

  it('bitcoin deposits are refused when the symbol has no fresh price', async () => {
    expect((await save(request)).body.code).toBe('rate_unavailable')
    expect(await rate()).toBe(0)
    await app.startMarkets()
    await say(6_000_000)
    app.ctx.clock.advance(60_000)
    const late = await save(request)
    expect([late.status, late.body.code]).toEqual([422, 'rate_unavailable'])
    expect((await list()).body.data.deposits).toEqual([])
  })
})

describe('AT10: a repeated request', () => {
  const request = { amount: 100, method_id: DEMO_FUNDS, client_request_id: 'form-1' }

  it('creates one deposit, even when both requests are concurrent', async () => {
    const replies = await Promise.all([save(request), save(request), save(request)])
    const [first] = replies
    for (const { status, body } of replies) expect([status, body.data]).toEqual([200, first?.body.data])
    expect(await balance()).toBe(100)
  })

  it('with other content is refused, but another user may use the same id', async () => {
    await save(request)
    expect(await save({ ...request, amount: 200 })).toMatchObject({ status: 409, body: { code: 'deposit_conflict' } })
    const bob = await app.verifiedUser('bob')
    expect((await app.call(calls.saveDeposit, { token: bob.token, body: request })).status).toBe(200)
  })
})

describe('a repeated request with other form fields', () => {
  const request = { amount: 100, method_id: BY_HAND, client_request_id: 'form-1' }

  it.each([{ IBAN: 'DE00 9999' }, { IBAN: 'DE00 1234', Note: 'mine' }, {}])(
    'A19: is refused with fields %j',
    async (fields) => {
      const first = await save({ ...request, fields: { IBAN: 'DE00 1234' } })
      expect(await save({ ...request, fields })).toMatchObject({ status: 409, body: { code: 'deposit_conflict' } })
      expect((await save({ ...request, fields: { IBAN: ' DE00 1234', Note: '' } })).body.data).toEqual(first.body.data)
      expect((await list()).body.data.deposits).toEqual([first.body.data.deposit])
    },
  )
})

describe('the list', () => {
  it('CA29: returns pages of the requested size', async () => {
    for (let turn = 1; turn <= 5; turn += 1) {
      app.ctx.clock.advance(1_000)
      await save({ amount: turn * 10, method_id: DEMO_FUNDS })
    }
    const first = await list({ page: 1, per_page: 4 })
    expect(first.body.meta).toEqual({ page: 1, per_page: 4, total: 5, pages: 2 })
    expect(first.body.data.deposits.map(({ amount }) => amount)).toEqual([50, 40, 30, 20])
    const second = await list({ page: 2, per_page: 4 })
    expect(second.body.data.deposits.map(({ amount }) => amount)).toEqual([10])
    expect((await list({ page: 99, per_page: 4 })).body.data.deposits).toEqual([])
    expect((await list({ page: 1, per_page: 1e9 })).body.meta?.per_page).toBe(200)
    expect((await list()).body.meta).toBeUndefined()
  })

  it.each([{ page: 0 }, { page: -1 }, { page: 'x' }, { page: 1.5 }, { page: 1, per_page: 0 }, { page: '1 or 1=1' }])(
    'refuses %j',
    async (query) => {
      const { status, body } = await list(query)
      expect([status, body.code]).toEqual([422, 'bad_request'])
    },
  )

  it('shows users only their own deposits', async () => {
    await save({ amount: 100, method_id: DEMO_FUNDS })
    const bob = await app.verifiedUser('bob')
    const { body } = await app.call(calls.deposits, { token: bob.token, query: { userId: 'alice' } })
    expect(body.data.deposits).toEqual([])
  })
})
