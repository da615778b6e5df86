import { type Kysely, type Migration, sql } from 'kysely'
import { CHECK_TERMS_ENTRY } from '#server/platform/database/migrations/caps/check-terms-entry.ts'

const STATEMENTS = [
  `alter table terms_entry drop constraint terms_entry_kind_check`,
  `alter table terms_entry add constraint terms_entry_kind_check check (kind in
    ('duration', 'payout', 'min_stake', 'max_stake', 'ceiling', 'max_tick_age', 'symbol', 'notice', 'rule', 'sale', 'sale_pause', 'cap'))`,
  CHECK_TERMS_ENTRY,
  `-- How many orders were refused because a cap was full. No user is in it.
  create table cap_refusal (
    -- Days since 1970, in UTC.
    day int4 not null,
    symbol_id int4 not null references market_symbol,
    direction int2 not null check (direction in (1, 2)),
    orders int8 not null check (orders > 0),
    primary key (day, symbol_id, direction)
  )`,
  `create function keep_cap_refusals() returns trigger language plpgsql as $$
  begin
    raise exception 'cap_refusal: a number of refused orders only grows' using errcode = 'check_violation';
  end $$`,
  `create trigger cap_refusal_grows before update on cap_refusal
    for each row when (new.orders < old.orders) execute function keep_cap_refusals()`,
]

/** Exposure caps as trade terms, and the orders that they refused. */
export const caps: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
