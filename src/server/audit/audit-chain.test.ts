import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { recordAction } from '#server/audit/record-action.ts'
import { verifyChain } from '#server/audit/verify-audit-chain.ts'
import { PRIVILEGES } from '#server/platform/database/server-role.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
beforeEach(async () => {
  ctx = createTestContext(database.db)
})

const ada = { who: 'ada', what: 'settings set', requestId: 'r-1', address: '10.0.0.1' }

async function record(count: number, target = 'site_name'): Promise<void> {
  for (let place = 0; place < count; place += 1) {
    const change = { target, outcome: 'done', before: { name: 'ä "1"' }, after: { name: `Wick ${place}` } } as const
    await recordAction(ctx.db, ctx, ada, change)
  }
}

/** Executes a statement as the owner of the database, with the triggers of `admin_action` disabled. */
function byHand(statement: ReturnType<typeof sql>): Promise<void> {
  return database.asOwner(async (owner) => {
    await sql`alter table admin_action disable trigger user`.execute(owner)
    await statement.execute(owner)
    await sql`alter table admin_action enable trigger user`.execute(owner)
  })
}

describe('the audit chain', () => {
  it('passes the verification over all entries, and the report has the number and hash of the last entry', async () => {
    expect(await verifyChain(ctx.db)).toEqual({ lines: 0, end: null, broken: null })
    await record(3)
    const report = await verifyChain(ctx.db)
    expect(report).toMatchObject({ lines: 3, broken: null })
    expect(report.end?.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('gives each entry one predecessor and one successor under concurrent writers', async () => {
    const writes = Array.from({ length: 40 }, (_, place) =>
      ctx.db.transaction().execute(async (tx) => {
        await recordAction(tx, ctx, ada, { target: `a${place}`, outcome: 'done' })
        // Writes two entries in one transaction. Before the commit, no entry waits for entries of other transactions.
        await recordAction(tx, ctx, ada, { target: `b${place}`, outcome: 'done' })
      }),
    )
    await Promise.all(writes)
    expect(await verifyChain(ctx.db)).toMatchObject({ lines: 80, broken: null })
  })

  it('contains nothing of a rolled-back transaction', async () => {
    await record(1)
    const failing = ctx.db.transaction().execute(async (tx) => {
      await recordAction(tx, ctx, ada, { target: 'x', outcome: 'done' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await record(1)
    expect(await verifyChain(ctx.db)).toMatchObject({ lines: 2, broken: null })
  })

  it.each([
    ['changed words', sql`update admin_action set reason = 'another' where seq = 3`, 'changed'],
    ['a changed time', sql`update admin_action set at_ms = at_ms + 1 where seq = 3`, 'changed'],
    ['another address', sql`update admin_action set address = '' where seq = 3`, 'changed'],
    ['a changed after', sql`update admin_action set after = '{"name":"x"}' where seq = 3`, 'changed'],
    ['another hash', sql`update admin_action set hash = '\\x00' where seq = 3`, 'changed'],
  ])('AT44: detects %s', async (_, statement, why) => {
    await record(5)
    await byHand(statement)
    expect((await verifyChain(ctx.db)).broken).toMatchObject({ seq: 3, why })
  })

  it('AT44: detects deleted and inserted entries, and with a stored end also deleted last entries', async () => {
    await record(5)
    const { end } = await verifyChain(ctx.db)
    await byHand(sql`delete from admin_action where seq = 5`)
    expect((await verifyChain(ctx.db)).broken, 'the chain alone cannot know').toBeNull()
    expect((await verifyChain(ctx.db, end)).broken).toEqual({ seq: 5, id: null, why: 'cut' })
    await byHand(sql`delete from admin_action where seq = 2`)
    expect((await verifyChain(ctx.db)).broken).toMatchObject({ seq: 3, why: 'moved' })
    await byHand(sql`delete from admin_action`)
    await byHand(
      sql`insert into admin_action (id, at_ms, who, what, outcome) values (gen_random_uuid(), 1, 'x', 'y', 'done')`,
    )
    expect((await verifyChain(ctx.db)).broken).toMatchObject({ seq: null, why: 'unchained' })
  })
})

describe("the server's database role", () => {
  const FORBIDDEN = [
    sql`update admin_action set who = 'nobody'`,
    sql`delete from admin_action`,
    sql`truncate admin_action`,
    sql`insert into admin_action (id, at_ms, who, what, outcome, seq) values (gen_random_uuid(), 1, 'x', 'y', 'done', 9)`,
    sql`select chain_admin_action(id) from admin_action`,
    sql`alter table admin_action disable trigger all`,
    sql`drop table admin_action`,
    sql`update transfer set amount = 1`,
    sql`delete from transfer`,
    sql`update settlement_price set exit_price = 1`,
    sql`delete from settlement_price`,
    sql`update order_history set result = 1`,
    sql`delete from order_history`,
    sql`update open_order set entry_price = 1`,
    sql`update tick_batch set payload = ''`,
    sql`delete from tick_batch`,
    sql`update user_note set text = ''`,
    sql`delete from code_sent`,
    sql`update correction set amount = 1`,
    sql`delete from correction`,
    sql`update balance set user_id = gen_random_uuid()`,
    sql`update balance set may_trade = true`,
    sql`update balance set verified = true`,
    sql`update balance set trade_reason = ''`,
    sql`update balance set max_open_stake = null`,
    sql`delete from balance`,
    sql`update deposit set amount = 1`,
    sql`update arrival set amount = 1`,
    sql`delete from arrival`,
    sql`delete from deposit`,
    sql`update withdrawal set amount = 1`,
    sql`update withdrawal set user_id = gen_random_uuid()`,
    sql`delete from withdrawal`,
    sql`delete from app_user`,
    sql`delete from kysely_migration`,
    sql`create table mine (id int)`,
  ]
  it('AT44: cannot change recorded money, prices and staff actions, nor the triggers that protect them', async () => {
    await record(1)
    for (const statement of FORBIDDEN) {
      const { sql: text } = statement.compile(ctx.db)
      await expect(statement.execute(ctx.db), text).rejects.toThrow(/permission denied|must be owner/)
    }
    expect(await verifyChain(ctx.db)).toMatchObject({ lines: 1, broken: null })
  })

  it('can truncate no table, owns no table and may create no reference to a table', async () => {
    const { rows } = await sql<{ name: string; rights: string[] }>`
      select c.relname as name, array_agg(r order by r) as rights
      from pg_class c cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) r
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and has_table_privilege('fairwick_server', c.oid, r)
      group by c.relname order by c.relname`.execute(ctx.db)
    const found = Object.fromEntries(rows.map(({ name, rights }) => [name, rights.join(' ').toLowerCase()]))
    const listed = Object.keys(PRIVILEGES)
    expect(
      listed.filter((name) => !(name in found)),
      'every listed table is there',
    ).toEqual([])
    expect(Object.fromEntries(listed.map((name) => [name, found[name]]))).toEqual({
      // Inserts are granted by column.
      admin_action: 'select',
      self_break: 'select',
      self_limit: 'select',
      self_limit_change: 'select',
      self_limit_change_end: 'select',
      self_return: 'select',
      user_leave: 'select',
      // The secret, scope, expiry and address list of an API key can never be changed.
      api_key: 'select',
      key_order: 'delete insert select',
      account_closing: 'select',
      erased_account: 'select',
      kept_record: 'delete select',
      admin_action_words: 'select',
      account_recovery: 'select',
      user_desk: 'insert select',
      excluded_person: 'insert select',
      user_trait: 'delete insert select',
      limit_mark: 'delete insert select',
      // Database functions count sessions and look for unseen results.
      reality_session: 'select',
      limit_prompt: 'insert select',
      away_mark: 'select',
      away_told: 'select',
      transfer: 'insert select',
      feed_incident: 'insert select',
      feed_incident_end: 'insert select',
      payout_version: 'select',
      terms_entry: 'insert select',
      approval: 'insert select',
      approver_count: 'select',
      pending_change: 'insert select',
      gateway_past: 'insert select',
      withdrawal_closure: 'insert select',
      money_step: 'select',
      made_good: 'insert select',
      record_check: 'insert select',
      record_audit: 'insert select',
      record_audit_mark: 'insert select',
      // The database itself writes notices, in the transaction of the event.
      notice: 'select',
      notice_delivery: 'delete select',
      notice_mail: 'insert select update',
      notice_push: 'insert select update',
      push_key: 'insert select',
      push_subscription: 'delete insert select',
      // Inserts and updates are granted by column.
      price_alert: 'delete insert select',
      alert_mark: 'select',
      // Inserts are granted by column.
      terms_version: 'select',
      consent: 'select',
      terms_told: 'select',
      sale_terms_told: 'select',
      settlement_price: 'insert select',
      symbol_picture: 'insert select',
      source_version: 'insert select',
      // Updates are granted by column.
      source_peer: 'insert select',
      log_identity: 'insert select',
      register_entry: 'insert select',
      register_tile: 'insert select',
      register_checkpoint: 'insert select',
      register_cosignature: 'insert select',
      register_batch: 'insert select',
      register_pending: 'delete insert select',
      register_halt: 'insert select',
      tick_age_before: 'select',
      tick_batch: 'insert select',
      tick_pack: 'select',
      provider_candle: 'insert select',
      provider_history: 'delete insert select',
      provider_start: 'insert select',
      price_gap: 'insert select',
      tick_hole: 'insert select',
      receipt_batch: 'insert select',
      server_run: 'insert select',
      signing_key: 'insert select',
      log_day: 'insert select',
      liability_day: 'insert select',
      liability_account: 'delete insert select',
      liability_node: 'delete insert select',
      order_history: 'insert select',
      open_order: 'delete insert select',
      cap_refusal: 'insert select',
      sale_report: 'insert select',
      sale_request: 'insert select',
      sale_end: 'insert select',
      sale_expiry: 'insert select',
      // Updates are granted by column.
      balance: 'insert select',
      deposit: 'insert select',
      arrival: 'insert select',
      withdrawal: 'insert select',
      payment_event: 'insert select',
      // Updates that void a file, record a download or encrypt the file again are granted by column.
      payment_file: 'insert select',
      payment_file_line: 'insert select',
      staff_request: 'delete insert select',
      maintenance: 'insert select',
      alert: 'delete insert select',
      alert_channel: 'delete insert select',
      alert_delivery: 'delete insert select',
      app_user: 'select',
      user_measure: 'select',
      staff: 'insert select update',
      gateway: 'insert select update',
      // Updates of symbols, and inserts of durations, are granted by column.
      market_symbol: 'insert select',
      trade_setting: 'select',
      code_sent: 'insert select',
      user_note: 'insert select',
      // Inserts and updates of access codes are granted by column.
      access_code: 'select',
      access_code_use: 'insert select',
      user_country_since: 'insert select',
      report_period: 'insert select',
      report_check: 'insert select update',
      // Inserts and updates of tickets are granted by column.
      ticket: 'select',
      ticket_message: 'insert select',
      staff_remark: 'insert select',
      stock_split: 'insert select',
      // Updates are granted by column.
      correction: 'insert select',
      bus_key: 'insert select',
      clock_minute: 'insert select',
      decided_price: 'insert select',
      void_stand: 'insert select',
      symbol_pause: 'insert select',
      history_question: 'insert select',
      first_check: 'insert select',
      sign_in: 'delete insert select',
      user_passkey: 'delete insert select',
      user_recovery_code: 'delete insert select',
      user_ticket: 'delete insert select',
      // Only the amounts of the sums can be updated. This right is granted by column.
      ledger_sum: 'delete insert select',
      ledger_order_sum: 'delete insert select',
      ledger_run: 'insert select update',
      kysely_migration: 'select',
      kysely_migration_lock: 'select',
    })
    const others = Object.entries(found).filter(([name]) => !listed.includes(name))
    expect(new Set(others.map(([, rights]) => rights))).toEqual(new Set(['delete insert select update']))
  })
})
