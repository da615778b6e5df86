import { type Kysely, type Migration, sql } from 'kysely'

/** The key of a decided price. */
const DECISION = `
    symbol_id int4 not null,
    source text not null,
    expires_ms int8 not null,
    max_tick_age_ms int4 not null,
    rule int4 not null,
    evidence text not null`
const DECISION_KEY = 'symbol_id, expires_ms, source, max_tick_age_ms, rule, evidence'

const STATEMENTS = [
  `alter table transfer drop constraint transfer_kind_check`,
  `alter table transfer add constraint transfer_kind_check check (kind in (
    'order_stake', 'order_win', 'order_draw', 'order_void', 'order_lose', 'order_profit', 'make_good', 'deposit', 'demo_funds',
    'withdrawal_request', 'withdrawal_paid', 'withdrawal_rejected', 'withdrawal_cancelled', 'withdrawal_fee',
    'correction_in', 'correction_out', 'beginner_task'))`,
  `alter table receipt_batch drop constraint receipt_batch_kind_check`,
  `alter table receipt_batch add constraint receipt_batch_kind_check check (kind in ('accepted', 'result', 'amended'))`,
  `-- Decided prices about which the public record of the source is asked again, until it says the same twice.
  create table record_check (${DECISION},
    noted_ms int8 not null,
    asked_ms int8,
    first_ms int8,
    first_reading text,
    read_ms int8,
    reading text,
    closed_ms int8,
    primary key (${DECISION_KEY}),
    constraint record_check_first_check check ((first_ms is null) = (first_reading is null)),
    constraint record_check_read_check check ((read_ms is null) = (reading is null) and (reading is null or reading = first_reading)),
    constraint record_check_closed_check check (closed_ms is null or read_ms is not null)
  )`,
  `create index record_check_unread on record_check (noted_ms) where read_ms is null`,
  `create index record_check_unclosed on record_check (read_ms) where closed_ms is null`,
  `-- A reading that was confirmed never changes.
  create function record_check_is_final() returns trigger language plpgsql as $$
  begin
    if old.read_ms is not null and (old.closed_ms is not null or to_jsonb(new) - 'closed_ms' <> to_jsonb(old) - 'closed_ms') then
      raise exception 'the record of this expiry was read';
    end if;
    return new;
  end $$`,
  `create trigger record_check_is_final before update on record_check for each row execute function record_check_is_final()`,
  `-- What users would have got in addition by the record. paid_ms is set together with the transfer.
  create table made_good (${DECISION},
    order_id uuid primary key,
    user_id uuid not null,
    result int2 not null check (result in (1, 3)),
    amount int8 not null check (amount > 0),
    noted_ms int8 not null,
    due_ms int8 not null check (due_ms >= noted_ms),
    paid_ms int8 check (paid_ms >= due_ms)
  )`,
  `create index made_good_unpaid on made_good (due_ms) where paid_ms is null`,
  `create index made_good_paid on made_good (paid_ms) where paid_ms is not null`,
  `create index made_good_incident on made_good (source, expires_ms)`,
  `-- Decided prices that were compared with the record of their source: null until it answered.
  create table record_audit (${DECISION},
    chosen_ms int8 not null,
    asked_ms int8,
    is_equal boolean,
    primary key (${DECISION_KEY}),
    constraint record_audit_asked_check check (is_equal is null or asked_ms is not null)
  )`,
  `create index record_audit_open on record_audit (chosen_ms) where is_equal is null`,
  `-- Up to which decision prices were chosen.
  create table record_audit_mark (id int2 primary key check (id = 1), decided_ms int8 not null)`,
  `create index decided_price_decided on decided_price (decided_ms)`,
]

/** Payments for results that the record of the source contradicts. */
export const makeGood: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
