import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'
import { CHECK_TERMS_ENTRY } from '#server/platform/database/migrations/sale-terms/check-terms-entry.ts'
import { SALE_EXPIRIES } from '#server/platform/database/migrations/sale-terms/sale-expiries.ts'
import { SALE_TERMS_NOTICES } from '#server/platform/database/migrations/sale-terms/notices.ts'

const PAUSES = [
  `alter table terms_entry drop constraint terms_entry_kind_check`,
  `alter table terms_entry add constraint terms_entry_kind_check check (kind in
    ('duration', 'payout', 'min_stake', 'max_stake', 'ceiling', 'max_tick_age', 'symbol', 'notice', 'rule', 'sale', 'sale_pause'))`,
  `-- A market has an underscore in its name.
  alter table terms_entry drop constraint terms_entry_subject_check`,
  `alter table terms_entry add constraint terms_entry_subject_check check (subject ~ '^[A-Za-z0-9_]{1,20}$')`,
  CHECK_TERMS_ENTRY,
  `alter table sale_end drop constraint sale_end_reasons_check`,
  `alter table sale_end add constraint sale_end_reasons_check check (reason in
    ('sale_no_price', 'sale_pause', 'sale_unsure', 'sale_after_jump', 'sale_no_value', 'sale_below_least'))`,
  `-- Whether an announced pause touches the time from 20 minutes before a moment to an expiry.
  create function is_sale_paused(of_symbol int4, at int8, expires int8) returns boolean language sql stable
  set search_path from current as $$
    select exists (
      select from terms_entry t join market_symbol s on s.id = of_symbol and t.subject in (s.code, s.market_type)
      where t.kind = 'sale_pause' and t.applies_ms <= expires
        and t.applies_ms + case when t.kind = 'sale_pause' then t.value::int8 end >= at - 1200000)
  $$`,
  `create function check_sale_pause() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if exists (select from open_order o where o.id = new.order_id and is_sale_paused(o.symbol_id, new.requested_ms, o.expires_ms)) then
      raise exception 'sale_request: selling is paused' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger sale_request_pause after insert on sale_request deferrable initially deferred
    for each row execute function check_sale_pause()`,
  `create function check_sold_pause() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if exists (select from order_history h where h.id = new.order_id and is_sale_paused(h.symbol_id, h.exit_time_ms, h.expires_ms)) then
      raise exception 'sale_end: selling is paused' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger sale_end_pause after insert on sale_end deferrable initially deferred
    for each row when (new.reason is null) execute function check_sold_pause()`,
]

/**
 * Planned pauses of sales, as entries of the trade terms, notices of changed terms of sale, and the ends of sold
 * orders.
 */
export const saleTerms: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...PAUSES, addNoticeKind('payout_change'), ...SALE_TERMS_NOTICES, ...SALE_EXPIRIES])
      await sql.raw(statement).execute(db)
  },
}
