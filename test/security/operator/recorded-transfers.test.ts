import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: 1 } })
})
afterEach(() => app.stop())

const run = (...statements: string[]) =>
  database.db.transaction().execute(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
const moving = (kind: string, step: string, from: string, to: string, amount = '100', ref = 'gen_random_uuid()') =>
  `insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
   values ('${alice.id}', ${ref}, '${step}', '${kind}', '${from}', '${to}', 'USDT', ${amount}, ${app.ctx.now()})`
const newWithdrawal =
  () => `insert into withdrawal (user_id, id, trx, gateway_id, status, state, currency, amount, percent_charge,
    fixed_charge, rate_millionths, paid_out, created_ms, clock_ms)
  values ('${alice.id}', '${ID}', 'FW-1', 101, 2, 'requested', 'usd', 1000, 10, 20, 1000000, 970, ${app.ctx.now()}, ${app.ctx.now()})`
/** Returns statements that store the given steps of a withdrawal after its request. */
const stepsTo = (...steps: readonly string[]) =>
  steps.map(
    (step, at) => `insert into payment_event (user_id, subject, seq, step, state, at_ms)
      values ('${alice.id}', '${ID}', ${at + 2}, '${step}', '${step}', ${app.ctx.now()})`,
  )
/** Returns a statement that adds an entry about the withdrawal to the audit log. */
const signed = () => `insert into admin_action (id, at_ms, who, what, target, outcome)
  values (gen_random_uuid(), ${app.ctx.now()}, 'finance', 'withdrawal.paid', 'FW-1', 'done')`
const ID = '00000000-0000-7000-8000-000000000001'

describe('A128: attack: operator: money that moves without a record, with the rights of the server', () => {
  it.each([
    ['deposit', 'deposit', 'house:deposits', 'cash'],
    ['deposit_fee', 'deposit_fee', 'house:deposits', 'house:fees'],
    ['demo_funds', 'funds', 'house:deposits', 'cash'],
    ['withdrawal_request', 'hold', 'cash', 'withdrawing'],
    ['withdrawal_paid', 'close', 'withdrawing', 'house:withdrawals'],
    ['withdrawal_rejected', 'close', 'withdrawing', 'cash'],
    ['withdrawal_cancelled', 'close', 'withdrawing', 'cash'],
    ['withdrawal_failed', 'close', 'withdrawing', 'cash'],
    ['withdrawal_fee', 'fee', 'withdrawing', 'house:fees'],
    ['withdrawal_returned', 'return', 'house:withdrawals', 'cash'],
    ['withdrawal_fee_returned', 'return_fee', 'house:fees', 'cash'],
    ['correction_in', 'correction', 'house:corrections', 'cash'],
    ['correction_out', 'correction', 'cash', 'house:corrections'],
  ])('refuses a transfer of the kind %s', async (kind, step, from, to) => {
    await expect(run(moving(kind, step, from, to))).rejects.toThrow('no record says')
  })

  it.each([
    ['more than the record', '980', '30'],
    ['a charge that the record does not have', '960', '40'],
  ])('refuses a payment of %s', async (_, paid, fee) => {
    await run(newWithdrawal(), moving('withdrawal_request', 'hold', 'cash', 'withdrawing', '1000', `'${ID}'`))
    const closed = `update withdrawal set status = 1, state = 'paid', decided_ms = ${app.ctx.now()} where id = '${ID}'`
    const moves = (net: string, charge: string) => [
      moving('withdrawal_paid', 'close', 'withdrawing', 'house:withdrawals', net, `'${ID}'`),
      moving('withdrawal_fee', 'fee', 'withdrawing', 'house:fees', charge, `'${ID}'`),
    ]
    await expect(run(signed(), ...stepsTo('approved', 'paying', 'paid'), closed, ...moves(paid, fee))).rejects.toThrow(
      'no record says',
    )
    await run(signed(), ...stepsTo('approved', 'paying', 'paid'), closed, ...moves('970', '30'))
  })
})

describe('A139: attack: operator: payments that the audit log does not know, with the rights of the server', () => {
  const deposit = (gateway: number, credited: number) => `insert into deposit (user_id, id, trx, gateway_id, status,
      currency, amount, percent_charge, fixed_charge, total, rate_millionths, credited, created_ms, decided_ms)
    select user_id, '${ID}', 'FW-2', ${gateway}, 1, currency, 100, 0, 0, 100, 1000000, ${credited}, ${app.ctx.now()},
      ${app.ctx.now()} from deposit where user_id = '${alice.id}'`
  /** Returns a statement that stores a credited arrival of 1.00. The arrival and its deposit have the same id. */
  const arrival = (gateway: number, credited: number) => `insert into arrival (id, gateway_id, currency, amount, source,
      external_id, reference, seen_ms, confirmed_ms, created_ms, state, user_id, deposit_id, rate_millionths, credited,
      charge, credited_ms)
    select '${ID}', ${gateway}, 'USDT', 100000000, 'demo', 'x', 'x', ${app.ctx.now()}, ${app.ctx.now()}, ${app.ctx.now()},
      'credited', '${alice.id}', '${ID}', 1000000, ${credited}, 0, ${app.ctx.now()}`
  const crediting = (amount: string) => moving('deposit', 'deposit', 'house:deposits', 'cash', amount, `'${ID}'`)

  it('refuses the credit of a deposit that no staff member approved', async () => {
    const other = await database.db
      .selectFrom('gateway')
      .select('id')
      .where('kind', '=', 'deposit')
      .where('is_automatic', '=', false)
      .executeTakeFirstOrThrow()
    await expect(run(deposit(other.id, 100), arrival(other.id, 100), crediting('100'))).rejects.toThrow(
      'the audit log does not say who',
    )
    const changed = `update gateway set is_automatic = true where id = ${other.id}`
    await expect(run(changed, deposit(other.id, 100), arrival(other.id, 100), crediting('100'))).rejects.toThrow(
      'the audit log does not say who',
    )
  })

  it('refuses a credit that is not the amount at the rate', async () => {
    await expect(run(deposit(1, 102), arrival(1, 102), crediting('102'))).rejects.toThrow('arrival_credit_check')
    await expect(run(deposit(1, 99), arrival(1, 100), crediting('100'))).rejects.toThrow('not the sum of its arrivals')
    await run(deposit(1, 100), arrival(1, 100), crediting('100'))
  })

  it('refuses a credit for which nothing arrived, and a changed or doubled arrival', async () => {
    await expect(run(deposit(1, 100), crediting('100'))).rejects.toThrow(/no record says|transfer is missing/)
    await expect(run(`update arrival set amount = 1`)).rejects.toThrow('permission denied')
    await expect(run(`update arrival set state = 'confirmed'`)).rejects.toThrow('does not follow credited')
    const copy = `insert into arrival (id, gateway_id, currency, amount, source, external_id, reference, seen_ms, created_ms,
        confirmed_ms, state, user_id, deposit_id, rate_millionths)
      select gen_random_uuid(), gateway_id, currency, amount, source, external_id, reference, seen_ms, created_ms,
        confirmed_ms, 'confirmed', user_id, deposit_id, rate_millionths from arrival`
    await expect(run(copy)).rejects.toThrow('arrival_external')
  })

  it('refuses another credit of a deposit than the sum of its arrivals', async () => {
    await expect(run(`update deposit set credited = credited + 1`)).rejects.toThrow('not the sum of its arrivals')
  })

  it('refuses a quote that changes after something arrived', async () => {
    await expect(run(`update deposit set rate_millionths = 2000000`)).rejects.toThrow(/the quote stays|is final/)
  })

  it('refuses a payment that no staff member signed for', async () => {
    await run(newWithdrawal(), moving('withdrawal_request', 'hold', 'cash', 'withdrawing', '1000', `'${ID}'`))
    const closed = `update withdrawal set status = 1, state = 'paid', decided_ms = ${app.ctx.now()} where id = '${ID}'`
    const moves = [
      moving('withdrawal_paid', 'close', 'withdrawing', 'house:withdrawals', '970', `'${ID}'`),
      moving('withdrawal_fee', 'fee', 'withdrawing', 'house:fees', '30', `'${ID}'`),
    ]
    const steps = stepsTo('approved', 'paying', 'paid')
    await expect(run(...steps, closed, ...moves)).rejects.toThrow('the audit log does not say who')
  })
})

describe('A129: attack: operator: a decision without its money, or changed afterwards', () => {
  it('refuses a deposit that is marked as credited, and a withdrawal that is marked as decided, without a transfer', async () => {
    const copy = `insert into deposit (user_id, id, trx, gateway_id, status, currency, amount, percent_charge,
        fixed_charge, total, rate_millionths, credited, created_ms, decided_ms)
      select user_id, gen_random_uuid(), 'FW-2', gateway_id, 1, currency, amount, percent_charge, fixed_charge, total,
        rate_millionths, credited, created_ms, created_ms from deposit where user_id = '${alice.id}'`
    await expect(run(copy)).rejects.toThrow('deposit: the transfer is missing')
    await run(newWithdrawal(), moving('withdrawal_request', 'hold', 'cash', 'withdrawing', '1000', `'${ID}'`))
    for (const [steps, status] of [
      [['approved', 'paying', 'paid'], '1'],
      [['approved', 'paying', 'failed'], '3'],
      [['rejected'], '3'],
      [['cancelled'], '3, is_cancelled = true'],
    ] as const) {
      const decided = `update withdrawal set decided_ms = ${app.ctx.now()}, state = '${steps.at(-1)}', status = ${status}
        where id = '${ID}'`
      await expect(run(...stepsTo(...steps), decided)).rejects.toThrow('withdrawal: the transfer is missing')
      await expect(run(decided), 'without its steps').rejects.toThrow('its steps lead to another state')
    }
    await expect(run(...stepsTo('paying')), 'nobody approved it').rejects.toThrow('paying does not follow requested')
    await expect(run(...stepsTo('approved')), 'a step without its state').rejects.toThrow('lead to another state')
    await expect(run(`update payment_event set words = 'Another'`)).rejects.toThrow('permission denied')
  })

  it.each(["feedback = 'Another'", 'decided_ms = 1', 'status = 3', 'status = 2'])(
    'refuses the change %s of a credited deposit',
    async (change) => {
      await expect(run(`update deposit set ${change}`)).rejects.toThrow('deposit: a decision is final')
    },
  )

  it.each(["feedback = 'Another'", "reason_code = 'limits'", 'decided_ms = 1', 'is_cancelled = false', 'status = 1'])(
    'refuses the change %s of a cancelled withdrawal',
    async (change) => {
      await run(newWithdrawal(), moving('withdrawal_request', 'hold', 'cash', 'withdrawing', '1000', `'${ID}'`))
      await run(
        ...stepsTo('cancelled'),
        `update withdrawal set status = 3, state = 'cancelled', is_cancelled = true, decided_ms = ${app.ctx.now()}
          where id = '${ID}'`,
        moving('withdrawal_cancelled', 'close', 'withdrawing', 'cash', '1000', `'${ID}'`),
      )
      await expect(run(`update withdrawal set ${change}`)).rejects.toThrow('withdrawal: a decision is final')
    },
  )
})

it('A130: attack: operator: a temporary table that hides a real one from the rules of the database', async () => {
  const hidden = `create temporary table withdrawal as select * from public.withdrawal`
  await expect(run(hidden)).rejects.toThrow('permission denied to create temporary tables')
})
