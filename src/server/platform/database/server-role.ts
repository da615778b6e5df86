import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/platform/database/tables.ts'

/** What the server works as once the schema is up to date. It owns nothing and cannot change the books. */
export const SERVER_ROLE = 'fairwick_server'

const EVERYTHING = 'select, insert, update, delete'
const ADD_ONLY = 'select, insert'
/** Stopped, hidden or changed, but never gone. */
const KEPT = 'select, insert, update'

/**
 * Tables that are only ever added to, whose rows never go, or where what once was written stays, in whole or in part. All
 * others may be written freely; nothing may be truncated. Whoever makes a table that proves something lists it here.
 */
export const PRIVILEGES: Readonly<Record<string, string>> = {
  // Neither number nor hash of a line: the database itself fills those in.
  admin_action: `select, insert (id, at_ms, who, what, target, reason, outcome, before, after, staff_id, request_id, address)`,
  transfer: ADD_ONLY,
  settlement_price: ADD_ONLY,
  tick_batch: ADD_ONLY,
  // Written by the database's own functions, which check what they keep.
  tick_pack: 'select',
  order_history: ADD_ONLY,
  receipt_batch: ADD_ONLY,
  signing_key: ADD_ONLY,
  log_day: ADD_ONLY,
  // Closed bars never change; what was asked for grows together.
  provider_candle: ADD_ONLY,
  provider_history: 'select, insert, delete',
  provider_start: ADD_ONLY,
  price_gap: ADD_ONLY,
  tick_hole: ADD_ONLY,
  staff_remark: ADD_ONLY,
  feed_incident: ADD_ONLY,
  feed_incident_end: ADD_ONLY,
  // What was announced to everyone, and what open orders go by.
  payout_version: ADD_ONLY,
  stock_split: ADD_ONLY,
  tick_age_before: ADD_ONLY,
  symbol_picture: ADD_ONLY,
  // Taken and settled; its terms and its entry price stay what they were.
  open_order: 'select, insert, delete',
  // What somebody has moves between its accounts; whose it is does not, and nobody's goes.
  balance: 'select, insert, update (cash, staked, withdrawing, credits, open_orders, results)',
  // Asked for and decided; who asked, for how much and by which way stays what it was. What is paid to is sealed anew with a
  // new key.
  deposit: 'select, insert, update (status, feedback, decided_ms)',
  withdrawal:
    'select, insert, update (status, feedback, is_cancelled, decided_ms, review_version, details, destination)',
  app_user: KEPT,
  staff: KEPT,
  gateway: KEPT,
  market_symbol: KEPT,
  trade_setting: KEPT,
  code_sent: ADD_ONLY,
  first_check: ADD_ONLY,
  // When a server ran is not edited; that it still runs, or was stopped, is added.
  server_run: 'select, insert, update (seen_ms, stopped_ms)',
  user_note: ADD_ONLY,
  // Asked for and decided; what was asked for stays what it was.
  correction: 'select, insert, update (state, decided_by, decided_ms, words)',
  // What the books come to grows, and old runs go. Whose a sum is, and of what, does not change.
  ledger_run: KEPT,
  ledger_sum: 'select, insert, delete, update (amount, transfers)',
  ledger_order_sum: 'select, insert, delete, update (staked, won, lost)',
  // Published is published. The leaves of old days go, and none of them ever changes.
  liability_day: ADD_ONLY,
  liability_account: 'select, insert, delete',
  liability_node: 'select, insert, delete',
  bus_key: ADD_ONLY,
  // What a passkey is does not change; how often it was used does.
  user_passkey: 'select, insert, delete, update (counter, name, used_ms)',
  user_recovery_code: 'select, insert, delete',
  user_ticket: 'select, insert, delete',
  // Who came in, and when, is not edited; old lines go.
  sign_in: 'select, insert, delete, update (is_noticed)',
  kysely_migration: 'select',
  kysely_migration_lock: 'select',
}

/** Any number will do: servers that start together take turns. */
const LOCK = 7_204_118

/**
 * Makes the role if it is not there, and gives it what it needs on every table there is: called after migrations, as
 * their login. A PostgreSQL that does not let its users make roles is no reason not to start; `enterServerRole` tells.
 */
export async function grantServerRole(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx)
    await sql.raw(MAKE_ROLE).execute(tx)
    const role = await sql`select 1 from pg_roles where rolname = ${SERVER_ROLE}`.execute(tx)
    if (role.rows.length === 0) return
    const tables = await sql<{ name: string; quoted: string }>`
      select tablename as name, quote_ident(tablename) as quoted from pg_tables
      where schemaname = current_schema() and pg_has_role(tableowner, 'usage')`.execute(tx)
    if (tables.rows.length === 0) return
    const grants = tables.rows.flatMap(({ name, quoted }) => [
      `revoke all on ${quoted} from ${SERVER_ROLE}`,
      `grant ${PRIVILEGES[name] ?? EVERYTHING} on ${quoted} to ${SERVER_ROLE}`,
    ])
    await sql.raw(`do $$ begin ${grants.join('; ')}; end $$`).execute(tx)
  })
}

/** Roles belong to the whole database server: another installation may have made it, or be making it now. */
const MAKE_ROLE = `do $$ begin
  begin
    if not exists (select from pg_roles where rolname = '${SERVER_ROLE}') then
      create role ${SERVER_ROLE} nologin;
    end if;
  exception when insufficient_privilege or duplicate_object or unique_violation then null;
  end;
  begin
    if not pg_has_role('${SERVER_ROLE}', 'member') then
      execute format('grant ${SERVER_ROLE} to %I', current_user);
    end if;
  exception when insufficient_privilege or undefined_object then null;
  end;
  begin
    execute format('grant usage on schema %I to ${SERVER_ROLE}', current_schema());
  exception when insufficient_privilege or undefined_object then null;
  end;
end $$`

/** From here on a connection may do only what the server may. Throws when the login must not take the role. */
export const ENTER_ROLE = `set role ${SERVER_ROLE}`
