import { type Kysely, type Migration, sql } from 'kysely'
import { CHECK_TERMS_ENTRY } from '#server/platform/database/migrations/rule-two/check-terms-entry.ts'
import { EVIDENCE_FUNCTIONS } from '#server/platform/database/migrations/rule-two/evidence-functions.ts'

const STATEMENTS = [
  `-- The price that settles every order of one symbol, source, expiry, price age and rule, from rule 2 on. The first writer wins, and
  -- the row never changes. since_seq is the first place of the log that proves it.
  create table decided_price (
    symbol_id int4 not null,
    source text not null,
    expires_ms int8 not null,
    max_tick_age_ms int4 not null,
    rule int4 not null check (rule >= 2),
    evidence text not null check (evidence in ('ids', 'computed', 'none')),
    exit_seq int8,
    exit_price int8,
    exit_time_ms int8,
    exit_ref int8,
    next_seq int8,
    next_price int8,
    next_time_ms int8,
    next_ref int8,
    since_seq int8,
    watermark_ms int8 not null,
    void_reason text,
    is_late boolean not null,
    decided_ms int8 not null,
    head_seq int8 not null,
    primary key (symbol_id, expires_ms, source, max_tick_age_ms, rule, evidence),
    constraint decided_price_check check ((void_reason is null) = (exit_seq is not null))
  )`,
  `create index decided_price_exit on decided_price (exit_seq)`,
  `create index decided_price_next on decided_price (next_seq)`,
  `create index decided_price_since on decided_price (since_seq)`,
  `create index decided_price_expiry on decided_price (expires_ms, symbol_id)`,
  `create index decided_price_void on decided_price (expires_ms) where void_reason is not null`,
  `create index decided_price_void_of_symbol on decided_price (symbol_id, expires_ms) where void_reason is not null`,
  `create index decided_price_without on decided_price (head_seq) where exit_seq is null`,
  `create index decided_price_long on decided_price
    using gist (int8range(since_seq, greatest(since_seq, head_seq), '[]')) where head_seq - since_seq > 10000`,
  `-- The provider's number of the entry price, and the class of its source. Null for orders of rule 1.
  alter table open_order add column entry_ref int8, add column evidence text`,
  `alter table order_history add column entry_ref int8, add column evidence text`,
  `alter table terms_entry drop constraint terms_entry_kind_check`,
  `alter table terms_entry add constraint terms_entry_kind_check check (kind in
    ('duration', 'payout', 'min_stake', 'max_stake', 'ceiling', 'max_tick_age', 'symbol', 'notice', 'rule'))`,
  CHECK_TERMS_ENTRY,
  ...EVIDENCE_FUNCTIONS,
]

/**
 * Settlement rule 2: the source of an order's entry price decides its exit price too. Existing installations stay at
 * rule 1 until their terms announce rule 2.
 */
export const ruleTwo: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
