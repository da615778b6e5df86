import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/platform/database/tables.ts'

/** The role of the server once the schema is up to date. It owns nothing and cannot change the ledger. */
export const SERVER_ROLE = 'fairwick_server'

const EVERYTHING = 'select, insert, update, delete'
const ADD_ONLY = 'select, insert'
/** Rows may be stopped, hidden or changed, but never deleted. */
const NO_DELETE = 'select, insert, update'

/**
 * Tables that are append-only, whose rows are never deleted, or where written columns stay fixed. All other tables may
 * be written freely, and no table may be truncated. A new table that serves as proof must be listed here.
 */
export const PRIVILEGES: Readonly<Record<string, string>> = {
  // The server cannot set the number and the hash of an entry: the database itself fills them in.
  admin_action: `select, insert (id, at_ms, who, what, target, reason, outcome, before, after, staff_id, request_id, address)`,
  // A trigger moves the texts about a user from the entry to this table. Only the erasing of the user's data deletes
  // them.
  admin_action_words: 'select',
  transfer: ADD_ONLY,
  settlement_price: ADD_ONLY,
  decided_price: ADD_ONLY,
  tick_batch: ADD_ONLY,
  // Only database functions write this table. They check which ticks must be kept.
  tick_pack: 'select',
  order_history: ADD_ONLY,
  void_stand: ADD_ONLY,
  symbol_pause: ADD_ONLY,
  // The checked price, the affected order and the owed amount never change. Updates only add what the record of the
  // provider says and when the amount was paid.
  record_check: 'select, insert, update (asked_ms, first_ms, first_reading, read_ms, reading, closed_ms)',
  made_good: 'select, insert, update (paid_ms)',
  record_audit: 'select, insert, update (asked_ms, is_equal)',
  record_audit_mark: 'select, insert, update (decided_ms)',
  receipt_batch: ADD_ONLY,
  signing_key: ADD_ONLY,
  log_day: ADD_ONLY,
  // Candles of past periods never change. Adjoining ranges of requested candles are merged, so their rows may be
  // deleted.
  provider_candle: ADD_ONLY,
  provider_history: 'select, insert, delete',
  provider_start: ADD_ONLY,
  price_gap: ADD_ONLY,
  tick_hole: ADD_ONLY,
  // Replies of providers' records about expiries. Symbol, source, expiry and the time of the first request never
  // change.
  history_question:
    'select, insert, update (last_requested_ms, differs_since_ms, outcome, newest_ref, covered_until_ms)',
  source_version: ADD_ONLY,
  // A certificate never changes. Connections that show it again are counted.
  source_peer: 'select, insert, update (last_ms, count)',
  clock_minute: ADD_ONLY,
  staff_remark: ADD_ONLY,
  // Rows of approvals never change. A new row ends earlier approvals.
  approval: ADD_ONLY,
  approver_count: 'select',
  // The content of a requested change is fixed. Only the second approver, the times, the state and the marks are added.
  pending_change: `select, insert,
    update (second_by, second_ms, applies_ms, state, ended_by, ended_ms, mark, mailed)`,
  gateway_past: ADD_ONLY,
  feed_incident: ADD_ONLY,
  feed_incident_end: ADD_ONLY,
  // These rows were announced to all users, and open orders depend on them, so they never change.
  terms_entry: ADD_ONLY,
  withdrawal_closure: ADD_ONLY,
  // Only triggers on deposits, withdrawals and adjustments write these steps. Receipts are signed for the steps.
  money_step: 'select',
  payout_version: 'select',
  stock_split: ADD_ONLY,
  tick_age_before: 'select',
  symbol_picture: ADD_ONLY,
  // Terms and entry price of an open order never change. Only the request to sell the order is updated.
  open_order: 'select, insert, delete, update (selling)',
  // Counts of refused orders. A trigger allows them only to grow.
  cap_refusal: 'select, insert, update (orders)',
  sale_report: ADD_ONLY,
  sale_request: ADD_ONLY,
  sale_end: ADD_ONLY,
  sale_expiry: ADD_ONLY,
  // Amounts move between a user's accounts. The user of a balance never changes, and no balance is deleted.
  balance: 'select, insert, update (cash, staked, withdrawing, credits, open_orders, results, net_total, stake_total)',
  // A user's own limit changes when an entry is added to `self_limit_change`. The database checks and applies the
  // entry.
  self_limit: 'select',
  self_limit_change: 'select, insert (user_id, id, key, to_amount)',
  self_limit_change_end: 'select, insert (user_id, id, outcome)',
  // Breaks are added, and never shortened. The database sets their times.
  self_break: 'select, insert (user_id, id, kind, length, staff_id, words, like_user_id, like_break_id)',
  excluded_person: ADD_ONLY,
  user_trait: 'select, insert, delete',
  self_return: 'select, insert (user_id, break_id), update (confirmed_ms)',
  limit_mark: 'select, insert, delete',
  // Only a database function, which follows the sessions of users, writes this table.
  reality_session: 'select',
  limit_prompt: ADD_ONLY,
  // The database writes each notice in the transaction of its event. The server only marks notices as read.
  notice: 'select, update (read_ms)',
  notice_delivery: 'select, delete, update (tries, next_ms, is_held, contact_nos)',
  notice_mail: NO_DELETE,
  notice_push: NO_DELETE,
  // Push keys never change. With a new data key they are only encrypted again.
  push_key: 'select, insert, update (sealed)',
  // A device never changes its user or its session.
  push_subscription: `select, insert, delete, update (key_id, sealed, endpoint_mark, amounts, zone, quiet_from, quiet_to, seen_ms,
    delivered_ms)`,
  // Only a database function, which looks for results that users have not seen, writes these two tables.
  away_mark: 'select',
  away_told: 'select',
  // Alerts are set, fire and end. User and symbol of an alert never change. A database function writes the notices
  // about alerts.
  price_alert: `select, insert, delete, update (kind, level, move, repeats, cool_ms, expires_ms, note, state, basis_seq, basis_price,
    basis_time_ms, from_seq, armed, quiet_ms, round, fired_seq, fired_price, fired_time_ms, previous_seq, previous_time_ms,
    version)`,
  alert_mark: 'select, insert (only_one), update (until_seq, last_ticks)',
  // User, amount and gateway of a request never change. Only its state and its decision are updated. Payment details
  // are re-encrypted with a new key.
  // The credit becomes the sum of the credited arrivals, which the database checks. A quote changes while nothing has
  // arrived.
  deposit: 'select, insert, update (status, state, feedback, decided_ms, credited, rate_millionths, quoted_until)',
  // Amount, source and times of an arrival never change. Only its state is updated.
  arrival: `select, insert, update (state, user_id, deposit_id, rate_millionths, takes_two, confirmed_ms, credited, charge,
      credited_ms, sent_ms, sent_reference)`,
  withdrawal: `select, insert, update (status, state, feedback, reason_code, is_cancelled, decided_ms, review_version, details,
      destination, paying_by, paying_ms, reference, sent_ms, sent_amount, network_fee, returned_ms)`,
  payment_event: ADD_ONLY,
  // Files are never changed. The bytes are re-encrypted with a new key.
  payment_file: 'select, insert, update (sealed, voided_ms, downloads)',
  payment_file_line: ADD_ONLY,
  staff_request: 'select, insert, delete',
  // A leave is requested and ends once. Its user and the time of the request never change.
  user_leave: 'select, insert (user_id, id, asked_ms), update (state, ended_ms, again_ms)',
  // The server adds and cancels requests to close. The database sets the times, and only erase_account erases.
  account_closing: 'select, insert (user_id, id, reason), update (state)',
  erased_account: 'select',
  kept_record: 'select, delete, update (sealed)',
  // A recovery is requested, confirmed and ended. The database itself writes the contacts that receive the message.
  account_recovery: `select,
    insert (user_id, id, lost, new_address, words, deposits, content_hash, asked_by, asked_ms, asked_from),
    update (state, confirmed_by, confirmed_ms, mark, opens_ms, link_hash, link_until_ms, ended_by, ended_ms)`,
  // The database itself writes what staff allow a user: it follows from `user_measure`. No user becomes a bot later,
  // because public counts leave bots out.
  app_user: `select,
    insert (id, username, email, mobile, mobile_code, country_code, firstname, lastname, address, password_hash, pin_hash,
      image_path, language, invitation_code, verified, is_bot, created_ms, pin_changed_ms, security_changed_ms,
      proven_email, proven_mobile, verification_reason, version, age_declared_ms, age_minimum, practice_of),
    update (username, email, mobile, mobile_code, country_code, firstname, lastname, address, password_hash, pin_hash,
      image_path, language, invitation_code, verified, pin_changed_ms, security_changed_ms, proven_email, proven_mobile,
      verification_reason, version)`,
  // The secret, scope, expiry and address list of an API key never change. The database sets the time at which the key
  // ended.
  api_key: `select, insert (user_id, id, secret_hash, name, scope, addresses, max_stake, max_stake_day, max_open_orders,
      created_ms, expires_ms),
    update (end_reason, used_ms, used_address, used_client, networks, foreign_ms)`,
  key_order: 'select, insert, delete, update (holds)',
  // The content of a measure is fixed. Only its end and the agreement of a second approver are added later.
  user_measure: `select, insert (id, user_id, kind, value, reason, since_ms, until_ms, asked_by),
    update (until_ms, second_by, ended_ms)`,
  user_desk: 'select, insert, update (version, content)',
  // Codes are never renamed, and never moved to another user.
  access_code: `select, insert (id, code, label, max_uses, from_ms, until_ms, countries, is_on, created_by, created_ms, version),
    update (label, max_uses, used, from_ms, until_ms, countries, is_on, version)`,
  access_code_use: ADD_ONLY,
  // The database adds the country of a new account. The server adds a row when the country changes.
  user_country_since: ADD_ONLY,
  // A closed period never changes. Totals may be counted again.
  report_period: ADD_ONLY,
  report_check: NO_DELETE,
  // The user and the subject of a ticket never change. Its messages are only added.
  ticket: `select, insert (user_id, id, no, about_kind, about, topic, opened_ms, last_ms, due_ms),
    update (state, owner, last_ms, last_seq, due_ms, closed_ms, closed_by, verdict)`,
  ticket_message: ADD_ONLY,
  // Texts are never edited, and a consent is never taken back.
  terms_version: 'select, insert (id, texts, from_ms, needs_consent, staff_id)',
  consent: 'select, insert (user_id, version, sha256, language, how)',
  terms_told: 'select',
  sale_terms_told: 'select',
  // Maintenance is announced to all users, so only its end can be added later.
  maintenance: 'select, insert, update (ended_ms)',
  // The rule and the begin of an alert never change. Staff only take and close an alert.
  alert: 'select, insert, delete, update (facts, closed_ms, closed_by, taken_ms, taken_by, words, sent, next_ms)',
  // The address of a channel never changes: for another address, staff add another channel. Secrets are re-encrypted
  // with a new key.
  alert_channel: 'select, insert, delete, update (sealed)',
  alert_delivery: 'select, insert, delete, update (tries, next_ms, done_ms, failure)',
  staff: NO_DELETE,
  gateway: NO_DELETE,
  // Code, market and decimals of a symbol never change.
  market_symbol: `select, insert,
    update (name, is_featured, color, image, closed_reason, sort, source, provider_symbol, version)`,
  // The number of seconds of an id never changes.
  trade_setting: 'select, insert (id, seconds)',
  code_sent: ADD_ONLY,
  first_check: ADD_ONLY,
  // Start times are not edited. A run only records that it is alive or was stopped.
  server_run: 'select, insert, update (ready_ms, seen_ms, stopped_ms)',
  user_note: ADD_ONLY,
  // User and amount of a requested adjustment never change. Only its state and its decision are updated.
  correction: 'select, insert, update (state, decided_by, decided_ms, words, posts_ms, disputed_ms, posted_ms)',
  // Sums of the ledger grow, and old runs are deleted. User and account of a sum never change.
  ledger_run: NO_DELETE,
  ledger_sum: 'select, insert, delete, update (amount, transfers)',
  ledger_order_sum: 'select, insert, delete, update (staked, won, lost)',
  // Published days never change. The accounts, which are the leaves of a day's Merkle tree, never change, but are
  // deleted when the day is old.
  liability_day: ADD_ONLY,
  liability_account: 'select, insert, delete',
  liability_node: 'select, insert, delete',
  bus_key: ADD_ONLY,
  // A passkey's key never changes; its use counter does.
  user_passkey: 'select, insert, delete, update (counter, name, used_ms)',
  user_recovery_code: 'select, insert, delete',
  user_ticket: 'select, insert, delete',
  // Log-ins are not edited; old rows are deleted.
  sign_in: 'select, insert, delete, update (is_noticed)',
  log_identity: ADD_ONLY,
  register_entry: ADD_ONLY,
  register_tile: ADD_ONLY,
  register_checkpoint: ADD_ONLY,
  register_cosignature: ADD_ONLY,
  register_batch: ADD_ONLY,
  // Waiting entries leave the table when the register takes them.
  register_pending: 'select, insert, delete',
  register_halt: 'select, insert, update (ended_ms)',
  kysely_migration: 'select',
  kysely_migration_lock: 'select',
}

/** The arbitrary number of a lock that servers which start together take one after another. */
const LOCK = 7_204_118

/**
 * Creates the role if it is missing, and grants its privileges on every table. Called after migrations, as their login.
 * A PostgreSQL that does not let its users create roles must not prevent the start; `enterServerRole` warns.
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
    const columns = await sql<{ name: string; column: string }>`
      select table_name as name, column_name as column from information_schema.columns
      where table_schema = current_schema()`.execute(tx)
    const known = new Set(columns.rows.map(({ name, column }) => `${name}.${column}`))
    const grants = tables.rows.flatMap(({ name, quoted }) => [
      `revoke all on ${quoted} from ${SERVER_ROLE}`,
      `grant ${privilegesOf(name, known)} on ${quoted} to ${SERVER_ROLE}`,
    ])
    await sql.raw(`do $$ begin ${grants.join('; ')}; end $$`).execute(tx)
  })
}

/**
 * Roles belong to the whole database server: another installation may have created the role, or may be creating it now.
 */
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
  -- A temporary table would hide the real one from the rules of the database.
  begin
    execute format('revoke temporary on database %I from public', current_database());
  exception when insufficient_privilege then null;
  end;
end $$`

/** After this a connection has only the server's privileges. Throws when the login must not take the role. */
export const ENTER_ROLE = `set role ${SERVER_ROLE}`

/** Leaves out columns that a later migration adds. */
function privilegesOf(name: string, known: ReadonlySet<string>): string {
  const privileges = (PRIVILEGES[name] ?? EVERYTHING).replaceAll(/\(([^)]+)\)/g, (_, list: string) => {
    const columns = list.split(',').map((column) => column.trim())
    return `(${columns.filter((column) => known.has(`${name}.${column}`)).join(', ')})`
  })
  // An older schema may have none of the columns.
  return privileges.replaceAll(/, \w+ \(\)/g, '')
}
