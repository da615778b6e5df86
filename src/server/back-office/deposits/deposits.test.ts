import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { openApprovals } from '#server/audit/dual-approval.ts'
import { creditInFull, recordArrived } from '#test/support/arrived-deposit.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const DEMO_FUNDS = 1
const BY_HAND = 90

const database = useTestDatabase()
let app: TestApp
let user: TestUser
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
  user = await app.verifiedUser()
  finance = await app.staff('finance')
  finance2 = await app.staff('finance2')
})
afterEach(() => app.stop())

/** Requests a deposit and returns its reference. Amounts of more than 1,500.00 need two approvals. */
async function ask(amount: number): Promise<string> {
  const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { method_id: BY_HAND, amount } })
  return body.data.deposit.trx
}

/** Requests a deposit, and records an arrival of the whole amount to pay. Returns its reference. */
async function arrivedFor(amount: number): Promise<string> {
  const trx = await ask(amount)
  expect(await recordArrived(app, finance, { trx })).toBeNull()
  return trx
}

/** Changes a row as the owner of the database, because the server has no right to change such a row. */
async function byHand(trx: string, change: { fields: string } | { amount: bigint; credited: bigint }): Promise<void> {
  await database.asOwner((owner) => owner.updateTable('deposit').set(change).where('trx', '=', trx).execute())
}

async function look(who: StaffSession, trx: string) {
  return (await who.call(staffCalls.staffDeposit, { params: { trx } })).body.data
}

/** Approves a deposit after an arrival of the whole amount to pay. A given hash is sent as it is. */
async function approve(who: StaffSession, trx: string, hash?: string) {
  if (hash === undefined) return creditInFull(app, who, trx)
  const { body } = await who.call(staffCalls.staffApproveDeposit, {
    params: { trx },
    body: { content_hash: hash },
  })
  return body.code ?? body.data.outcome
}

async function reject(who: StaffSession, trx: string, words = 'no such payment came in') {
  const { content_hash: hash } = await look(who, trx)
  const { body } = await who.call(staffCalls.staffRejectDeposit, {
    params: { trx },
    body: { content_hash: hash, words },
  })
  return body.code ?? body.data.outcome
}

async function balance(): Promise<number> {
  return (await app.call(calls.profile, { token: user.token })).body.data.user.balance
}

describe('the queue', () => {
  it('lists pending deposits, oldest first, in pages', async () => {
    const references: string[] = []
    for (const amount of [20, 30, 40]) {
      references.push(await ask(amount))
      app.ctx.clock.advance(1_000)
    }
    await approve(finance, references[0] ?? '')
    const first = await finance.call(staffCalls.staffDeposits, { query: { state: 'waiting', limit: 1 } })
    expect(first.body.data.rows.map(({ trx }) => trx)).toEqual([references[1]])
    const after = first.body.data.next ?? ''
    const second = await finance.call(staffCalls.staffDeposits, { query: { state: 'waiting', limit: 1, after } })
    expect(second.body.data.rows.map(({ trx }) => trx)).toEqual([references[2]])
    expect(second.body.data.next).toBeNull()
  })

  it('finds deposits by user and by reference', async () => {
    const trx = await ask(20)
    for (const search of [user.username.toUpperCase(), trx.toLowerCase().slice(0, 14)]) {
      const { body } = await finance.call(staffCalls.staffDeposits, { query: { search, state: 'waiting' } })
      expect(body.data.rows.map((row) => row.trx)).toEqual([trx])
    }
    const none = await finance.call(staffCalls.staffDeposits, { query: { search: "x' or 1=1 --" } })
    expect(none.body.data.rows).toEqual([])
  })

  it.each(['not base64!', 'eyJhIjoxfQ', Buffer.from('["x"').toString('base64url')])(
    'refuses the cursor %s',
    async (after) => {
      const { body } = await finance.call(staffCalls.staffDeposits, { query: { after } })
      expect(body.code).toBe('cursor_invalid')
    },
  )

  it('AT34: exports CSV without formulas for spreadsheets', async () => {
    await app.ctx.db.updateTable('gateway').set({ name: '=HYPERLINK("http://x")' }).where('id', '=', BY_HAND).execute()
    await ask(20)
    const { headers, text } = await finance.read('/admin/deposits.csv?state=waiting')
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="deposits.csv"',
    })
    const lines = text.split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFtrx,state,user_id,username,/)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(lines).toHaveLength(3)
  })
})

describe('the figures', () => {
  it('cover pending deposits and staff decisions of the last 7 days', async () => {
    app.ctx.clock.perReadingMs = 0
    const figures = async () => (await finance.call(staffCalls.staffDepositFigures)).body.data
    expect(await figures()).toEqual({ waiting: 0, second_person: 0, sum: 0, oldest_at: null, median_ms: null })
    const decided = [await ask(20), await ask(30)]
    app.ctx.clock.advance(60_000)
    await approve(finance, decided[0] ?? '')
    await reject(finance, decided[1] ?? '')
    // An automatic gateway decides this deposit immediately, so it is no decision by staff.
    await app.call(calls.saveDeposit, { token: user.token, body: { method_id: DEMO_FUNDS, amount: 50 } })
    const since = new Date(app.ctx.now()).toISOString()
    const large = await ask(2_000)
    app.ctx.clock.advance(1_000)
    await ask(40)
    await approve(finance, large)
    const sum = { waiting: 2, second_person: 1, sum: 2_040, oldest_at: since, median_ms: 60_000 }
    expect(await figures()).toEqual(sum)
    const second = await finance.call(staffCalls.staffDeposits, { query: { state: 'second_person' } })
    expect(second.body.data.rows).toMatchObject([{ trx: large, first_by: 'finance' }])

    app.ctx.clock.advance(7 * 86_400_000)
    const later = await (await app.staff('finance')).call(staffCalls.staffDepositFigures)
    expect(later.body.data).toEqual({ ...sum, median_ms: null })
  })
})

describe('a deposit', () => {
  it('shows its notes only to staff', async () => {
    const trx = await ask(20)
    const remark = (text: string) => finance.call(staffCalls.staffRemarkDeposit, { params: { trx }, body: { text } })
    expect((await remark('  ')).body.code).toBe('remark_needed')
    await remark('The bank says tomorrow.')
    await reject(finance, trx)
    await remark('It came after all.')
    expect((await look(finance2, trx)).remarks.map(({ text }) => text)).toEqual([
      'The bank says tomorrow.',
      'It came after all.',
    ])
    const { body } = await app.call(calls.deposits, { token: user.token })
    expect(JSON.stringify(body)).not.toMatch(/bank says|after all/)
  })

  it('AT10: credits once under concurrent approvals', async () => {
    const trx = await arrivedFor(100)
    const { content_hash: hash } = await look(finance, trx)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, place) => approve(place % 2 === 0 ? finance : finance2, trx, hash)),
    )
    expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'already_decided')).toHaveLength(19)
    expect(await balance()).toBe(100)
    expect((await checkLedger(app.ctx.db)).clean).toBe(true)
  })

  it('credits or rejects, never both, under concurrent opposite decisions', async () => {
    const trx = await arrivedFor(100)
    const { content_hash: hash } = await look(finance, trx)
    const outcomes = await Promise.all([approve(finance, trx, hash), reject(finance2, trx)])
    expect(outcomes.toSorted()).toContain('already_decided')
    expect(await balance()).toBe(outcomes[0] === 'credited' ? 100 : 0)
  })

  it('cannot be approved after a rejection, and its user sees the reason', async () => {
    const trx = await ask(100)
    expect(await reject(finance, trx)).toBe('rejected')
    expect(await approve(finance, trx)).toBe('already_decided')
    const { body } = await app.call(calls.deposits, { token: user.token })
    expect(body.data.deposits[0]).toMatchObject({ status: 3, admin_feedback: 'no such payment came in' })
    expect(await balance()).toBe(0)
  })

  it('needs a reason for a rejection', async () => {
    const trx = await ask(100)
    expect(await reject(finance, trx, '  ')).toBe('words_needed')
    expect((await look(finance, trx)).state).toBe('waiting')
  })

  it('a deposit that does not exist cannot be approved', async () => {
    const { content_hash: hash } = await look(finance, await ask(100))
    expect(await approve(finance, 'NOSUCHDEPOSIT', hash)).toBe('not_found')
    expect(await balance()).toBe(0)
  })

  it('cannot be approved when it changed after the staff member saw it', async () => {
    const trx = await ask(100)
    const { content_hash: hash } = await look(finance, trx)
    await byHand(trx, { fields: '{"IBAN":"XX"}' })
    expect(await approve(finance, trx, hash)).toBe('content_changed')
    expect(await balance()).toBe(0)
  })
})

describe('above the dual-approval limit', () => {
  it('one staff member can reject a deposit, which ends its first approval', async () => {
    const trx = await arrivedFor(1_500.01)
    const { content_hash: contentHash } = await look(finance, trx)
    expect(await approve(finance, trx, contentHash)).toBe('first-approval')
    expect(await reject(finance2, trx)).toBe('rejected')
    expect(await openApprovals(app.ctx.db, { kind: 'deposit', subject: trx, contentHash })).toEqual([])
    expect(await balance()).toBe(0)
  })

  it('a deposit needs approvals of two staff members', async () => {
    const trx = await ask(1_500.01)
    expect(await approve(finance, trx)).toBe('first-approval')
    expect(await balance(), 'nothing moves yet').toBe(0)
    expect(await look(finance2, trx)).toMatchObject({ state: 'seen', first_by: 'finance', needs_two: true })
    expect(await approve(finance2, trx)).toBe('credited')
    expect(await balance()).toBe(1_500.01)
  })

  it('a staff member cannot approve a deposit twice, even from two sessions', async () => {
    const trx = await arrivedFor(2_000)
    const sameAgain = await app.staff('finance')
    const { content_hash: hash } = await look(finance, trx)
    const outcomes = await Promise.all([finance, sameAgain, finance, sameAgain].map((who) => approve(who, trx, hash)))
    expect(outcomes.toSorted()).toEqual([
      'first-approval',
      'second_person_needed',
      'second_person_needed',
      'second_person_needed',
    ])
    expect(await balance()).toBe(0)
  })

  it('two concurrent approvals credit a deposit once', async () => {
    const trx = await arrivedFor(2_000)
    const { content_hash: hash } = await look(finance, trx)
    const outcomes = await Promise.all([approve(finance, trx, hash), approve(finance2, trx, hash)])
    expect(outcomes.toSorted()).toEqual(['credited', 'first-approval'])
    expect(await balance()).toBe(2_000)
  })

  it('the first approval of a deposit ends when the content of the deposit changes', async () => {
    const trx = await ask(2_000)
    expect(await approve(finance, trx)).toBe('first-approval')
    await byHand(trx, { amount: 9_000_000n, credited: 9_000_000n })
    expect((await look(finance2, trx)).first_by).toBeNull()
    expect(await approve(finance2, trx), 'the second person becomes the first').toBe('first-approval')
    expect(await balance()).toBe(0)
  })

  it('a deposit of exactly the limit needs one approval', async () => {
    expect(await approve(finance, await ask(1_500))).toBe('credited')
  })
})
