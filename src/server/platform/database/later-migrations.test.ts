import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRANSFER_KINDS } from '#core/ledger/transfer-kinds.ts'
import { NO_PREVIOUS, readTermsText, type TermsPart } from '#core/markets/terms/terms-entry.ts'
import { toHex } from '#core/proof/bytes.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { readTermsHistory, termsHash } from '#server/market-data/catalogue/terms.queries.ts'
import { migrateToLatest } from '#server/platform/database/migrate.ts'
import { migrations } from '#server/platform/database/migrations/index.ts'
import { openEmbeddedTestDatabase } from '#test/support/embedded-test-database.ts'
import { historyRow } from '#test/support/history-row.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'

const DRAW_ID = '018f3c1e-7a4b-7c3d-8e5f-000000000001'
const VOID_ID = '018f3c1e-7a4b-7c3d-8e5f-000000000002'
const MIGRATION_BEFORE = '0001-baseline'

let database: Awaited<ReturnType<typeof openEmbeddedTestDatabase>>
beforeAll(async () => {
  const url = process.env['TEST_DATABASE_URL']
  database = url ? await openPostgresTestDatabase(url) : await openEmbeddedTestDatabase()
})
afterAll(() => database.close())

function addOrder(id: string, result: number, voidReason: string | null): Promise<unknown> {
  const order = historyRow({ user_id: DRAW_ID, id, settled_ms: 1_000, result, void_reason: voidReason })
  return database.db.insertInto('order_history').values(order).execute()
}

it('void orders of the first schema get the result 4, which differs from a draw', async () => {
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  await migrateToLatest(database.db, Object.fromEntries([[MIGRATION_BEFORE, migrations[MIGRATION_BEFORE]!]]))
  await addOrder(DRAW_ID, 3, null)
  await addOrder(VOID_ID, 3, 'no_price_after_expiry')

  await migrateToLatest(database.db)

  const orders = await database.db.selectFrom('order_history').select(['id', 'result']).orderBy('id').execute()
  expect(orders).toEqual([
    { id: DRAW_ID, result: 3 },
    { id: VOID_ID, result: 4 },
  ])
})

describe('trade terms of an older installation', () => {
  const AT = 1_700_000_000_000
  const LATER = Date.UTC(2100, 0, 1)
  beforeAll(async () => {
    const { db } = database
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    const older = Object.entries(migrations).filter(([name]) => name < '0006')
    await migrateToLatest(db, Object.fromEntries(older))
    await sql`insert into setting (key, value, updated_ms) values ('payout_notice_seconds', '7200', 0)`.execute(db)
    await sql`insert into trade_setting (id, seconds, unit, min_amount, max_amount, is_offered)
      values (1, 60, 'minute', 1000, 500000, true), (2, 300, 'minute', 2000, 700000, false)`.execute(db)
    await sql`insert into payout_version (trade_setting_id, version, profit_basis_points, applies_from_ms, announced_ms)
      values (1, 1, 12000, 0, ${AT}::int8), (1, 2, 8000, ${AT + 7_200_000}::int8, ${AT + 5}::int8),
        (2, 1, 8500, ${AT}::int8, ${AT}::int8)`.execute(db)
    await sql`insert into market_symbol (id, code, name, market_type, decimals, max_tick_age_ms, sort, is_listed)
      values (1, 'BTC', 'Bitcoin', 'crypto', 2, 3000, 1, true), (2, 'OLD', 'Old', 'crypto', 2, 5000, 2, false)`.execute(
      db,
    )
    // An open order keeps the limit of 5 s until it has ended.
    await sql`insert into tick_age_before (symbol_id, until_ms, max_tick_age_ms)
      values (1, 1, 9000), (1, ${LATER}::int8, 5000)`.execute(db)
    await sql`insert into open_order (user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction,
        stake, profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms)
      values (${DRAW_ID}, ${DRAW_ID}, 'one', 'FW-1', 1, 1, 60, 1, 1000, 8000, 1, 1, 1, 1, 'test', ${AT}::int8,
        ${LATER - 1}::int8)`.execute(db)
    await migrateToLatest(db)
  })
  const history = async () => await readTermsHistory(database.db)
  const valuesOf = async (what: TermsPart, of: string) =>
    (await history()).steps(what, of).map(({ value, appliesAt }) => [value, appliesAt])

  it('become the first entries of the history, and payouts keep their start times', async () => {
    expect(await valuesOf('payout', '60')).toEqual([
      ['12000', AT],
      ['8000', AT + 7_200_000],
    ])
    expect(await valuesOf('payout', '300')).toEqual([['8500', AT]])
    expect(await valuesOf('notice', 'all')).toEqual([['7200000', expect.any(Number)]])
    expect(await valuesOf('ceiling', 'all')).toEqual([['700000', expect.any(Number)]])
    expect((await valuesOf('duration', '60'))[0]?.[0]).toBe('open')
    expect((await valuesOf('duration', '300'))[0]?.[0]).toBe('withdrawn')
    expect((await valuesOf('min_stake', '300'))[0]?.[0]).toBe('2000')
    expect((await valuesOf('symbol', 'OLD'))[0]?.[0]).toBe('closing')
  })

  it('keep the price age of open orders until these have ended', async () => {
    expect(await valuesOf('max_tick_age', 'BTC')).toEqual([
      ['5000', expect.any(Number)],
      ['3000', LATER],
    ])
    const orders = await database.db.selectFrom('open_order').select(['terms_n', 'max_tick_age_ms']).execute()
    expect(orders).toEqual([{ terms_n: null, max_tick_age_ms: 5_000 }])
  })

  it('form a chain of entries that say they are older than the chain, and wait for the register in the order of the chain', async () => {
    const rows = await database.db.selectFrom('terms_entry').select(['n', 'text', 'hash']).orderBy('n').execute()
    const waiting = await database.db.selectFrom('register_pending').select('text').orderBy('id').execute()
    expect(waiting.map(({ text }) => text)).toEqual(rows.map(({ text }) => text))
    let previous = NO_PREVIOUS
    for (const { n, text, hash } of rows) {
      expect(readTermsText(text)).toMatchObject({ n: Number(n), isBefore: true, previous })
      expect(termsHash(text)).toBe(toHex(hash))
      previous = termsHash(text)
    }
    expect(rows).toHaveLength(16)
  })

  it('the migrations remove the old trade terms from the settings', async () => {
    const keys = await database.db.selectFrom('setting').select('key').execute()
    expect(keys).toEqual([])
  })
})

it('permissions that staff took away from users become measures, with a reason that the user reads and an end for a stake limit', async () => {
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  const names = Object.keys(migrations)
  const before = names.slice(0, names.indexOf('0014-measures'))
  await migrateToLatest(database.db, Object.fromEntries(before.map((name) => [name, migrations[name]!])))
  await sql`insert into app_user (id, username, mobile, password_hash, created_ms, trade_allowed, trade_reason,
      sign_in_blocked, sign_in_reason, max_stake) values
    (${DRAW_ID}, 'limited', '', '', 1, false, 'Send papers', true, 'a note of the staff', 5000),
    (${VOID_ID}, 'free', '', '', 1, true, '', false, '', null)`.execute(database.db)
  await sql`insert into balance (user_id, currency) values (${DRAW_ID}, 'USDT')`.execute(database.db)

  await migrateToLatest(database.db)

  const measures = await database.db.selectFrom('user_measure').selectAll().orderBy('kind').execute()
  const unknown = 'Set before reasons were shown to you.'
  expect(measures).toMatchObject([
    { user_id: DRAW_ID, kind: 'sign_in_off', value: null, reason: unknown, ended_ms: null },
    { user_id: DRAW_ID, kind: 'stake_limit', value: 5_000n, reason: unknown, ended_ms: null },
    { user_id: DRAW_ID, kind: 'trade_off', value: null, reason: 'Send papers', ended_ms: null },
  ])
  const limit = measures[1]
  expect(Number(limit?.until_ms) - Number(limit?.since_ms)).toBe(90 * DAY_MS)
  const account = await database.db
    .selectFrom('app_user')
    .selectAll()
    .where('id', '=', DRAW_ID)
    .executeTakeFirstOrThrow()
  expect(account).toMatchObject({
    trade_allowed: false,
    sign_in_blocked: true,
    sign_in_reason: unknown,
    max_stake: 5_000n,
  })
  const balance = await database.db.selectFrom('balance').selectAll().executeTakeFirstOrThrow()
  expect(balance).toMatchObject({ max_stake: 5_000n, max_stake_reason: unknown, trade_reason: 'Send papers' })
})

it.each([
  ['a void without a reason', 4, null],
  ['a draw with a reason', 3, 'no_price_after_expiry'],
  ['an unknown result', 6, null],
])('the database refuses %s', async (_what, result, voidReason) => {
  const id = '018f3c1e-7a4b-7c3d-8e5f-000000000003'
  await expect(addOrder(id, result, voidReason)).rejects.toMatchObject({ constraint: 'order_history_result_check' })
})

it('the database knows the same kinds of transfers as the code, and refuses any other', async () => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'transfer_kind_check'`.execute(
    database.db,
  )
  const known = [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind)
  expect(new Set(known)).toEqual(new Set(Object.keys(TRANSFER_KINDS)))

  const transfer = sql`
    insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
    values (${DRAW_ID}, ${DRAW_ID}, 'close', 'gift', 'house:bonus', 'cash', 'USD', 1, 0)`
  await expect(transfer.execute(database.db)).rejects.toMatchObject({ constraint: 'transfer_kind_check' })
})
