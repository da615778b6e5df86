import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import {
  NO_PREVIOUS,
  readTermsText,
  type TermsEntry,
  type TermsPart,
  termsText,
} from '#core/markets/terms/terms-entry.ts'
import { money } from '#core/money/money.ts'
import { HOUR_MS, instant, later, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import { readConfig } from '#server/app/config/config.ts'
import { createApp } from '#server/app/create-app.ts'
import { termsHash } from '#server/market-data/catalogue/terms.queries.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { createTestContext, TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const database = useTestDatabase()

interface Change {
  readonly what: TermsPart
  readonly of: string
  readonly value: string
  readonly announcedAt: number
  readonly appliesAt: number
}

/** Adds an entry to the history by SQL with the rights of the server, as a changed program could. */
async function insertBySql({ what, of, value, announcedAt, appliesAt }: Change, change: object = {}): Promise<unknown> {
  const last = await database.db.selectFrom('terms_entry').selectAll().orderBy('n', 'desc').executeTakeFirst()
  const entry: TermsEntry = {
    n: Number(last?.n ?? 0) + 1,
    what,
    of,
    value,
    announcedAt: instant(announcedAt),
    appliesAt: instant(appliesAt),
    isBefore: false,
    previous: last === undefined ? NO_PREVIOUS : termsHash(last.text),
  }
  const text = termsText(entry)
  return await database.db
    .insertInto('terms_entry')
    .values({
      n: entry.n,
      kind: what,
      subject: of,
      value,
      announced_ms: announcedAt,
      applies_ms: appliesAt,
      text,
      hash: Buffer.from(termsHash(text), 'hex'),
      ...change,
    })
    .execute()
}

describe('the calls', () => {
  let app: TestApp
  let owner: StaffSession
  let user: TestUser
  beforeEach(async () => {
    app = await createTestApp(database)
    await app.startMarkets()
    owner = await app.staff('owner')
    user = await app.verifiedUser('alice')
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  })
  afterEach(() => app.stop())

  const announce = async (
    what: Exclude<TermsPart, 'cap'>,
    of: string,
    value: string,
    appliesAt: string | null = null,
  ) => {
    const { newest_n: seen } = (await owner.call(staffCalls.staffTermsState)).body.data
    return await owner.call(staffCalls.staffAnnounceTerms, {
      body: { what, of, value, applies_at: appliesAt, seen_n: seen },
    })
  }
  const nowIso = () => toIso(app.ctx.now())
  const offered = async () => (await app.call(calls.currencyList)).body.data.trade_settings
  const published = async () => {
    const { entries } = (await app.call(calls.proofTerms)).body.data
    return entries.map(({ text }) => readTermsText(text))
  }
  let orders = 0
  async function place(tradeSettingId: number) {
    const time = app.ctx.now()
    app.feed.tick(BTC, 9_400_000, time)
    app.ctx.clock.advance(100)
    await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
    orders += 1
    const fixed = { direction: 1, stake: money(10_000n), symbol: 'BTC', marketType: null, slippageGuard: null } as const
    return await app.engine.place({ userId: user.id, clientOrderId: `order-${orders}`, tradeSettingId, ...fixed })
  }

  it('A30: attack: a new duration renamed to an old one', async () => {
    const names = Object.entries(staffCalls).filter(([, call]) => call.path.startsWith('/admin/markets/terms'))
    // Only one call changes terms. Its body names seconds only to select a duration.
    expect(names.filter(([, { method }]) => method === 'POST').map(([name]) => name)).toEqual(['staffAnnounceTerms'])
    for (const statement of [
      sql`update trade_setting set seconds = 60 where id = 2`,
      sql`update trade_setting set id = 9 where id = 2`,
      sql`delete from trade_setting where id = 2`,
      sql`update terms_entry set value = '9900' where kind = 'payout'`,
      sql`delete from terms_entry`,
      sql`insert into trade_setting (id, seconds, is_offered) values (77, 77, true)`,
      sql`update market_symbol set code = 'ETH' where code = 'BTC'`,
      sql`update market_symbol set decimals = 5 where code = 'BTC'`,
    ])
      await expect(statement.execute(app.ctx.db), statement.compile(app.ctx.db).sql).rejects.toThrow(
        /permission denied/,
      )
    await expect(sql`insert into trade_setting (id, seconds) values (77, 60)`.execute(app.ctx.db)).rejects.toThrow(
      /unique/,
    )
  })

  it('A31: attack: a duration withdrawn and opened again with another payout', async () => {
    await announce('duration', '60', 'withdrawn')
    await app.passNotice()
    expect((await offered()).map(({ time }) => time)).not.toContain(60)
    expect((await announce('duration', '60', 'open', nowIso())).body.code).toBe('notice_too_short')
    expect((await announce('payout', '60', '5000', nowIso())).body.code).toBe('notice_too_short')
    await announce('duration', '60', 'open')
    expect((await offered()).map(({ time }) => time)).not.toContain(60)
    await app.passNotice()
    expect((await offered()).find(({ time }) => time === 60)).toMatchObject({ id: 1, profit_percentage: 80 })
  })

  it('A32: attack: first payout without notice', async () => {
    await announce('duration', '120', 'open')
    await announce('min_stake', '120', '100')
    await announce('max_stake', '120', '100000')
    await app.passNotice()
    expect((await announce('payout', '120', '10', nowIso())).body.code).toBe('terms_bounds')
    expect((await announce('payout', '120', '9000', nowIso())).body.code).toBe('notice_too_short')
    const at = app.ctx.now()
    const atOnce = { what: 'payout', of: '120', value: '9000', announcedAt: at, appliesAt: at } as const
    await expect(insertBySql(atOnce)).rejects.toThrow(/notice is too short/)
    expect((await offered()).map(({ time }) => time)).not.toContain(120)
  })

  it('A33: attack: notice period shortened, then used', async () => {
    await announce('notice', 'all', String(3 * HOUR_MS))
    await app.passNotice()
    const shortenedAt = app.ctx.now()
    expect((await announce('notice', 'all', String(MINUTE_MS), toIso(later(shortenedAt, HOUR_MS)))).body.code).toBe(
      'notice_too_short',
    )
    await announce('notice', 'all', String(2 * HOUR_MS))
    // A second announcement cannot build on the first one, which is not in effect yet.
    const second = await announce('notice', 'all', String(MINUTE_MS))
    expect(second.body.data.applies_at).toBe(toIso(later(shortenedAt, 3 * HOUR_MS)))
    const payout = await announce('payout', '60', '5000')
    expect(payout.body.data.applies_at).toBe(toIso(later(shortenedAt, 3 * HOUR_MS)))
    const soon = { announcedAt: shortenedAt, appliesAt: later(shortenedAt, 2 * HOUR_MS) }
    await expect(insertBySql({ what: 'payout', of: '60', value: '5000', ...soon })).rejects.toThrow(/too short/)
    await expect(insertBySql({ what: 'notice', of: 'all', value: '60000', ...soon })).rejects.toThrow(/too short/)
  })

  it('A34: attack: payout of 200 %', async () => {
    expect((await announce('payout', '60', '20000')).body).toMatchObject({
      code: 'terms_bounds',
      message: 'The value must be between 1 and 100.',
    })
    const at = app.ctx.now()
    const change = { what: 'payout', of: '60', value: '20000', announcedAt: at, appliesAt: later(at, HOUR_MS) } as const
    await expect(insertBySql(change)).rejects.toThrow(/outside its limits/)
  })

  it('A35: attack: a duration of ten seconds for a friend, withdrawn after one order', async () => {
    for (const [what, value] of [
      ['duration', 'open'],
      ['min_stake', '100'],
      ['max_stake', '100000'],
      ['payout', '10000'],
    ] as const)
      expect((await announce(what, '10', value)).status).toBe(200)
    // During the whole notice period, the page of changes shows the entry. Until its end no order can use the payout.
    const entry = (await published()).find((one) => one?.what === 'payout' && one.of === '10')
    expect(entry).toMatchObject({ value: '10000', appliesAt: later(app.ctx.now(), MINUTE_MS + 5 * SECOND_MS) })
    expect((await offered()).map(({ time }) => time)).not.toContain(10)
    await app.passNotice()
    const id = (await offered()).find(({ time }) => time === 10)?.id ?? 0
    expect(await place(id)).toMatchObject({ ok: true, value: { payout: 10_000 } })
    await announce('duration', '10', 'withdrawn')
    const { terms_n: named } = await app.ctx.db.selectFrom('open_order').select('terms_n').executeTakeFirstOrThrow()
    expect(Number(named)).toBe(entry?.n)
    const about = (await published()).filter((one) => one?.of === '10').map((one) => one?.value)
    expect(about).toEqual(['withdrawn', '10000', '100000', '100', 'open'])
  })

  it('A36: attack: maximum price age of ten minutes', async () => {
    const minutes = String(10 * MINUTE_MS)
    expect((await announce('max_tick_age', 'BTC', minutes)).body.code).toBe('terms_bounds')
    const at = app.ctx.now()
    const change = { what: 'max_tick_age', of: 'BTC', value: minutes, announcedAt: at, appliesAt: later(at, HOUR_MS) }
    await expect(insertBySql({ ...change, what: 'max_tick_age' })).rejects.toThrow(/outside its limits/)
    await expect(
      sql`update market_symbol set max_tick_age_ms = 600000 where code = 'BTC'`.execute(app.ctx.db),
    ).rejects.toThrow(/permission denied/)
    await database.asOwner((db) => sql`update market_symbol set max_tick_age_ms = 600000`.execute(db))
    await app.catalogue.reload()
    expect(app.catalogue.byId(BTC)?.maxTickAgeMs).toBe(5_000)
  })

  it('A38: attack: terms that the register does not show', async () => {
    await announce('payout', '60', '5000')
    app.ctx.clock.step(2 * MINUTE_MS)
    expect(await place(1)).toMatchObject({ refusal: 'terms_not_logged' })
    await app.publishTerms()
    expect(await place(1)).toMatchObject({ value: { payout: 5_000 } })
    await app.ctx.db
      .insertInto('register_halt')
      .values({ id: app.ctx.newId(), at_ms: app.ctx.now(), cause: 'backup', known_size: null })
      .execute()
    expect((await announce('payout', '60', '8000')).body.code).toBe('terms_not_logged')
  })
})

describe('the history in the database', () => {
  const AT = TEST_START
  async function begin(mode: 'demo' | 'live'): Promise<void> {
    await database.db
      .insertInto('log_identity')
      .values({ log: 1, origin: 'localhost/register', mode, keys: '', made_ms: AT })
      .execute()
    await database.db.insertInto('trade_setting').values({ id: 1, seconds: 60 }).execute()
    await first('duration', 'open')
    await first('payout', '8000')
  }
  const first = (what: TermsPart, value: string) =>
    insertBySql({ what, of: '60', value, announcedAt: AT, appliesAt: AT })
  const payout = (change: Partial<Change> = {}): Change => ({
    what: 'payout',
    of: '60',
    value: '5000',
    announcedAt: AT,
    appliesAt: later(AT, HOUR_MS),
    ...change,
  })
  const addUser = () =>
    database.db
      .insertInto('app_user')
      .values({
        id: '0195a000-0000-7000-8000-000000000001',
        username: 'alice',
        email: null,
        mobile: '5551234',
        password_hash: 'none',
        pin_hash: null,
        image_path: null,
        invitation_code: null,
        created_ms: AT,
      })
      .execute()

  it.each([
    ['live', HOUR_MS],
    ['demo', MINUTE_MS],
  ] as const)('A33: attack: less notice than the floor of the mode %s', async (mode, noticeMs) => {
    await begin(mode)
    await addUser()
    await expect(insertBySql(payout({ appliesAt: later(AT, noticeMs - 1) }))).rejects.toThrow(/notice is too short/)
    await insertBySql(payout({ appliesAt: later(AT, noticeMs) }))
  })

  it('A32: attack: first terms of an installation that has users', async () => {
    await begin('live')
    await first('min_stake', '100')
    await addUser()
    await expect(first('max_stake', '100')).rejects.toThrow(/notice is too short/)
  })

  it.each<[string, Change, object, RegExp]>([
    ['an earlier announcement', payout({ announcedAt: AT - HOUR_MS, appliesAt: AT }), {}, /out of order/],
    ['a number that was left out', payout(), { n: 9 }, /out of order/],
    ['other columns than its text', payout(), { value: '9000' }, /text differs/],
    ['a text that says it is older', payout(), { text: '{"before":true}' }, /text differs|terms_entry_hash_check/],
    ['another hash', payout(), { hash: Buffer.alloc(32) }, /terms_entry_hash_check/],
    ['a part that does not exist', payout(), { kind: 'odds' }, /text differs|terms_entry_kind_check/],
    ['a duration that does not exist', payout({ of: '61' }), {}, /unknown subject/],
    ['a symbol that does not exist', payout({ what: 'symbol', of: 'NOPE', value: 'open' }), {}, /unknown symbol/],
    ['more than 90 days', payout({ appliesAt: later(AT, 91 * 24 * HOUR_MS) }), {}, /too far ahead/],
    [
      'ten seconds with real money',
      payout({ what: 'duration', of: '10', value: 'open' }),
      {},
      /unknown subject|limits/,
    ],
  ])('A33: attack: an entry with %s', async (_, change, columns, reason) => {
    await begin('live')
    await addUser()
    await expect(insertBySql(change, columns)).rejects.toThrow(reason)
  })

  it('A37: attack: the mode switched to demo for a minute', async () => {
    await begin('live')
    await addUser()
    await expect(sql`update log_identity set mode = 'demo'`.execute(database.db)).rejects.toThrow(/permission denied/)
    await expect(sql`delete from log_identity`.execute(database.db)).rejects.toThrow(/permission denied/)
    // A second row has no effect: only the first row counts, and it cannot be changed.
    await database.db
      .insertInto('log_identity')
      .values({ log: 2, origin: 'localhost/register/2', mode: 'demo', keys: '', made_ms: AT })
      .execute()
    await expect(insertBySql(payout({ appliesAt: later(AT, MINUTE_MS) }))).rejects.toThrow(/notice is too short/)
    const ctx = createTestContext(database.db)
    await expect(createApp(readConfig({ PORT: '0', FAIRWICK_BOTS: 'off' }), ctx.log, { ctx })).rejects.toThrow(
      /belongs to a live installation/,
    )
  })
})
