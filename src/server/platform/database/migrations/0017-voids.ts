import { type Kysely, type Migration, sql } from 'kysely'

const VOIDS = [
  `-- Settled orders by day (days since 1970, UTC) and by how their price was decided: a void reason, \`late\` or \`in_time\`.
  create table order_end_day (
    day int4 not null,
    is_bot boolean not null,
    symbol_id int4 not null,
    evidence text not null,
    cause text not null,
    is_down boolean not null,
    orders int8 not null,
    primary key (day, is_bot, symbol_id, evidence, cause, is_down)
  ) with (fillfactor=60)`,
  `-- Counts the last 90 days again, as the new totals are counted together with the old ones.
  delete from day_total_mark where source = 'fairness'`,
  `delete from fairness_line`,
  `delete from fairness_user`,
  `delete from fairness_time`,
  `-- How the orders of a void expiry would have ended by the first later price, where the source keeps no public record.
  create table void_stand (
    symbol_id int4 not null,
    source text not null,
    expires_ms int8 not null,
    would_win int4 not null,
    would_lose int4 not null,
    would_draw int4 not null,
    missed_by_users int8 not null check (missed_by_users >= 0),
    kept_by_users int8 not null check (kept_by_users >= 0),
    first_after_q int8 not null,
    primary key (symbol_id, expires_ms, source)
  )`,
  `create index void_stand_expiry on void_stand (expires_ms)`,
  `-- Symbols that take no orders for a time, because too many were void. No row is changed or deleted.
  create table symbol_pause (
    symbol_id int4 not null,
    from_ms int8 not null,
    until_ms int8 not null,
    primary key (symbol_id, from_ms),
    constraint symbol_pause_until_check check (until_ms > from_ms)
  )`,
]

/** Public counts of void orders, and the pause of a symbol with too many of them. */
export const voids: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of VOIDS) await sql.raw(statement).execute(db)
  },
}
