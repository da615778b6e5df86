import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert } from '#core/result.ts'
import { newestPushKey } from '#server/users/push/push-keys.queries.ts'
import { saveSubscription } from '#server/users/push/push-subscriptions.queries.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { createSoftPasskey, PASSKEY_SITE } from '#test/support/soft-passkey.ts'
import { TEST_PASSWORD, type TestUser } from '#test/support/test-app.ts'
import { makeTestKey } from '#test/support/test-keys.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BANK = 101
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice Ames-Owner', Bank: 'First', 'Account number or IBAN': 'DE00 1234 5678' }

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let alice: TestUser
let mallory: TestUser
let orderId: string
let trx: string
let withdrawalTrx: string
let depositTrx: string
let adjustmentTrx: string
let passkeyId: string
let sessionId: string
let exportId: string
let ticketNo: string
let keyId: string
let alertId: string
let deviceId: string
beforeAll(async () => {
  bench = await openAttackBench(database)
  alice = await bench.funded(1_000, 'alice')
  mallory = await bench.funded(1_000, 'mallory')
  await bench.priced(9_400_000)
  const client = await bench.connect()
  const data = { type: 'buy', tradeSettingId: 1, amount: 100, symbol: 'BTC', clientOrderId: 'of-alice' }
  client.send({ action: 'newTrade', token: alice.token, data })
  await bench.until(() => client.answers('newTrade').length === 1)
  ;({ id: orderId, trx } = await bench.app.ctx.db
    .selectFrom('open_order')
    .select(['id', 'trx'])
    .executeTakeFirstOrThrow())
  const as = { token: alice.token }
  await bench.app.setPin(alice.token, PIN, { 101: DETAILS })
  const withdrawal = await bench.app.call(calls.saveWithdrawal, {
    ...as,
    body: { amount: 100, method_id: BANK, withdrawal_code: PIN, fields: DETAILS },
  })
  withdrawalTrx = withdrawal.body.data.withdrawal.trx
  const deposits = await bench.app.call(calls.deposits, as)
  depositTrx = deposits.body.data.deposits[0]?.trx ?? ''
  await bench.app.call(calls.saveWithdrawMethod, {
    ...as,
    body: { withdraw_method_id: BANK, withdrawal_information: DETAILS },
  })
  adjustmentTrx = await announceAdjustment()
  keyId = (await makeTestKey(bench.app, alice)).id
  // Both have just confirmed their identity, so no refusal below is due to a missing confirmation.
  for (const { token } of [alice, mallory])
    await bench.app.call(calls.securityConfirm, { token, body: { password: TEST_PASSWORD } })
  const page = { origin: PASSKEY_SITE, host: 'localhost:3000' }
  const task = await bench.app.call(calls.securityPasskeyTask, { ...as, headers: page, body: { use: 'add' } })
  const { ticket, options } = task.body.data
  const passkey = { ticket, response: createSoftPasskey().make(options), name: 'Phone of Alice' }
  await bench.app.call(calls.addPasskey, { ...as, headers: page, body: passkey })
  const { passkeys, sessions } = (await bench.app.call(calls.security, as)).body.data
  ;[{ id: passkeyId } = { id: '' }] = passkeys
  ;[{ id: sessionId } = { id: '' }] = sessions
  const alert = { symbol: 'BTC', kind: 'move' as const, percent: 10 }
  alertId = (await bench.app.call(calls.setAlert, { ...as, body: alert })).body.data.alert.id
  exportId = (await bench.app.call(calls.requestDataExport, as)).body.data.export.id
  deviceId = await addDevice()
  const words = 'Ames-Owner finds that something is wrong.'
  const ticketBody = { about_kind: 'account', topic: 'else', words, request_id: 'own' } as const
  ticketNo = (await bench.app.call(calls.openTicket, { ...as, body: ticketBody })).body.data.ticket.no
})
afterAll(async () => {
  await bench.close()
})

/** Subscribes a device of Alice to notices, and returns its id. */
async function addDevice(): Promise<string> {
  const { ctx } = bench.app
  const sessions = ctx.db.selectFrom('session').select('token_hash').where('user_id', '=', alice.id)
  const { token_hash: sessionHash } = await sessions.executeTakeFirstOrThrow()
  const { id: keyId } = await newestPushKey(ctx)
  const address = { endpoint: 'https://fcm.googleapis.com/x', p256dh: 'x', auth: 'x' }
  await saveSubscription(ctx, { userId: alice.id, sessionHash, keyId, address, zone: 'UTC' })
  const device = await ctx.db.selectFrom('push_subscription').select('id').executeTakeFirstOrThrow()
  return device.id
}

/** Announces to Alice that a part of her deposit will be taken back. Returns the reference. */
async function announceAdjustment(): Promise<string> {
  const { db } = bench.app.ctx
  const { trx: link } = await db
    .selectFrom('deposit')
    .select('trx')
    .where('user_id', '=', alice.id)
    .executeTakeFirstOrThrow()
  const request = { user_id: alice.id, kind: 'deposit_reversed', link, amount: 1, reason: 'x', message: 'y' } as const
  const requested = await (await bench.app.staff('finance')).call(staffCalls.staffRequestCorrection, { body: request })
  const params = { id: requested.body.data.id }
  const owner = await bench.app.staff('owner')
  const { content_hash, trx: reference } = (await owner.call(staffCalls.staffCorrection, { params })).body.data
  await owner.call(staffCalls.staffApproveCorrection, { params, body: { content_hash } })
  return reference
}

/** Every address of the app that names an object, with the name of Alice's object. */
const NAMED: Readonly<Record<string, (() => string) | 'public' | 'reference'>> = {
  '/user/trade/:id': () => orderId,
  '/user/trade/:id/ticks': () => orderId,
  '/user/trade/:id/sale': () => orderId,
  '/user/trade/:id/sell': () => orderId,
  '/user/deposits/:trx/requote': () => depositTrx,
  '/user/deposits/:trx/close': () => depositTrx,
  '/user/withdrawals/:trx/cancel': () => withdrawalTrx,
  '/user/adjustments/:trx/dispute': () => adjustmentTrx,
  // The address is public, because a receipt names no user and no stake.
  '/proof/receipts/:trx': 'public',
  // The token itself gives access: only a mail to the user contains it.
  '/notices/unsubscribe/:token': 'public',
  '/recovery/stop/:token': 'public',
  '/recovery/:token': 'public',
  '/proof/receipts/:trx/register': 'public',
  '/proof/register/batches/:index': 'public',
  // Public, but without the amount and the destination, which only the user gets.
  '/proof/money/:trx': 'public',
  '/proof/evidence/:trx': 'public',
  '/proof/sources/:number': 'public',
  '/candles/:product/:interval/:page': 'public',
  '/user/pages/:slug': 'public',
  '/user/posts/:slug': 'public',
  '/user/texts/:language': 'public',
  '/user/terms/:version': 'public',
  '/user/alerts/:id': () => alertId,
  '/user/alerts/:id/end': () => alertId,
  '/user/alerts/:id/again': () => alertId,
  '/user/data/export/:id': () => exportId,
  '/user/security/passkeys/:id/rename': () => passkeyId,
  '/user/security/passkeys/:id/remove': () => passkeyId,
  '/user/security/sessions/:id/end': () => sessionId,
  '/user/keys/:id/end': () => keyId,
  '/user/tickets/:no': () => ticketNo,
  '/user/tickets/:no/messages': () => ticketNo,
  '/user/tickets/:no/close': () => ticketNo,
  '/user/push/subscriptions/:id': () => deviceId,
  '/user/push/subscriptions/:id/remove': () => deviceId,
  '/user/push/subscriptions/:id/test': () => deviceId,
  // The address names a symbol. The reply contains only the caller's own drawings.
  '/user/drawings/:product': 'reference',
  // The address names a method of the site. The reply contains only the caller's saved details.
  '/user/withdrawals/user-withdrawals/:id': 'reference',
}

/** The fields of valid request bodies for all calls that name an object. */
const OF_OTHERS = {
  name: 'mine now',
  least: 1,
  clientSaleId: 'mine-now',
  version: 1,
  kind: 'move',
  percent: 1,
  amounts: true,
  quiet: null,
  zone: 'UTC',
  words: 'mine now',
  request_id: 'mine-now',
}

describe('AT28: objects of other users', () => {
  it('objects of a user appear only in the listed addresses', () => {
    const named = Object.values<Call>(calls).filter(({ path }) => path.includes(':'))
    expect([...new Set(named.map(({ path }) => path))].toSorted()).toEqual(Object.keys(NAMED).toSorted())
  })

  const ask = (call: Call, id: string, token: string) =>
    bench.app.inject({
      method: call.method,
      url: `/api${call.path.replace(/:\w+/, encodeURIComponent(id))}`,
      headers: { authorization: `Bearer ${token}` },
      ...(call.method === 'POST' && { payload: OF_OTHERS }),
    })

  it('an object of one user looks to other users exactly like an object that does not exist', async () => {
    for (const call of Object.values<Call>(calls)) {
      const id = NAMED[call.path]
      if (typeof id !== 'function') continue
      const missing = await ask(call, randomUUID(), mallory.token)
      expect(missing.status, call.path).toBe(404)
      for (const text of [id(), id().toUpperCase()]) {
        const theirs = await ask(call, text, mallory.token)
        expect([theirs.status, theirs.body], call.path).toEqual([404, missing.body])
      }
      // Neither the reference of Alice's order, which is another valid name, nor a similar id that does not exist is
      // found.
      for (const text of [trx, orderId.replace(/.$/, (end) => (end === '0' ? '1' : '0'))])
        expect([404, 422], call.path).toContain((await ask(call, text, mallory.token)).status)
    }
    expect((await ask(calls.ownTrade, orderId, alice.token)).status).toBe(200)
    const { passkeys, sessions } = (await bench.app.call(calls.security, { token: alice.token })).body.data
    expect([passkeys.map(({ name }) => name), sessions.map(({ id }) => id)]).toEqual([['Phone of Alice'], [sessionId]])
    const { withdrawing } = await bench.moneyOf(alice)
    expect(withdrawing).toBe(100)
  })

  it('objects of other users appear in no list, whatever user the caller claims to be', async () => {
    const lists = [
      calls.recentTrades,
      calls.deposits,
      calls.withdrawals,
      calls.closedTransactions,
      calls.pendingTransactions,
      calls.withdrawMethods,
      calls.adjustments,
      calls.tickets,
    ]
    for (const { path } of lists)
      for (const filter of ['userId', 'user_id', 'user', 'uid', 'owner', 'filter[user_id]']) {
        const { body } = await bench.app.inject({
          url: `/api${path}?${encodeURIComponent(filter)}=${alice.id}`,
          headers: { authorization: `Bearer ${mallory.token}` },
        })
        const text = JSON.stringify(body)
        for (const secret of [alice.id, orderId, trx, withdrawalTrx, adjustmentTrx, 'Ames-Owner', 'DE00 1234'])
          expect(text, path).not.toContain(secret)
      }
  })

  it('payment details stay hidden from another user of the same withdrawal method', async () => {
    const call = calls.withdrawMethod
    const { body } = await ask(call, String(BANK), mallory.token)
    expect(JSON.stringify(body)).not.toContain('Ames-Owner')
    for (const id of [BANK - 1, BANK + 1_000, -1, 0])
      expect([404, 422]).toContain((await ask(call, String(id), mallory.token)).status)
  })

  it('a public receipt contains neither the user nor the stake', async () => {
    const { body } = await bench.app.inject({ url: `/api/proof/receipts/${trx}` })
    const text = JSON.stringify(body)
    for (const secret of [alice.id, 'alice', '"stake"']) expect(text).not.toContain(secret)
  })
})

it('AT30: a profile accepts only its own fields', async () => {
  const before = await bench.app.ctx.db
    .selectFrom('app_user')
    .selectAll()
    .where('id', '=', mallory.id)
    .executeTakeFirstOrThrow()
  const wishes = {
    isAdmin: true,
    role: 'owner',
    kycStatus: 'approved',
    balance: 1e9,
    verified: true,
    emailVerified: true,
    ev: true,
    email: 'x@evil.com',
    id: alice.id,
    user_id: alice.id,
    trade_allowed: true,
    max_stake: null,
    points: 1e9,
    blocked: false,
    password_hash: 'x',
    created_ms: 0,
  }
  await bench.app.confirm(mallory.token)
  const profile = { username: 'mallory', country_code: 'DE', mobile: '15551234567', firstname: 'Mal' }
  const { status } = await bench.app.inject({
    method: 'POST',
    url: '/api/user/profile',
    headers: { authorization: `Bearer ${mallory.token}` },
    payload: { ...wishes, ...profile },
  })
  expect(status).toBe(200)
  const after = await bench.app.ctx.db
    .selectFrom('app_user')
    .selectAll()
    .where('id', '=', mallory.id)
    .executeTakeFirstOrThrow()
  const changed = Object.keys(after).filter((key) => Reflect.get(after, key) !== Reflect.get(before, key))
  expect(
    changed.filter(
      (key) =>
        ![
          'username',
          'country_code',
          'mobile',
          'mobile_code',
          'security_changed_ms',
          'address',
          'first_name',
          'last_name',
          'firstname',
          'lastname',
        ].includes(key),
    ),
  ).toEqual([])
  expect((await bench.moneyOf(mallory)).balance).toBe(1_000)
})

describe('AT41: the back office', () => {
  it('the back office stays hidden from users, at existing and guessed addresses', async () => {
    // The page at /admin is public and contains only the log-in. This test requests the addresses behind it.
    const guesses = [
      '/api/admin',
      '/api/admin/',
      '/api/admin/debug',
      '/api/internal',
      '/api/user/admin',
      '/api/admin/prices',
      '/api/admin/users/../staff',
      '/api//admin/staff',
      '/api/admin%2fstaff',
      '/API/ADMIN/STAFF',
    ]
    for (const url of guesses) {
      const { status, body } = await bench.app.inject({
        url,
        headers: { authorization: `Bearer ${alice.token}`, accept: 'application/json' },
      })
      // An address that matches another call is refused like that call.
      expect([401, 404, 422], url).toContain(status)
      expect(body.data).toBeUndefined()
    }
  })

  it('the back office applies a removed role immediately, in the middle of a session', async () => {
    const owner = await bench.app.staff('owner')
    const finance = await bench.app.staff('finance')
    expect((await finance.call(staffCalls.staffDeposits)).status).toBe(200)
    expect((await finance.call(staffCalls.staffMembers)).status).toBe(403)
    const { rows } = (await owner.call(staffCalls.staffMembers)).body.data
    const person = rows.find(({ name }) => name === 'finance')
    assert(person, 'finance is listed')
    const changed = await owner.call(staffCalls.staffChangeMember, {
      params: { id: person.id },
      body: { version: person.version, role: 'content', is_blocked: false, reason: 'another desk' },
    })
    expect(changed.status).toBe(200)
    expect((await finance.call(staffCalls.staffDeposits)).status).toBe(403)
  })
})
