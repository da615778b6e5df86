import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FOUND_KINDS } from '#contract/back-office/find.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { ROLES, isAllowed, type Permission } from '#core/staff/permissions.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { waitUntilLogged } from '#test/support/wait-until-logged.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const find = async (q: string, role = 'owner') =>
  (await (await app.staff(role)).call(staffCalls.staffFind, { query: { q } })).body.data.groups
const found = async (q: string, role?: string) =>
  (await find(q, role)).flatMap(({ kind, items }) => items.map(({ title }) => `${kind} ${title}`))
const foundUsers = async (q: string) => (await found(q)).filter((one) => one.startsWith('user '))

it.each([
  ['ali', 'alice'],
  ['LIC', 'alice'],
  ['lice@exam', 'alice'],
  ['a & b', 'alice'],
  ['4567', 'alice'],
  ['555 123', 'alice'],
])('F65: finds a user by %s', async (q, name) => {
  const values = { firstname: 'Anna & B.', lastname: 'A & Borg' }
  await app.ctx.db.updateTable('app_user').set(values).where('id', '=', alice.id).execute()
  expect(await foundUsers(q)).toEqual([`user ${name}`])
})

it.each(['li', '%', '_lice', '%%%', String.raw`a\lice`, "x' or 1=1 --", '45', '🙂🙂🙂'])(
  'finds no user by %s',
  async (q) => {
    expect(await foundUsers(q)).toEqual([])
  },
)

it('finds an order, a deposit and a withdrawal by reference, and a deposit by the end of its reference', async () => {
  await app.startMarkets()
  app.feed.tick(BTC.id, 9_400_000, app.ctx.now())
  app.ctx.clock.advance(100)
  await waitUntilLogged(app, [BTC])
  const deposit = (await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: 1 } })).body
    .data.deposit
  const placed = await app.engine.place(orderRequest(alice.id, 'one'))
  if (!placed.ok) throw new Error(placed.refusal)
  const { trx } = await database.db.selectFrom('open_order').select('trx').executeTakeFirstOrThrow()
  expect(await found(trx)).toEqual(['user alice', `order ${trx}`])
  for (const typed of [trx.toLowerCase().slice(0, -2), trx.replaceAll('-', ''), trx.replaceAll('-', ' ')])
    expect(await found(typed), typed).toEqual(['user alice', `order ${trx}`])
  expect(await found(deposit.trx)).toEqual(['user alice', `deposit ${deposit.trx}`])
  expect(await found(deposit.trx.slice(-5).toLowerCase())).toEqual([`deposit ${deposit.trx}`])
  expect(await found('FW-%')).toEqual([])
})

it('finds a symbol by a part of its code or name', async () => {
  expect(await found('bitco')).toEqual(['symbol BTC'])
})

const MAY: Readonly<Record<(typeof FOUND_KINDS)[number], Permission>> = {
  user: 'users.see',
  order: 'orders.see',
  deposit: 'deposits.see',
  withdrawal: 'withdrawals.see',
  ticket: 'tickets.see',
  symbol: 'markets.see',
}

it('returns to each role only the kinds that the role may see', async () => {
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: 1 } })
  for (const role of ROLES.filter((one) => one !== 'compliance')) {
    for (const q of ['alice', 'FW-', 'bitco']) {
      for (const { kind } of await find(q, role)) expect(isAllowed(role, MAY[kind]), `${role} ${kind}`).toBe(true)
    }
  }
  expect(await found('alice', 'content')).toEqual([])
  expect(await found('alice', 'markets')).toEqual([])
})

it('refuses texts that are empty or too long', async () => {
  const owner = await app.staff('owner')
  for (const q of ['', '   ', 'a'.repeat(201), 'a\u0000b'])
    expect((await owner.call(staffCalls.staffFind, { query: { q } })).status).toBe(422)
})
