import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { approveDeposit } from '#server/payments/deposits/approve-deposit.ts'
import { storedRateAt } from '#server/payments/deposits/gateway-rate.ts'
import { recordArrival } from '#server/payments/deposits/record-arrival.ts'
import { migrateToLatest } from '#server/platform/database/migrate.ts'
import { migrations } from '#server/platform/database/migrations/index.ts'
import { insertUser } from '#server/users/accounts/users.queries.ts'
import { openEmbeddedTestDatabase } from '#test/support/embedded-test-database.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { createTestContext } from '#test/support/test-context.ts'

const USER = '018f3c1e-7a4b-7c3d-8e5f-000000000001'
const BANK = 90
const LIMITS = { mode: 'demo', twoPeopleAbove: money(1_000_000), onePersonDaily: money(1_000_000) } as const

let database: Awaited<ReturnType<typeof openEmbeddedTestDatabase>>
beforeAll(async () => {
  const url = process.env['TEST_DATABASE_URL']
  database = url ? await openPostgresTestDatabase(url) : await openEmbeddedTestDatabase()
})
afterAll(() => database.close())

it('F98: deposits of an older installation keep their state, and their quotes have no end', async () => {
  const { db } = database
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await migrateToLatest(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0070')))
  const ctx = createTestContext(db)
  await db.transaction().execute(async (tx) => {
    await insertUser(tx, {
      id: USER,
      username: 'alice',
      email: 'alice@example.com',
      mobile: '1',
      mobileCode: '+1',
      countryCode: 'US',
      passwordHash: 'x',
      pinHash: 'x',
      invitationCode: null,
      language: 'en',
      verified: true,
      createdAt: ctx.now(),
    })
    await sql`insert into gateway (id, kind, name, currency, min_amount, max_amount, fixed_charge,
        percent_charge_basis_points, rate_millionths, sort)
      values (${BANK}, 'deposit', 'Bank', 'EUR', 1, 1000000, 0, 200, 1080000, 1)`.execute(tx)
  })
  const times = sql`${ctx.now() - 2_000}::int8`
  const add = (status: number, decided: number | null) => sql`insert into deposit (user_id, id, trx, gateway_id, status,
      currency, amount, percent_charge, fixed_charge, total, rate_millionths, credited, created_ms, decided_ms)
    values (${USER}, ('00000000-0000-7000-8000-00000000000' || ${status})::uuid, 'FW-' || ${status}, ${BANK}, ${status},
      'EUR', 10000, 200, 0, 10200, 1080000, 10800, ${times}, ${decided})`
  await db.transaction().execute(async (tx) => {
    await add(1, ctx.now()).execute(tx)
    await sql`insert into admin_action (id, at_ms, who, what, target, outcome, after)
      values (gen_random_uuid(), 0, 'finance', 'deposits approve', 'FW-1', 'done', '{"status": 1}')`.execute(tx)
    await sql`insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
      select user_id, id, 'deposit', 'deposit', 'house:deposits', 'cash', 'USDT', credited, decided_ms from deposit`.execute(
      tx,
    )
    await sql`update balance set cash = 10800 where user_id = ${USER}`.execute(tx)
    await add(2, null).execute(tx)
    await add(3, ctx.now()).execute(tx)
  })

  await migrateToLatest(db)

  const rows = await db
    .selectFrom('deposit')
    .select(['trx', 'state', 'quoted_until', 'before_arrivals', 'percent_basis_points'])
    .orderBy('trx')
    .execute()
  const common = { quoted_until: null, percent_basis_points: 200 }
  expect(rows).toEqual([
    { ...common, trx: 'FW-1', state: 'credited', before_arrivals: true },
    { ...common, trx: 'FW-2', state: 'waiting', before_arrivals: false },
    { ...common, trx: 'FW-3', state: 'rejected', before_arrivals: false },
  ])
  const steps = await db.selectFrom('payment_event').select('step').orderBy('step').execute()
  expect(steps.map(({ step }) => step)).toEqual(['credited', 'rejected', 'requested', 'requested', 'requested'])

  // Both the pending and the credited deposit can get more money.
  const actor = { who: 'operator', what: 'deposits' }
  for (const [trx, amount, credited] of [
    ['FW-2', '102', 10_800n],
    ['FW-1', '10.20', 1_080n],
  ] as const) {
    const arrived = { trx, amount, seenAt: ctx.now(), reference: `of ${trx}`, actor }
    expect(await recordArrival({ ctx, rateAt: storedRateAt }, arrived)).toMatchObject({ ok: true })
    const approved = await approveDeposit(ctx, { trx, actor, limits: LIMITS })
    expect(approved).toMatchObject({ ok: true, value: { creditedNow: credited } })
  }
  expect((await checkLedger(db)).mismatches).toEqual([])
})
