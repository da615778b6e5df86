import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { type Hit, sendAtOnce, type Shot } from '#test/security/at-once.ts'
import { recordArrived } from '#test/support/arrived-deposit.ts'
import { lookAt } from '#test/support/pay-withdrawal.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/** How often each race is repeated. `npm run drill -- race-conditions` sets 200. */
const REPEATS = Number(process.env['RACE_REPEATS'] ?? 1)
const DEMO_FUNDS = 1
const BANK = 101
const BY_HAND = 90
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let finance: StaffSession
let finance2: StaffSession
let support: StaffSession
beforeAll(async () => {
  bench = await openAttackBench(database)
  await database.db
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
  finance = await bench.app.staff('finance')
  finance2 = await bench.app.staff('finance2')
  support = await bench.app.staff('support')
})
afterAll(async () => {
  await bench.expectSoundBooks()
  await bench.close()
})

/** Repeats a run as often as configured, each time with a new user. */
async function repeated(run: (alice: TestUser, turn: number) => Promise<void>): Promise<void> {
  for (let turn = 0; turn < REPEATS; turn += 1) await run(await bench.funded(1_000), turn)
  await bench.expectSoundBooks()
}

const times = (count: number, shot: Shot): Shot[] => Array.from({ length: count }, () => shot)
/** Calls `shoot` for each request, so that no request is a repetition of another one. */
const different = (count: number, shoot: () => Shot): Shot[] => Array.from({ length: count }, () => shoot())
const send = (shots: readonly Shot[]) => sendAtOnce(bench.port, shots)
const won = (hits: readonly Hit[]) => hits.filter(({ status }) => status === 200)
const codes = (hits: readonly Hit[]) => new Set(hits.flatMap(({ body }) => body.code ?? []))
const as = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` })
const post = (who: TestUser, path: string, body: unknown): Shot => ({ method: 'POST', path, headers: as(who), body })

async function withPin(alice: TestUser): Promise<void> {
  await bench.app.setPin(alice.token, PIN, { 101: DETAILS })
}

function withdrawal(alice: TestUser, amount: number): Shot {
  return post(alice, calls.saveWithdrawal.path, { amount, method_id: BANK, withdrawal_code: PIN, fields: DETAILS })
}

/** Prepares orders that one socket sends together on `fire`, which returns the reply to each order. */
async function loadedOrders(alice: TestUser, count: number, amount: number) {
  const client = await bench.connect()
  await bench.priced(9_400_000)
  const fire = async (): Promise<string[]> => {
    const before = client.answers('newTrade').length
    for (let nth = 0; nth < count; nth += 1) {
      const data = { type: 'buy', tradeSettingId: 1, amount, symbol: 'BTC', marketType: 'crypto' }
      client.send({ action: 'newTrade', token: alice.token, data })
    }
    await bench.until(() => client.answers('newTrade').length === before + count)
    return client
      .answers('newTrade')
      .slice(before)
      .map(({ code }) => code ?? 'taken')
  }
  return { fire, close: () => client.ws.terminate() }
}

describe('AT8: fifty withdrawals of the whole balance', () => {
  it('fifty withdrawals of the whole balance at the same instant are accepted once', () =>
    repeated(async (alice) => {
      await withPin(alice)
      const hits = await send(times(50, withdrawal(alice, 1_000)))
      expect(won(hits)).toHaveLength(1)
      expect(codes(hits)).toEqual(new Set(['insufficient_balance']))
      expect(await bench.moneyOf(alice)).toEqual({ balance: 0, staked: 0, withdrawing: 1_000 })
    }))
})

describe('AT9: at the same instant', () => {
  it('exactly one of ten orders and ten withdrawals of the same money is accepted', () =>
    repeated(async (alice, turn) => {
      await withPin(alice)
      const orders = await loadedOrders(alice, 10, 1_000)
      const withdrawals = () => send(times(10, withdrawal(alice, 1_000)))
      // Orders and withdrawals alternate in going first.
      const both = turn % 2 === 0 ? [orders.fire(), withdrawals()] : [withdrawals(), orders.fire()]
      const replies = (await Promise.all(both)).flat()
      const acceptedReplies = replies.filter(
        (one) => one === 'taken' || (typeof one !== 'string' && one.status === 200),
      )
      expect(acceptedReplies).toHaveLength(1)
      const { balance, staked, withdrawing } = await bench.moneyOf(alice)
      expect([balance, staked + withdrawing]).toEqual([0, 1_000])
      orders.close()
    }))

  it('twenty orders and a block of the account: none is accepted after the block', () =>
    repeated(async (alice, turn) => {
      const orders = await loadedOrders(alice, 20, 10)
      const stop = () =>
        send([
          {
            method: 'POST',
            path: staffCalls.staffSetTradingAllowed.path.replace(':id', alice.id),
            headers: { cookie: support.cookie },
            body: { version: 1, on: false, reason: 'stopped' },
          },
        ])
      const both = turn % 2 === 0 ? [orders.fire(), stop()] : [stop(), orders.fire()]
      const replies = (await Promise.all(both)).flat()
      expect(replies.filter((one) => typeof one !== 'string').map(({ status }) => status)).toEqual([200])
      expect(new Set(await orders.fire())).toEqual(new Set(['trade_off']))
      const acceptedCount = replies.filter((one) => one === 'taken').length
      expect(await bench.moneyOf(alice)).toEqual({
        balance: 1_000 - 10 * acceptedCount,
        staked: 10 * acceptedCount,
        withdrawing: 0,
      })
      orders.close()
    }))
})

describe('AT10: thirty requests at the same instant', () => {
  it('thirty simultaneous requests for a bonus pay it once', () =>
    repeated(async (alice) => {
      const shot: Shot = { method: 'GET', path: calls.tasks.path, headers: as(alice) }
      expect(won(await send(times(30, shot)))).toHaveLength(30)
      const paid = await database.db
        .selectFrom('transfer')
        .select('step')
        .where('user_id', '=', alice.id)
        .where('step', 'like', 'task:%')
        .execute()
      expect(paid.map(({ step }) => step).toSorted()).toEqual(['task:deposit', 'task:verify'])
    }))

  it('thirty simultaneous requests for one deposit create it once, with thirty equal replies', () =>
    repeated(async (alice) => {
      const body = { amount: 100, method_id: DEMO_FUNDS, client_request_id: 'form-1' }
      const hits = await send(times(30, post(alice, calls.saveDeposit.path, body)))
      expect(new Set(hits.map(({ status, body: { data } }) => `${status} ${JSON.stringify(data)}`)).size).toBe(1)
      expect((await bench.moneyOf(alice)).balance).toBe(1_100)
    }))

  it('thirty simultaneous approvals of one deposit credit it once', () =>
    repeated(async (alice) => {
      const reply = await bench.app.call(calls.saveDeposit, {
        token: alice.token,
        body: { method_id: BY_HAND, amount: 100 },
      })
      const { trx } = reply.body.data.deposit
      expect(await recordArrived(bench.app, finance, { trx })).toBeNull()
      const { content_hash } = (await finance.call(staffCalls.staffDeposit, { params: { trx } })).body.data
      const path = staffCalls.staffApproveDeposit.path.replace(':trx', trx)
      const hits = await send([
        ...times(15, staffShot(finance, path, { content_hash })),
        ...times(15, staffShot(finance2, path, { content_hash })),
      ])
      expect(won(hits)).toHaveLength(1)
      expect(codes(hits)).toEqual(new Set(['already_decided']))
      expect((await bench.moneyOf(alice)).balance).toBe(1_100)
    }))
})

function staffShot({ cookie }: StaffSession, path: string, body: unknown): Shot {
  return { method: 'POST', path, headers: { cookie }, body }
}

describe('AT42: concurrent staff actions', () => {
  /** Requests a withdrawal and prepares the possible decisions. */
  async function pending(alice: TestUser, amount = 100) {
    await withPin(alice)
    const [reply] = await send([withdrawal(alice, amount)])
    assert(reply?.body.data, 'the withdrawal is asked for')
    const { trx } = reply.body.data['withdrawal'] as { trx: string }
    const { content_hash } = await lookAt(finance, trx)
    const on = (path: string) => path.replace(':trx', trx)
    const step = (who: StaffSession, path: string, body: object) => () =>
      staffShot(who, on(path), { content_hash, request_id: randomUUID(), ...body })
    return {
      trx,
      step,
      approve: (who: StaffSession) => step(who, staffCalls.staffApproveWithdrawal.path, { reason: 'looked at' }),
      reject: (who: StaffSession) =>
        step(who, staffCalls.staffRejectWithdrawal.path, { words: 'closed', reason_code: 'legal' }),
      cancel: post(alice, on(calls.cancelWithdrawal.path), {}),
    }
  }

  it('thirty parallel approvals, payment starts and payments pay one withdrawal only once', () =>
    repeated(async (alice) => {
      const { trx, step, approve } = await pending(alice)
      const approvals = await send([...different(15, approve(finance)), ...different(15, approve(finance2))])
      expect(won(approvals)).toHaveLength(1)
      expect(codes(approvals)).toEqual(new Set(['already_decided']))
      const approved = { content_hash: (await lookAt(finance, trx)).content_hash }
      const begin = (who: StaffSession) => step(who, staffCalls.staffStartPaying.path, approved)
      expect(won(await send([...different(15, begin(finance)), ...different(15, begin(finance2))]))).toHaveLength(1)
      const paying = { content_hash: (await lookAt(finance, trx)).content_hash, reference: `ref ${trx}` }
      const pay = (who: StaffSession) => step(who, staffCalls.staffMarkPaid.path, paying)
      expect(won(await send([...different(15, pay(finance)), ...different(15, pay(finance2))]))).toHaveLength(1)
      expect(await bench.moneyOf(alice)).toEqual({ balance: 900, staked: 0, withdrawing: 0 })
    }))

  it('approvals, rejections and cancellations of a withdrawal have one outcome', () =>
    repeated(async (alice, turn) => {
      const { approve, reject, cancel } = await pending(alice)
      const ways = [different(8, approve(finance)), different(8, reject(finance2)), times(8, cancel)]
      const first = turn % ways.length
      const hits = await send([...ways.slice(first), ...ways.slice(0, first)].flat())
      const isApproval = ({ body }: Hit) => body.data?.['outcome'] === 'approved'
      const ends = won(hits).filter((hit) => !isApproval(hit))
      // A withdrawal can still be cancelled after its approval, as its payment has not begun.
      expect([won(hits).filter(isApproval).length <= 1, ends.length <= 1]).toEqual([true, true])
      const { balance, withdrawing } = await bench.moneyOf(alice)
      expect([balance, withdrawing]).toEqual(ends.length === 1 ? [1_000, 0] : [900, 100])
    }))

  it('twenty approvals of a rejected withdrawal pay nothing', () =>
    repeated(async (alice) => {
      const { approve, reject } = await pending(alice)
      await send([reject(finance)()])
      const hits = await send([...different(10, approve(finance)), ...different(10, approve(finance2))])
      expect(won(hits)).toEqual([])
      expect(await bench.moneyOf(alice)).toEqual({ balance: 1_000, staked: 0, withdrawing: 0 })
    }))

  it('twenty approvals by one staff member do not count as two', () =>
    repeated(async (alice) => {
      const body = { amount: 2_000, method_id: DEMO_FUNDS }
      await bench.app.call(calls.saveDeposit, { token: alice.token, body })
      const { approve } = await pending(alice, 2_000)
      const hits = await send(different(20, approve(finance)))
      expect(hits.some(({ body: reply }) => reply.data?.['outcome'] === 'approved')).toBe(false)
      expect(await bench.moneyOf(alice)).toEqual({ balance: 1_000, staked: 0, withdrawing: 2_000 })
      expect(won(await send([approve(finance2)()]))[0]?.body.data?.['outcome']).toBe('approved')
    }))
})
