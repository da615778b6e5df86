import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { readEntry } from '#core/register/entry.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { codeAt } from '#server/platform/credentials/totp.ts'
import { creditInFull } from '#test/support/arrived-deposit.ts'
import { staffSession, type StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const PASSWORD = 'a few plain words'
let app: TestApp
let owner: StaffSession
let finance: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
  finance = await app.staff('finance')
})
afterEach(() => app.stop())

const codeOf = (reply: { readonly body: { readonly code?: string | undefined } }) => reply.body.code ?? 'done'
const idOf = async (name: string) =>
  (await database.db.selectFrom('staff').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
const versionOf = async (name: string) =>
  (await database.db.selectFrom('staff').select('version').where('name', '=', name).executeTakeFirstOrThrow()).version

/** Leaves only these staff members as approvers, as if there had never been others. */
async function onlyApprovers(...names: string[]): Promise<void> {
  await database.db
    .updateTable('staff')
    .set({ approver_ms: null })
    .where('name', 'not in', ['', ...names])
    .execute()
}

/** Joins with the link that was mailed to an address, as the reader of that mailbox, and logs in. */
async function joinAs(name: string, address: string): Promise<StaffSession> {
  const { text } = await database.db
    .selectFrom('outbox_message')
    .select('text')
    .where('sent_to', '=', address)
    .where('kind', '=', 'staff_invitation')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const token = text.split('#')[1] ?? ''
  const door = staffSession((sent) => app.http.inject(sent), 'nobody', `fairwick_demo_key=${app.demoKey?.text ?? ''}`)
  const { secret } = (await door.call(staffCalls.staffOpenInvitation, { body: { token } })).body.data
  const code = () => codeAt(secret, app.ctx.now())
  await door.call(staffCalls.staffJoin, { body: { token, password: PASSWORD, code: code() } })
  app.ctx.clock.advance(30 * SECOND_MS)
  const { ticket } = (await door.call(staffCalls.staffSignIn, { body: { name, password: PASSWORD } })).body.data
  const opened = await door.call(staffCalls.staffSignInCode, { body: { ticket, code: code() } })
  expect(opened.status).toBe(200)
  return staffSession((sent) => app.http.inject(sent), name, String(opened.headers['set-cookie']).split(';')[0] ?? '')
}

async function waiting(by: StaffSession = owner) {
  return (await by.call(staffCalls.staffChanges, { query: { state: 'open' } })).body.data.rows
}

async function second(by: StaffSession): Promise<string> {
  const [change] = await waiting(by)
  return codeOf(
    await by.call(staffCalls.staffSecondChange, {
      params: { id: change?.id ?? '' },
      body: { content_hash: change?.content_hash ?? '' },
    }),
  )
}

const invite = (name: string, role: 'finance' | 'support' = 'finance') =>
  owner.call(staffCalls.staffInviteMember, { body: { name, role, mail: `${name}@example.com` } })
const askApprover = async (by: StaffSession, name: string) =>
  by.call(staffCalls.staffAskChange, {
    body: { kind: 'approver', staff_id: await idOf(name), reason: 'a second person' },
  })
const people = async () => (await app.call(calls.proofPeople)).body.data

async function saveSetting(by: StaffSession, key: string, value: string | number) {
  const { settings } = (await by.call(staffCalls.staffSettings)).body.data
  const version = settings.find((one) => one.key === key)?.version ?? 0
  return by.call(staffCalls.staffSaveSettings, { body: { changes: [{ key, value, version }] } })
}

/** Requests deposits with the demo's gateway that needs an approval, and returns their references. */
async function askDeposits(user: TestUser, amounts: readonly number[]): Promise<string[]> {
  const gateway = await database.db
    .selectFrom('gateway')
    .selectAll()
    .where('kind', '=', 'deposit')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('gateway')
    .values({ ...gateway, id: 900, is_automatic: false, form: '[]', fixed_charge: 0, percent_charge_basis_points: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const trxs: string[] = []
  for (const amount of amounts) {
    const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { method_id: 900, amount } })
    trxs.push(body.data.deposit.trx)
  }
  return trxs
}

const approve = (by: StaffSession, trx: string): Promise<string> => creditInFull(app, by, trx)

/** Returns the public entries of the register about acts of the operator, oldest first. */
async function acts() {
  await app.publishTerms()
  const { acts: found } = (await app.call(calls.proofActs)).body.data
  return found.map(({ text }) => readEntry(text) ?? {}).toReversed()
}

describe('A60: an operator who acts as both approvers', () => {
  it('attack: invite a puppet, join as the puppet, approve', async () => {
    await invite('puppet')
    expect(await waiting()).toMatchObject([{ state: 'asked', may_second: false }])
    expect(await second(owner), 'the same person twice').toBe('second_person_needed')
    await app.passChanges()
    const puppet = await joinAs('puppet', 'puppet@example.com')
    const [trx = ''] = await askDeposits(await app.verifiedUser(), [2_000])
    expect(await approve(puppet, trx), 'a new colleague is no approver').toBe('not_approver')
    expect(codeOf(await askApprover(owner, 'puppet'))).toBe('done')
    expect(await second(puppet), 'nor can they agree to their own rise').toBe('not_approver')
  })

  it('attack: invite a puppet, join as the puppet, approve, with a single approver', async () => {
    await onlyApprovers('owner')
    expect(await people()).toMatchObject({ single_operator: true, approvers: 1 })
    const requested = (await invite('puppet')).body.data.pending
    expect(requested?.applies_at, 'it waits in public, nobody has to agree').not.toBeNull()
    await app.passChanges(owner)
    await joinAs('puppet', 'puppet@example.com')
    expect(codeOf(await askApprover(owner, 'puppet'))).toBe('done')
    await app.passChanges(owner)
    const marked = { single_operator: false, approvers: 2, admitted_by_one: 1 }
    expect(await people()).toMatchObject(marked)
    app.ctx.clock.jump(400 * DAY_MS)
    expect(await people(), 'for ever').toMatchObject(marked)
  })
})

it('A61: attack: re-invite an old colleague', async () => {
  const [trx = ''] = await askDeposits(await app.verifiedUser(), [2_000])
  const finance2 = await app.staff('finance2')
  expect(await approve(finance2, trx)).toBe('first-approval')
  await owner.call(staffCalls.staffReinviteMember, {
    params: { id: await idOf('finance2') },
    body: { version: await versionOf('finance2'), reason: 'lost phone', mail: 'mine@example.com' },
  })
  expect((await finance2.call(staffCalls.staffDeposits)).status, 'not before two agree').toBe(200)
  await app.passChanges(finance)
  const notices = await database.db
    .selectFrom('outbox_message')
    .select('sent_to')
    .where('kind', '=', 'staff_change')
    .execute()
  expect(notices.map(({ sent_to: to }) => to)).toContain('owner@demo.invalid')
  const stolen = await joinAs('finance2', 'mine@example.com')
  expect((await stolen.call(staffCalls.staffDeposits)).status, 'the account can look').toBe(200)
  expect(await approve(stolen, trx)).toBe('change_pending')
  expect(await approve(finance, trx), 'the first approval of before is void').toBe('first-approval')
  app.ctx.clock.jump(MINUTE_MS)
  expect(await approve(stolen, trx), 'and it is no approver any more').toBe('not_approver')
})

describe('a waiting change of a staff member whose account was restricted meanwhile', () => {
  const memberBody = async (role: 'finance' | 'support' | 'content', isBlocked: boolean) => ({
    version: await versionOf('support'),
    role,
    is_blocked: isBlocked,
    reason: 'a new decision',
  })
  const change = async (role: 'finance' | 'support' | 'content', isBlocked = false) =>
    owner.call(staffCalls.staffChangeMember, {
      params: { id: await idOf('support') },
      body: await memberBody(role, isBlocked),
    })
  const stored = async () =>
    database.db
      .selectFrom('staff')
      .select(['role', 'is_blocked', 'approver_ms', 'mail'])
      .where('name', '=', 'support')
      .executeTakeFirstOrThrow()
  const newest = async () => (await owner.call(staffCalls.staffChanges, { query: { state: 'all' } })).body.data.rows[0]

  it.each([
    ['blocked', 'support', true],
    ['demoted', 'content', false],
  ] as const)('A61: attack: a role that was asked for before the member was %s', async (_, role, isBlocked) => {
    expect((await change('finance')).body.data.pending).not.toBeNull()
    expect(await second(finance)).toBe('done')
    expect((await change(role, isBlocked)).body.data.pending, 'a restriction applies at once').toBeNull()
    await app.passChanges(finance)
    expect(await stored()).toMatchObject({ role, is_blocked: isBlocked })
    expect(await newest()).toMatchObject({ kind: 'role', state: 'failed' })
  })

  it('A61: attack: an approver who was demoted after the request', async () => {
    await onlyApprovers('owner', 'finance')
    expect(codeOf(await askApprover(owner, 'support'))).toBe('done')
    expect(await second(finance)).toBe('done')
    await change('content')
    await app.passChanges(finance)
    expect((await stored()).approver_ms).toBeNull()
    expect(await newest()).toMatchObject({ kind: 'approver', state: 'failed' })
  })

  it('A61: attack: a new invitation for a member who was blocked after the request', async () => {
    await owner.call(staffCalls.staffReinviteMember, {
      params: { id: await idOf('support') },
      body: { version: await versionOf('support'), reason: 'lost phone', mail: 'other@example.com' },
    })
    expect(await second(finance)).toBe('done')
    const { mail } = await stored()
    await change('support', true)
    await app.passChanges(finance)
    expect(await stored()).toMatchObject({ is_blocked: true, mail })
    expect(await newest()).toMatchObject({ kind: 'reinvite', state: 'failed' })
  })
})

it('A62: attack: two puppets of one owner', async () => {
  for (const name of ['ann', 'ben']) {
    await invite(name)
    await app.passChanges()
  }
  const [ann, ben] = [await joinAs('ann', 'ann@example.com'), await joinAs('ben', 'ben@example.com')]
  await database.db
    .updateTable('staff')
    .set({ approver_ms: app.ctx.now(), approver_by: [await idOf('owner')] })
    .where('name', 'in', ['ann', 'ben'])
    .execute()
  expect(await people()).toMatchObject({ admitted_by_one: 2 })
  const [trx = ''] = await askDeposits(await app.verifiedUser(), [2_000])
  expect(await approve(owner, trx)).toBe('first-approval')
  expect([await approve(ann, trx), await approve(ben, trx)]).toEqual(['not_independent', 'not_independent'])
  expect(await approve(finance, trx), 'a person whom the owner did not bring').toBe('credited')
})

it('A63: attack: raise the limit alone', async () => {
  const raised = await saveSetting(owner, 'two_people_above', '1000000.00')
  expect(raised.body.data).toMatchObject({ saved: 0, pending: { applies_at: null } })
  app.ctx.clock.jump(30 * DAY_MS)
  await app.applyChanges()
  expect(app.settings.current.twoPeopleAbove, 'without a second person never').toBe(150_000n)
  owner = await app.staff('owner')
  expect(await second(owner)).toBe('second_person_needed')
  expect(codeOf(await saveSetting(owner, 'two_people_above', '2000.00')), 'one wish at a time').toBe('change_pending')
  expect(codeOf(await saveSetting(owner, 'two_people_above', '100.00')), 'down is free').toBe('done')
  expect(app.settings.current.twoPeopleAbove).toBe(10_000n)
})

it('A63: attack: a raise of the limit that was seconded before the limit was lowered', async () => {
  await saveSetting(owner, 'two_people_above', '5000.00')
  expect(await second(finance)).toBe('done')
  expect(codeOf(await saveSetting(owner, 'two_people_above', '100.00'))).toBe('done')
  app.ctx.clock.jump(30 * DAY_MS)
  await app.applyChanges()
  expect(app.settings.current.twoPeopleAbove).toBe(10_000n)
  const changes = await database.db.selectFrom('pending_change').select('state').execute()
  expect(changes).toEqual([{ state: 'failed' }])
})

describe('A64: many payments just below the limit', () => {
  it('attack: nine hundred payments just below the limit, to one user', async () => {
    const trxs = await askDeposits(await app.verifiedUser(), [1_000, 400, 100, 10])
    const outcomes: string[] = []
    for (const trx of trxs) outcomes.push(await approve(finance, trx))
    expect(outcomes).toEqual(['credited', 'credited', 'credited', 'first-approval'])
  })

  it('attack: nine hundred payments just below the limit, by one staff member', async () => {
    const outcomes: string[] = []
    for (let at = 0; at < 6; at += 1) {
      const [trx = ''] = await askDeposits(await app.verifiedUser(), [1_500])
      outcomes.push(await approve(finance, trx))
    }
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'credited'), 'first-approval'])
    app.ctx.clock.jump(DAY_MS)
    finance = await app.staff('finance')
    const [trx = ''] = await askDeposits(await app.verifiedUser(), [1_500])
    expect(await approve(finance, trx), 'a day later').toBe('credited')
  })
})

it('A65: attack: twenty parallel approvals at the limit', async () => {
  const trxs = await askDeposits(
    await app.verifiedUser(),
    Array.from({ length: 20 }, () => 100),
  )
  const outcomes = await Promise.all(trxs.map((trx) => approve(finance, trx)))
  expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(15)
  expect(outcomes.filter((outcome) => outcome === 'first-approval')).toHaveLength(5)
})

it('A66: attack: change the deposit address for an hour', async () => {
  const [{ id } = { id: 0 }] = await database.db
    .selectFrom('gateway')
    .select('id')
    .where('kind', '=', 'deposit')
    .where('wallet_address', '<>', '')
    .orderBy('id')
    .execute()
  const gateway = (await finance.call(staffCalls.staffGateway, { params: { id: String(id) } })).body.data
  const body = { ...gateway, form: [...gateway.form], wallet_address: 'mine', kind: undefined }
  const saved = await finance.call(staffCalls.staffSaveGateway, { params: { id: String(id) }, body: body as never })
  expect(saved.body.data.pending).toMatchObject({ applies_at: null })
  const address = async () =>
    (await database.db.selectFrom('gateway').select('wallet_address').where('id', '=', id).executeTakeFirstOrThrow())
      .wallet_address
  app.ctx.clock.jump(HOUR_MS)
  await app.applyChanges()
  expect(await address()).toBe(gateway.wallet_address)
  finance = await app.staff('finance')
  owner = await app.staff('owner')
  expect(await second(owner)).toBe('done')
  expect((await acts()).at(-1), 'everybody can see it before it counts').toMatchObject({
    what: 'gateway',
    of: `gateway ${id}`,
    people: 2,
    applies_ms: app.ctx.now() + MINUTE_MS,
  })
  const [change] = await waiting()
  expect(codeOf(await owner.call(staffCalls.staffCancelChange, { params: { id: change?.id ?? '' } }))).toBe('done')
  app.ctx.clock.jump(DAY_MS)
  await app.applyChanges()
  expect(await address(), 'any owner can cancel it').toBe(gateway.wallet_address)
})

it('A67: attack: create-owner on the machine', async () => {
  const parts = { ctx: app.ctx, settings: app.settings, catalogue: app.catalogue, dataDir: '/nowhere' }
  const refused = await runCommand(parts, ['create-owner', 'ada'], 'root')
  expect([refused.exitCode, refused.lines.join(' ')]).toEqual([1, expect.stringContaining('An owner can log in')])
  await database.db.updateTable('staff').set({ is_blocked: true }).where('role', '=', 'owner').execute()
  expect((await runCommand(parts, ['create-owner', 'ada'], 'root')).exitCode).toBe(0)
  const { approver_ms: approverMs } = await database.db
    .selectFrom('staff')
    .select('approver_ms')
    .where('name', '=', 'ada')
    .executeTakeFirstOrThrow()
  expect(approverMs, 'an owner, but no approver').toBeNull()
  expect((await acts()).at(-1)).toMatchObject({ what: 'owner_created', people: 1 })
})

it('A68: attack: lower the notice period by the command settings set', async () => {
  const parts = { ctx: app.ctx, settings: app.settings, catalogue: app.catalogue, dataDir: '/nowhere' }
  await app.verifiedUser()
  const set = async (key: string, json: string) => {
    const { exitCode, lines } = await runCommand(parts, ['settings', 'set', key, json], 'root')
    return [exitCode, lines.join(' ')]
  }
  const twoPeople = [1, expect.stringContaining('takes two people')]
  expect(await set('withdrawal_pause_hours', '0')).toEqual(twoPeople)
  expect(await set('two_people_above', '"1000000.00"')).toEqual(twoPeople)
  expect(await set('one_person_daily', '"15000.00"')).toEqual(twoPeople)
  expect(await set('payout_notice_seconds', '1')).toEqual([1, expect.stringContaining('does not exist')])
  expect(app.settings.current).toMatchObject({ withdrawalPauseHours: 24, twoPeopleAbove: 150_000n })
  expect(await set('withdrawal_pause_hours', '48'), 'the safe way round is free').toEqual([0, expect.any(String)])
})

it('attack: the server moves the time of a change that two approvers agreed on, or applies it early, by SQL', async () => {
  await app.verifiedUser()
  await saveSetting(owner, 'two_people_above', '2000.00')
  expect(await second(finance)).toBe('done')
  const { sql } = await import('kysely')
  for (const set of [`applies_ms = 1`, `state = 'in_force', ended_ms = asked_ms`, `second_ms = 0, applies_ms = 0`])
    await expect(sql.raw(`update pending_change set ${set}`).execute(database.db)).rejects.toThrow(
      /what was agreed stays/,
    )
})

describe('changes of stored records', () => {
  it.each([
    ['approval', `update approval set amount = 0`],
    ['approval', `delete from approval`],
    ['approver_count', `update approver_count set peak = 0`],
    ['pending_change', `update pending_change set after = '{}'`],
    ['pending_change', `delete from pending_change`],
    ['gateway_past', `update gateway_past set wallet_address = ''`],
  ])('attack: the server rewrites %s by SQL: %s', async (_, statement) => {
    const { sql } = await import('kysely')
    await expect(sql.raw(statement).execute(database.db)).rejects.toThrow(/permission denied/)
  })
})
