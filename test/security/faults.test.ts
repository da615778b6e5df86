import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const DEMO_FUNDS = 1
const BANK = 101
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice A.', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }

/** Passes a number of statements and breaks the next one. */
class BreakingPlugin implements KyselyPlugin {
  statementsLeft = Number.POSITIVE_INFINITY
  hasBroken = false

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    this.statementsLeft -= 1
    if (this.statementsLeft === 0) {
      this.hasBroken = true
      throw new Error('the database went away: select secret from vault')
    }
    return node
  }

  transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return Promise.resolve(result)
  }
}

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let alice: TestUser
const breaking = new BreakingPlugin()
beforeAll(async () => {
  app = await createTestApp({ ...database, db: database.db.withPlugin(breaking) })
})
afterAll(async () => {
  await app.stop()
})
beforeEach(async () => {
  alice = await app.verifiedUser()
  const as = { token: alice.token }
  await app.call(calls.saveDeposit, { ...as, body: { amount: 1_000, method_id: DEMO_FUNDS } })
  await app.setPin(alice.token, PIN, { 101: DETAILS })
})

async function moneyMoved(): Promise<string> {
  const { rows } = await sql<{ moves: bigint; sum: string }>`
    select count(*) as moves, coalesce(sum(amount), 0)::text as sum from transfer`.execute(database.db)
  return `${rows[0]?.moves} ${rows[0]?.sum}`
}

/** Every call that moves money or authenticates, as a valid request. */
const CALLS = {
  saveDeposit: () => app.call(calls.saveDeposit, { token: alice.token, body: { amount: 100, method_id: DEMO_FUNDS } }),
  saveWithdrawal: () =>
    app.call(calls.saveWithdrawal, {
      token: alice.token,
      body: { amount: 100, method_id: BANK, withdrawal_code: PIN, fields: DETAILS },
    }),
  saveWithdrawalPin: () =>
    app.call(calls.saveWithdrawalPin, {
      token: alice.token,
      body: { current_withdrawal_code: PIN, withdrawal_code: PIN, withdrawal_code_confirmation: PIN },
    }),
  tasks: () => app.call(calls.tasks, { token: alice.token }),
  profile: () => app.call(calls.profile, { token: alice.token }),
  login: () => app.call(calls.login, { body: { username: alice.username, password: alice.password } }),
  wrongLogin: () => app.call(calls.login, { body: { username: alice.username, password: 'wrong-22' } }),
  changePassword: () =>
    app.call(calls.changePassword, {
      token: alice.token,
      body: { current_password: 'wrong-22', password: 'hunter-33', password_confirmation: 'hunter-33' },
    }),
}

describe('AT47: a failing statement in the middle', () => {
  it.each(Object.keys(CALLS) as (keyof typeof CALLS)[])(
    'a failing statement in the middle of %s opens no session, moves no money and sends nothing',
    async (name) => {
      const right = name !== 'wrongLogin' && name !== 'changePassword'
      for (let statement = 1; statement < 60; statement += 1) {
        const before = await moneyMoved()
        app.ctx.lines.length = 0
        breaking.hasBroken = false
        breaking.statementsLeft = statement
        const { status, body } = await CALLS[name]()
        breaking.statementsLeft = Number.POSITIVE_INFINITY
        if (!breaking.hasBroken) {
          // Many broken attempts may have locked the name, which is a safe outcome.
          if (body.code !== 'too_many_attempts') expect(status < 300, `${status} ${body.code}`).toBe(right)
          return
        }
        // A secondary statement may fail without failing the call. A failed check must never count as passed.
        if (status < 300) expect(right).toBe(true)
        if (status >= 500) {
          expect(Object.keys(body).toSorted()).toEqual(['code', 'message', 'request_id'])
          expect(JSON.stringify(body)).not.toMatch(/secret|vault|select/)
          expect(app.ctx.lines.some(({ level }) => level === 'error')).toBe(true)
          // Due tasks are paid once before they are listed. A repeated request pays nothing again.
          if (name !== 'tasks') expect(await moneyMoved(), `statement ${statement}`).toBe(before)
        }
        expect((await checkLedger(database.db)).clean).toBe(true)
      }
      throw new Error('the call never went through')
    },
  )
})
