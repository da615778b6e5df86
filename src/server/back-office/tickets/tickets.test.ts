import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { readBundle } from '#core/proof/bundle-file.ts'
import { checkBundle } from '#core/proof/check-bundle.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { readTicketQueue } from '#server/back-office/tickets/tickets.queries.ts'
import { findTicket } from '#server/users/tickets/tickets.queries.ts'
import { closeSilent } from '#server/users/tickets/close-silent.ts'
import { uploads } from '#server/site/own-data/upload-files.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const WORDS = 'The result of this order looks wrong to me.'
const database = useTestDatabase()
let dataDir: string
let app: TestApp
let alice: TestUser
let requests = 0

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairwick-tickets-'))
  app = await createTestApp(database, { environment: { FAIRWICK_DATA_DIR: dataDir } })
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
})
afterEach(async () => {
  await app.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const nextRequest = () => `request-${(requests += 1)}`

async function deposit(user = alice): Promise<string> {
  const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  return body.data.deposit.trx
}

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
}

async function place(): Promise<string> {
  await speak(9_400_000)
  const placed = await app.engine.place({
    userId: alice.id,
    clientOrderId: nextRequest(),
    direction: BUY,
    tradeSettingId: 1,
    stake: money(1_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
  assert(placed.ok, 'placed')
  return placed.value.trx
}

/**
 * Places an order and lets it settle: as won, or with `isVoid` as void, because there is no price shortly before its
 * expiry.
 */
async function settledOrder({ isVoid = false } = {}): Promise<string> {
  await deposit()
  const trx = await place()
  app.ctx.clock.advance(isVoid ? MINUTE_MS + 2_000 : MINUTE_MS - 1_000)
  await speak(9_400_050)
  if (!isVoid) {
    app.ctx.clock.advance(2_000)
    await speak(9_400_051)
  }
  await app.engine.settleDue()
  await app.receipts.idle()
  return trx
}

type About = Partial<{
  about_kind: 'order' | 'deposit' | 'withdrawal' | 'account'
  about: string
  topic: 'result' | 'price' | 'else'
}>

const open = (about: About = {}, user = alice, words = WORDS) =>
  app.call(calls.openTicket, {
    token: user.token,
    body: { about_kind: 'account', topic: 'else', ...about, words, request_id: nextRequest() },
  })

async function opened(about: About = {}): Promise<string> {
  const { status, body } = await open(about)
  assert(status === 200, JSON.stringify(body))
  return body.data.ticket.no
}

const write = (no: string, words = 'More words.', user = alice) =>
  app.call(calls.writeToTicket, { token: user.token, params: { no }, body: { words, request_id: nextRequest() } })
const read = (no: string, user = alice) => app.call(calls.ticket, { token: user.token, params: { no } })
const stateOf = async (no: string) => (await findTicket(database.db, no))?.state

const answer = (staff: StaffSession, no: string, last: number, more: { closes?: boolean; request_id?: string } = {}) =>
  staff.call(staffCalls.staffAnswerTicket, {
    params: { no },
    body: { words: 'We look into it.', last, request_id: nextRequest(), ...more },
  })
const decide = (staff: StaffSession, no: string, verdict: 'correct' | 'mistake' | 'void', last = 1) =>
  staff.call(staffCalls.staffDecideTicket, {
    params: { no },
    body: { verdict, words: 'This is why.', last, request_id: nextRequest() },
  })
const listed = async (staff: StaffSession, which: 'mine' | 'nobody' | 'overdue' | 'all') =>
  (await staff.call(staffCalls.staffTickets, { query: { which } })).body.data.rows.map(({ no }) => no)

describe('tickets of a user', () => {
  it('OD14.1: a user can have one open ticket about each order, payment or account, and five open tickets in all', async () => {
    const trx = await deposit()
    const no = await opened({ about_kind: 'deposit', about: trx })
    expect((await read(no)).body.data.ticket).toMatchObject({ about_kind: 'deposit', about: trx, state: 'open' })
    expect((await open({ about_kind: 'deposit', about: trx })).body).toMatchObject({ code: 'ticket_open_already' })
    await opened()
    for (let count = 2; count < 5; count += 1) await opened({ about_kind: 'deposit', about: await deposit() })
    const sixth = await open({ about_kind: 'deposit', about: await deposit() })
    expect([sixth.status, sixth.body.code]).toEqual([422, 'too_many_tickets'])
    await app.call(calls.closeTicket, { token: alice.token, params: { no } })
    expect((await open({ about_kind: 'deposit', about: trx })).status).toBe(200)
    await expect(
      database.db
        .updateTable('ticket')
        .set({ about: 'FW-X' } as never)
        .where('no', '=', no)
        .execute(),
    ).rejects.toThrow(/permission denied/)
  })

  it('OD14.1: a ticket needs 20 to 2,000 characters, and a topic that fits what it is about', async () => {
    const short = await open({}, alice, 'Too short, sadly.')
    expect([short.status, short.body.code]).toEqual([422, 'ticket_words'])
    expect((await open({}, alice, 'x'.repeat(2_001))).status).toBe(422)
    expect((await open({ topic: 'result' })).status).toBe(422)
    expect((await open({}, alice, 'x'.repeat(2_000))).status).toBe(200)
  })

  it('OD14.1: a repeated request opens one ticket, also when the requests are concurrent', async () => {
    const body = { about_kind: 'account', topic: 'else', words: WORDS, request_id: 'same' } as const
    const send = () => app.call(calls.openTicket, { token: alice.token, body })
    const replies = await Promise.all([send(), send(), send()])
    expect(new Set(replies.map((reply) => reply.body.data.ticket.no)).size).toBe(1)
    const other = { ...body, words: `${WORDS} And more.` }
    expect((await app.call(calls.openTicket, { token: alice.token, body: other })).body.code).toBe('ticket_conflict')
  })

  it('OD14.1: a ticket closes when its user does not reply to an answer for 14 days, and the user can open it again for 30 days', async () => {
    const no = await opened()
    app.ctx.clock.jump(20 * DAY_MS)
    await closeSilent(app.ctx)
    expect(await stateOf(no)).toBe('open')
    await answer(await app.staff('support'), no, 1)
    expect(await stateOf(no)).toBe('waiting_user')
    app.ctx.clock.jump(14 * DAY_MS - 1)
    await closeSilent(app.ctx)
    expect(await stateOf(no)).toBe('waiting_user')
    app.ctx.clock.jump(1)
    await closeSilent(app.ctx)
    expect(await stateOf(no)).toBe('closed')
    const kinds = await database.db.selectFrom('notice').select('kind').where('user_id', '=', alice.id).execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['ticket_answered', 'ticket_closed']))
    app.ctx.clock.jump(30 * DAY_MS)
    // The session ended during the jump of 30 days, so Alice logs in again.
    alice = await app.signIn(alice.username, alice.password)
    expect((await write(no)).body.data.ticket.state).toBe('open')
    await app.call(calls.closeTicket, { token: alice.token, params: { no } })
    app.ctx.clock.jump(30 * DAY_MS + 1)
    alice = await app.signIn(alice.username, alice.password)
    const late = await write(no)
    expect([late.status, late.body.code]).toEqual([422, 'ticket_closed'])
  })

  it('OD14.1: the user gets a notice and a mail about an answer, and neither of them contains its text', async () => {
    const no = await opened()
    await answer(await app.staff('support'), no, 1)
    const { notices } = (await app.call(calls.notices, { token: alice.token })).body.data
    expect(notices[0]).toMatchObject({ kind: 'ticket_answered', link: `/tickets/${no}` })
    expect(JSON.stringify(notices[0])).not.toContain('look into')
    const channels = await database.db.selectFrom('notice_delivery').select('channel').distinct().execute()
    expect(channels.map(({ channel }) => channel)).toContain('mail')
    const { ticket } = (await read(no)).body.data
    expect(ticket.messages[1]).toMatchObject({ by: 'staff', words: 'We look into it.' })
    expect(JSON.stringify(ticket)).not.toContain('support')
  })

  it('OD14.1: pictures of a ticket are encoded again without EXIF data, and served only to roles that see the ticket', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({
      about_kind: 'account',
      topic: 'else',
      words: WORDS,
      request_id: 'p',
    }))
      form.append(name, value)
    const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#c63' } })
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer()
    for (const place of [1, 2, 3]) form.append(`picture_${place}`, new Blob([new Uint8Array(photo)]), 'a.jpg')
    const sent = new Request('http://site', { method: 'POST', body: form })
    const { body } = await app.inject({
      method: 'POST',
      url: '/api/user/tickets',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': sent.headers.get('content-type') ?? '' },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
    const { no } = (body.data as { ticket: { no: string } }).ticket
    expect((await read(no)).body.data.ticket.messages[0]?.pictures).toBe(3)
    const support = await app.staff('support')
    const { pictures } = (await support.call(staffCalls.staffTicket, { params: { no } })).body.data.messages[0] ?? {}
    assert(pictures?.[0], 'a picture')
    const upload = await app.uploads.read(pictures[0], 'ticket')
    expect((await sharp(upload?.bytes).metadata()).exif).toBeUndefined()
    const address = `/admin/ticket-pictures/${pictures[0]}`
    expect((await support.read(address)).status).toBe(200)
    expect((await (await app.staff('markets')).read(address)).status).toBe(404)
    expect((await support.read(`/admin/uploads/${pictures[0]}`)).status).toBe(404)
    await app.uploads.sweep()
    app.ctx.clock.jump(3 * HOUR_MS)
    await app.uploads.sweep()
    expect(await app.uploads.read(pictures[0], 'ticket')).not.toBeNull()
    const { ctx, uploads: store, catalogue, settings } = app
    const parts = { ctx, uploads: store, catalogue, settings }
    const step = await uploads.step(parts, { userId: alice.id, language: 'en' }, null)
    expect(step.name).toMatch(/^uploads\//)
    expect(step.content.length).toBeGreaterThan(0)
  })
})

describe('verdicts', () => {
  it('OD14.2: a verdict changes no result, and only a void order gets "void by the rules"', async () => {
    const markets = await app.staff('markets')
    const won = await opened({ about_kind: 'order', about: await settledOrder(), topic: 'result' })
    const balance = async () => (await app.call(calls.profile, { token: alice.token })).body.data.user.balance
    const before = await balance()
    const rows = await database.db.selectFrom('order_history').selectAll().execute()
    expect((await decide(markets, won, 'void')).body.code).toBe('verdict_unfit')
    expect((await decide(markets, won, 'correct')).status).toBe(200)
    expect((await read(won)).body.data.ticket).toMatchObject({ verdict: 'correct', state: 'waiting_user' })
    expect((await decide(markets, won, 'mistake', 2)).status).toBe(200)
    expect(await database.db.selectFrom('order_history').selectAll().execute()).toEqual(rows)
    expect(await balance()).toBe(before)
    const voided = await opened({ about_kind: 'order', about: await settledOrder({ isVoid: true }), topic: 'result' })
    expect((await decide(markets, voided, 'void')).body.data.ticket.verdict).toBe('void')
  })

  it('OD14.2: staff cannot give the verdict "as it should be" about an order without a result', async () => {
    await deposit()
    const no = await opened({ about_kind: 'order', about: await place(), topic: 'price' })
    await app.receipts.idle()
    const markets = await app.staff('markets')
    const { body } = await markets.call(staffCalls.staffTicketEvidence, { params: { no } })
    expect(body.data.order?.check.outcome).toBe('later')
    expect((await decide(markets, no, 'correct')).body.code).toBe('verdict_unfit')
  })

  it('OD14.2: only the role markets gives verdicts about orders, and only finance about payments', async () => {
    const trx = await settledOrder()
    const order = await opened({ about_kind: 'order', about: trx, topic: 'result' })
    const paid = await opened({ about_kind: 'deposit', about: await deposit() })
    const [markets, finance, support] = await Promise.all(
      ['markets', 'finance', 'support'].map((one) => app.staff(one)),
    )
    assert(markets && finance && support, 'staff')
    expect((await decide(finance, order, 'correct')).status).toBe(403)
    expect((await decide(support, order, 'correct')).status).toBe(403)
    expect((await decide(markets, paid, 'correct')).status).toBe(404)
    expect((await decide(finance, paid, 'void')).body.code).toBe('verdict_unfit')
    expect((await decide(finance, paid, 'mistake')).status).toBe(200)
    const entries = await database.db.selectFrom('admin_action').select(['what', 'target']).execute()
    expect(entries).toContainEqual({ what: 'tickets/:no/verdict', target: paid })
  })

  it('OD14.2: the evidence of a deposit lists its steps: requested and credited', async () => {
    const trx = await deposit()
    const no = await opened({ about_kind: 'deposit', about: trx })
    const finance = await app.staff('finance')
    const { payment } = (await finance.call(staffCalls.staffTicketEvidence, { params: { no } })).body.data
    expect(payment).toMatchObject({ trx, amount: 1_000, steps: [{ step: 'requested' }, { step: 'credited' }] })
  })

  it('OD14.2: goodwill is paid as an adjustment that two staff members approve, and the number of such payments is public', async () => {
    const [finance, finance2] = [await app.staff('finance'), await app.staff('finance2')]
    const body = { user_id: alice.id, kind: 'goodwill', link: '', amount: 5, reason: 'T-1', message: 'Sorry' } as const
    const { id } = (await finance.call(staffCalls.staffRequestCorrection, { body })).body.data
    const { content_hash } = (await finance.call(staffCalls.staffCorrection, { params: { id } })).body.data
    const approve = (by: StaffSession) =>
      by.call(staffCalls.staffApproveCorrection, { params: { id }, body: { content_hash } })
    expect((await approve(finance)).body.code).toBe('asked_yourself')
    expect((await app.call(calls.proofGoodwill)).body.data).toEqual({ payments: 0, payments_90_days: 0 })
    expect((await approve(finance2)).body.data.outcome).toBe('posted')
    app.ctx.clock.advance(MINUTE_MS)
    expect((await app.call(calls.proofGoodwill)).body.data).toEqual({ payments: 1, payments_90_days: 1 })
    expect((await app.call(calls.profile, { token: alice.token })).body.data.user.balance).toBe(5)
  })
})

describe('calls about tickets', () => {
  it('OD14.3: every call answers 404 for orders, payments and tickets of other users, and for tickets that a role may not see', async () => {
    const bob = await app.verifiedUser('bob')
    const trx = await deposit(bob)
    for (const about of [
      { about_kind: 'deposit', about: trx },
      { about_kind: 'withdrawal', about: trx },
      { about_kind: 'order', about: 'FW-NONE', topic: 'result' },
      { about_kind: 'account', about: trx },
    ] as const) {
      const { status, body } = await open(about)
      expect([status, body.code]).toEqual([404, 'about_unknown'])
    }
    const no = await opened()
    const params = { no }
    expect((await read(no, bob)).status).toBe(404)
    expect((await write(no, 'Hello', bob)).status).toBe(404)
    expect((await app.call(calls.closeTicket, { token: bob.token, params })).status).toBe(404)
    expect((await app.call(calls.tickets, { token: bob.token })).body.data.tickets).toEqual([])
    const markets = await app.staff('markets')
    for (const call of [staffCalls.staffTicket, staffCalls.staffTicketEvidence, staffCalls.staffTakeTicket])
      expect((await markets.call(call, { params })).status).toBe(404)
    expect(await listed(markets, 'all')).toEqual([])
    const find = { query: { q: no } }
    expect((await markets.call(staffCalls.staffFind, find)).body.data.groups).toEqual([])
    const found = (await (await app.staff('support')).call(staffCalls.staffFind, find)).body.data.groups
    expect(found).toMatchObject([{ kind: 'ticket', items: [{ id: no, line: 'alice' }] }])
  })

  it('OD14.3: markup in a message is kept as plain text', async () => {
    const words = '<script>alert(1)</script> **bold** & [a](javascript:b)'
    const { no } = (await open({}, alice, words)).body.data.ticket
    expect((await read(no)).body.data.ticket.messages[0]?.words).toBe(words)
    const support = await app.staff('support')
    expect((await support.call(staffCalls.staffTicket, { params: { no } })).body.data.messages[0]?.words).toBe(words)
  })

  it.each(['stored', 'changed'])(
    'OD14.3: a ticket shows the same recomputed result as the check page when the stored result is as %s',
    async (result) => {
      const trx = await settledOrder()
      if (result === 'changed')
        await database.asOwner((db) =>
          db.updateTable('order_history').set({ result: 2 }).where('trx', '=', trx).execute(),
        )
      const no = await opened({ about_kind: 'order', about: trx, topic: 'result' })
      const receipts = (await app.call(calls.proofReceipt, { params: { trx } })).body.data
      const { data: evidence } = (await app.call(calls.proofEvidence, { params: { trx } })).body
      const { keys } = (await app.call(calls.proofKeys)).body.data
      const bundle = readBundle({ ...receipts, evidence, keys })
      assert(bundle, 'a bundle')
      const page = checkBundle(BROWSER_TOOLS, { ...bundle, ...bundle.evidence })
      const markets = await app.staff('markets')
      const { order } = (await markets.call(staffCalls.staffTicketEvidence, { params: { no } })).body.data
      expect(order?.check).toEqual({
        outcome: result === 'stored' ? 'matches' : 'differs',
        recomputed: page.recomputed,
        faults: page.faults,
      })
      expect(page.recomputed).toBe('win')
      expect(order).toMatchObject({
        symbol: 'BTC',
        exit: { price: 94_000.5 },
        delays: { entry_ms: expect.any(Number) },
      })
      expect(order?.expiry_ticks.map(({ q }) => q)).toContain(order?.exit?.q)
      const wrong = await decide(markets, no, 'correct')
      expect(wrong.body.code).toBe(result === 'stored' ? undefined : 'verdict_unfit')
    },
  )

  it('OD14.3: an answer that does not name the newest message is refused, and a repeated answer is sent once', async () => {
    const no = await opened()
    const support = await app.staff('support')
    await write(no)
    expect((await answer(support, no, 1)).body.code).toBe('content_changed')
    const replies = await Promise.all([1, 2].map(() => answer(support, no, 2, { request_id: 'one' })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect((await read(no)).body.data.ticket.messages).toHaveLength(3)
    expect((await answer(support, no, 3, { request_id: 'one' })).body.code).toBe('request_conflict')
  })

  it('OD14.3: of two staff members who take an unassigned ticket, one becomes the assignee and can reassign the ticket', async () => {
    const no = await opened()
    const [support, finance] = [await app.staff('support'), await app.staff('finance')]
    expect([await listed(support, 'nobody'), await listed(support, 'mine')]).toEqual([[no], []])
    const take = (by: StaffSession) => by.call(staffCalls.staffTakeTicket, { params: { no } })
    const both = await Promise.all([take(support), take(finance)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const [owner, other] = both[0]?.status === 200 ? [support, finance] : [finance, support]
    expect([await listed(owner, 'mine'), await listed(owner, 'nobody'), await listed(owner, 'overdue')]).toEqual([
      [no],
      [],
      [],
    ])
    const { people, owner_id: from } = (await owner.call(staffCalls.staffTicket, { params: { no } })).body.data
    const to = people.find(({ name }) => name === other.name)?.id ?? null
    const move = (body: { from: string | null; to: string | null }) =>
      owner.call(staffCalls.staffMoveTicket, { params: { no }, body })
    expect((await move({ from: null, to })).body.code).toBe('changed_meanwhile')
    expect((await move({ from, to: app.ctx.newId() })).body.code).toBe('ticket_blind')
    expect((await move({ from, to })).body.data.ticket.owner).toBe(other.name)
    expect(await listed(other, 'mine')).toEqual([no])
    expect((await readTicketQueue(database.db)).waiting).toBe(1)
  })

  it('OD14.3: a closed ticket of a staff member who was blocked is unassigned when its user opens it again', async () => {
    const no = await opened()
    const [support, boss] = [await app.staff('support'), await app.staff('owner')]
    await support.call(staffCalls.staffTakeTicket, { params: { no } })
    expect((await answer(support, no, 1, { closes: true })).status).toBe(200)
    const { rows } = (await boss.call(staffCalls.staffMembers)).body.data
    const member = rows.find(({ name }) => name === support.name)
    assert(member, 'support is listed')
    const block = { role: member.role, is_blocked: true, version: member.version, reason: 'Left the company.' }
    expect((await boss.call(staffCalls.staffChangeMember, { params: { id: member.id }, body: block })).status).toBe(200)
    expect((await write(no)).status).toBe(200)
    expect(await listed(boss, 'nobody')).toEqual([no])
  })

  it('OD14.3: the tickets of a staff member who is blocked become unassigned', async () => {
    const no = await opened()
    const [support, boss] = [await app.staff('support'), await app.staff('owner')]
    await support.call(staffCalls.staffTakeTicket, { params: { no } })
    expect(await listed(boss, 'nobody')).toEqual([])
    const { rows } = (await boss.call(staffCalls.staffMembers)).body.data
    const member = rows.find(({ name }) => name === support.name)
    assert(member, 'support is listed')
    const block = { role: member.role, is_blocked: true, version: member.version, reason: 'Left the company.' }
    expect((await boss.call(staffCalls.staffChangeMember, { params: { id: member.id }, body: block })).status).toBe(200)
    expect(await listed(boss, 'nobody')).toEqual([no])
  })

  it('OD14.3: a user and a staff member can write to one ticket at the same time without a deadlock', async () => {
    const no = await opened()
    const support = await app.staff('support')
    for (let round = 0; round < 10; round += 1) {
      const last = (await read(no)).body.data.ticket.messages.length
      const [mine, theirs] = await Promise.all([write(no), answer(support, no, last)])
      expect([mine.status, [200, 409].includes(theirs.status)]).toEqual([200, true])
    }
  })

  it('OD14.3: staff close a ticket about a payment only with a verdict, and send no answer after it', async () => {
    const no = await opened({ about_kind: 'deposit', about: await deposit() })
    const finance = await app.staff('finance')
    expect((await answer(finance, no, 1, { closes: true })).body.code).toBe('verdict_needed')
    await decide(finance, no, 'mistake')
    expect((await answer(finance, no, 2, { closes: true })).body.data.ticket.state).toBe('closed')
    expect((await answer(finance, no, 3)).body.code).toBe('ticket_over')
    const remark = await finance.call(staffCalls.staffRemarkTicket, { params: { no }, body: { text: 'For us.' } })
    expect(remark.body.data.remarks).toMatchObject([{ who: 'finance', text: 'For us.' }])
    expect(JSON.stringify((await read(no)).body)).not.toContain('For us.')
  })
})
