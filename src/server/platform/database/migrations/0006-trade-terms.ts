import { type Kysely, type Migration, sql } from 'kysely'

const TABLE = [
  `-- The history of the trade terms. The catalogue is computed from it alone. Rows are never changed.
  create table terms_entry (
    n int8 primary key,
    kind text not null,
    subject text not null,
    value text not null,
    announced_ms int8 not null,
    applies_ms int8 not null,
    text text not null,
    hash bytea not null,
    constraint terms_entry_kind_check check (kind in
      ('duration', 'payout', 'min_stake', 'max_stake', 'ceiling', 'max_tick_age', 'symbol', 'notice')),
    constraint terms_entry_subject_check check (subject ~ '^[A-Za-z0-9]{1,20}$'),
    constraint terms_entry_value_check check (value ~ '^[a-z0-9]{1,20}$'),
    constraint terms_entry_applies_check check (applies_ms >= announced_ms),
    constraint terms_entry_text_key unique (text),
    constraint terms_entry_hash_check check (hash = sha256('\\x00'::bytea || convert_to(text, 'UTF8')))
  )`,
  `create index terms_entry_part on terms_entry (kind, subject, n desc)`,
]

/**
 * A function that writes the canonical text of an entry from its columns. `core/markets/terms/terms-entry.ts` writes
 * the same text.
 */
const TEXT = `create function terms_entry_text(n int8, kind text, subject text, value text, announced_ms int8, applies_ms int8,
    is_before boolean, previous bytea) returns text language sql immutable as $$
  select format('{"v":1,"kind":"terms","n":%s,"what":"%s","of":"%s","value":"%s","announced_ms":%s,"applies_ms":%s,%s"previous":"%s"}',
    n, kind, subject, value, announced_ms, applies_ms, case when is_before then '"before":true,' else '' end,
    encode(coalesce(previous, decode(repeat('00', 32), 'hex')), 'hex'))
$$`

/**
 * Copies the terms of an existing installation as entries that are marked as older than the history. Payouts keep the
 * times of their announcements. Of all other terms only the present value is known. The first entries are limits on the
 * age of prices that open orders still use.
 */
const COPY = `do $$
declare
  r record;
  at_ms int8 := greatest((extract(epoch from clock_timestamp()) * 1000)::int8,
    (select max(announced_ms) from payout_version));
  number int8 := 0;
  line text;
  leaf bytea;
begin
  for r in
    select * from (
      select 'payout' as kind, t.seconds::text as subject, p.profit_basis_points::text as value, p.announced_ms,
        greatest(p.applies_from_ms, p.announced_ms) as applies_ms, p.version
      from payout_version p join trade_setting t on t.id = p.trade_setting_id
      union all
      select 'notice', 'all', (value::text::int8 * 1000)::text, at_ms, at_ms, 0
      from setting where key = 'payout_notice_seconds' and jsonb_typeof(value) = 'number'
      union all
      select 'ceiling', 'all', max(max_amount)::text, at_ms, at_ms, 0 from trade_setting having count(*) > 0
      union all
      select 'duration', seconds::text, case when is_offered then 'open' else 'withdrawn' end, at_ms, at_ms, 0 from trade_setting
      union all
      select 'min_stake', seconds::text, min_amount::text, at_ms, at_ms, 0 from trade_setting
      union all
      select 'max_stake', seconds::text, max_amount::text, at_ms, at_ms, 0 from trade_setting
      union all
      select 'max_tick_age', s.code, b.max_tick_age_ms::text, at_ms,
        coalesce(lag(b.until_ms) over (partition by b.symbol_id order by b.until_ms), at_ms), 0
      from tick_age_before b join market_symbol s on s.id = b.symbol_id where b.until_ms > at_ms
      union all
      select 'max_tick_age', s.code, s.max_tick_age_ms::text, at_ms,
        greatest(at_ms, (select max(until_ms) from tick_age_before b where b.symbol_id = s.id)), 1
      from market_symbol s
      union all
      select 'symbol', code, case when is_listed then 'open' else 'closing' end, at_ms, at_ms, 0 from market_symbol
    ) copied order by announced_ms, applies_ms, version, kind, subject
  loop
    number := number + 1;
    line := terms_entry_text(number, r.kind, r.subject, r.value, r.announced_ms, r.applies_ms, true, leaf);
    leaf := sha256('\\x00'::bytea || convert_to(line, 'UTF8'));
    insert into terms_entry values (number, r.kind, r.subject, r.value, r.announced_ms, r.applies_ms, line, leaf);
    -- The register takes entries in the order of their ids when they have one time.
    insert into register_pending (id, kind, text, at_ms)
    values (('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 'terms', line, at_ms);
  end loop;
end $$`

/**
 * The database checks each new entry, so that not even the server's own role can shorten a notice. The minimum notice
 * depends on the mode in `log_identity`, which is written once. Without it, the rules of live mode apply to all but the
 * first terms.
 */
const CHECK = `create function check_terms_entry() returns trigger language plpgsql as $$
declare
  last terms_entry%rowtype;
  -- The first terms of an installation: nobody is there yet who could have relied on others.
  is_first boolean := new.applies_ms = new.announced_ms and not exists (select from app_user)
    and not exists (select from open_order) and not exists (select from order_history);
  is_demo boolean := coalesce((select mode = 'demo' from log_identity order by log limit 1), is_first);
  floor_ms int8 := case when is_demo then 60000 else 3600000 end;
  notice_ms int8;
  market text;
  least_value int8;
  most_value int8;
begin
  select * into last from terms_entry order by n desc limit 1;
  if new.n <> coalesce(last.n, 0) + 1 or new.announced_ms < coalesce(last.announced_ms, 0) then
    raise exception 'terms_entry: the number or the time is out of order' using errcode = 'check_violation';
  end if;
  if new.text <> terms_entry_text(new.n, new.kind, new.subject, new.value, new.announced_ms, new.applies_ms, false, last.hash) then
    raise exception 'terms_entry: the text differs from the columns' using errcode = 'check_violation';
  end if;
  if new.kind in ('duration', 'symbol') then
    if new.value not in ('open', case new.kind when 'duration' then 'withdrawn' else 'closing' end) then
      raise exception 'terms_entry: unknown value' using errcode = 'check_violation';
    end if;
  elsif new.value !~ '^[1-9][0-9]{0,14}$' then
    raise exception 'terms_entry: the value is no number' using errcode = 'check_violation';
  end if;
  if new.kind in ('symbol', 'max_tick_age') then
    select market_type into market from market_symbol where code = new.subject;
    if market is null then
      raise exception 'terms_entry: unknown symbol' using errcode = 'check_violation';
    end if;
  elsif (new.kind in ('ceiling', 'notice')) <> (new.subject = 'all')
      or new.subject <> 'all' and not exists (select from trade_setting where seconds::text = new.subject) then
    raise exception 'terms_entry: unknown subject' using errcode = 'check_violation';
  end if;
  select l, m into least_value, most_value from (values
    ('duration', case when is_demo then 10 else 30 end, 604800),
    ('payout', 100, 10000),
    ('min_stake', 1, 1000000), ('max_stake', 1, 1000000), ('ceiling', 1, 1000000),
    ('max_tick_age', 1000, case when is_demo then 90000 when market = 'crypto' then 10000 else 30000 end),
    ('notice', floor_ms, 2592000000)) as limits(k, l, m) where k = new.kind;
  if (case new.kind when 'duration' then new.subject when 'symbol' then null else new.value end)::int8
      not between least_value and most_value then
    raise exception 'terms_entry: outside its limits' using errcode = 'check_violation';
  end if;
  if new.applies_ms > new.announced_ms + 7776000000 then
    raise exception 'terms_entry: too far ahead' using errcode = 'check_violation';
  end if;
  if is_first then
    return new;
  end if;
  notice_ms := greatest(floor_ms, (select value::int8 from terms_entry
    where kind = 'notice' and applies_ms <= new.announced_ms order by n desc limit 1));
  if new.value in ('withdrawn', 'closing') or new.kind = 'notice' and new.value::int8 >= greatest(notice_ms,
      (select max(value::int8) from terms_entry where kind = 'notice' and applies_ms > new.announced_ms)) then
    notice_ms := 60000;
  end if;
  if new.applies_ms < new.announced_ms + notice_ms then
    raise exception 'terms_entry: the notice is too short' using errcode = 'check_violation';
  end if;
  return new;
end $$`

const STATEMENTS = [
  ...TABLE,
  TEXT,
  COPY,
  CHECK,
  `create trigger terms_entry_checked before insert on terms_entry for each row execute function check_terms_entry()`,
  `delete from setting where key = 'payout_notice_seconds'`,
  `-- An id means one number of seconds for ever. The other columns are history and are read no more.
  alter table trade_setting alter column unit drop not null, alter column min_amount drop not null,
    alter column max_amount drop not null`,
  `alter table market_symbol alter column max_tick_age_ms drop not null`,
  `alter table open_order add column terms_n int8, add column max_tick_age_ms int4`,
  `alter table order_history add column terms_n int8, add column max_tick_age_ms int4`,
  `-- Open orders keep the limit on the age of prices that they were taken with.
  update open_order o set max_tick_age_ms = coalesce(
    (select b.max_tick_age_ms from tick_age_before b where b.symbol_id = o.symbol_id and b.until_ms >= o.expires_ms
      order by b.until_ms limit 1),
    (select s.max_tick_age_ms from market_symbol s where s.id = o.symbol_id))`,
]

/** One append-only history of all trade terms, checked by the database. */
export const tradeTerms: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
