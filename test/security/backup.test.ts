import { afterAll, beforeAll, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { type AttackBench, openAttackBench, type RawClient } from '#test/security/attack-harness.ts'
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { stepBody } from '#test/support/pay-withdrawal.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestUser } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'

const DEMO_FUNDS = 1
const BANK = 101
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
const DEPOSIT = { amount: 500, method_id: DEMO_FUNDS, client_request_id: 'deposit-1' }
/** The request of a withdrawal whose amount needs two approvals. */
const WITHDRAWAL = {
  amount: 2_000,
  method_id: BANK,
  withdrawal_code: PIN,
  fields: DETAILS,
  client_request_id: 'withdrawal-1',
}

let database: TestDatabase
let restored: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  await restored.close()
  await database.close()
})

async function order(bench: AttackBench, client: RawClient, token: string, clientOrderId: string): Promise<string> {
  await bench.priced(9_400_000)
  const data = { type: 'buy', tradeSettingId: 1, amount: 100, symbol: 'BTC', clientOrderId }
  const before = client.answers('newTrade').length
  client.send({ action: 'newTrade', token, data })
  await bench.until(() => client.answers('newTrade').length > before)
  const answer = client.answers('newTrade').at(-1)
  assert(answer, 'the order is answered')
  return (answer['data'] as { id: string }).id
}

const ask = async ({ app }: AttackBench, { token }: TestUser) => ({
  deposit: (await app.call(calls.saveDeposit, { token, body: DEPOSIT })).body.data.deposit.trx,
  withdrawal: (await app.call(calls.saveWithdrawal, { token, body: WITHDRAWAL })).body.data.withdrawal.trx,
})

async function approve(who: StaffSession, trx: string) {
  const body = await stepBody(who, trx)
  return (await who.call(staffCalls.staffApproveWithdrawal, { params: { trx }, body })).body.data.outcome
}

const transfers = ({ db }: TestDatabase) =>
  db.selectFrom('transfer').select(['ref', 'step']).orderBy('ref').orderBy('step').execute()
const messages = ({ db }: TestDatabase) => db.selectFrom('outbox_message').select('id').execute()

it('AT50: on an old backup no session works, nothing is paid or sent twice, and client ids stay valid', async () => {
  // The day before the backup: a settled order, an open one, and a withdrawal with its first approval.
  const before = await openAttackBench(database)
  const alice = await before.funded(5_000, 'alice')
  await before.app.setPin(alice.token, PIN, { 101: DETAILS })
  const finance = await before.app.staff('finance')
  const trx = await ask(before, alice)
  expect(await approve(finance, trx.withdrawal)).toBe('first_approval')
  const client = await before.connect()
  client.send({ action: 'subscribe', token: alice.token })
  const settledOrder = await order(before, client, alice.token, 'ended')
  before.app.ctx.clock.advance(58_000)
  await before.priced(9_500_000)
  before.app.ctx.clock.advance(2_500)
  await before.priced(9_300_000)
  await before.until(() => client.answers('tradeResult').length === 1)
  const open = await order(before, client, alice.token, 'open')
  const money = await before.moneyOf(alice)
  const passed = before.app.ctx.now() - TEST_START
  await before.close()
  const storedState = { transfers: await transfers(database), messages: await messages(database) }

  restored = await database.copied()
  const operator = await createTestApp(restored)
  const said = await runCommand({ ...operator, dataDir: 'nowhere' }, ['backup', 'restored'], 'operator')
  const reason = 'The newest entries of the register are in no copy.'
  await runCommand({ ...operator, dataDir: 'nowhere' }, ['register', 'begin-again', '--reason', reason], 'operator')
  expect(said).toMatchObject({ exitCode: 0 })
  expect(said.lines.join('\n')).toContain(trx.withdrawal)
  await operator.stop()

  const bench = await openAttackBench(restored)
  try {
    const { app } = bench
    // Test ids are numbered from one in each context, so the ids that the database already has are skipped.
    for (let drawn = 0; drawn < 1_000; drawn += 1) app.ctx.newId()
    app.ctx.clock.advance(passed + SECOND_MS)
    expect((await app.call(calls.profile, { token: alice.token })).status).toBe(401)
    const cookie = { cookie: finance.cookie }
    expect((await app.inject({ url: '/api/admin/deposits', headers: cookie })).status).toBe(401)
    expect(await messages(restored)).toEqual(storedState.messages)
    expect(await transfers(restored)).toEqual(storedState.transfers)

    const again = await app.signIn(alice.username, alice.password)
    expect(await bench.moneyOf(again)).toEqual(money)
    expect(await ask(bench, again)).toEqual(trx)
    const back = await bench.connect()
    back.send({ action: 'subscribe', token: again.token })
    await bench.until(() => back.answers('tradeResult').length === 1)
    expect(back.answers('tradeResult')[0]).toEqual(client.answers('tradeResult')[0])
    expect(await order(bench, back, again.token, 'ended')).toBe(settledOrder)
    expect(await order(bench, back, again.token, 'open')).toBe(open)
    expect(await transfers(restored)).toEqual(storedState.transfers)

    // The price at the expiry of the open order was missed, so its stake is returned once. No socket stays open this
    // long without a heartbeat.
    app.ctx.clock.advance(5 * MINUTE_MS)
    const late = await bench.connect()
    late.send({ action: 'subscribe', token: again.token })
    const isVoid = () => late.answers('tradeResult').some(({ data }) => (data as { id: string }).id === open)
    await bench.until(isVoid)
    expect(late.answers('tradeResult').at(-1)).toMatchObject({ data: { id: open, result: 3 } })
    expect(await bench.moneyOf(again)).toEqual({ ...money, balance: money.balance + 100, staked: 0 })

    const [one, two] = [await app.staff('finance'), await app.staff('finance2')]
    expect(await approve(one, trx.withdrawal)).toBe('first_approval')
    expect(await approve(two, trx.withdrawal)).toBe('approved')
    await bench.expectSoundBooks()
    expect((await verifyTickChain(restored.db)).ok).toBe(true)
  } finally {
    await bench.close()
  }
})
