/**
 * The check of new terms, with the part `sale` of a symbol: `off`, or the model, the scale and the fee of selling back.
 * Such terms are announced a day ahead, and only with a fair report that is at most a week old. Turning it off needs
 * the shortest notice.
 */
export const CHECK_TERMS_ENTRY = `create or replace function check_terms_entry() returns trigger language plpgsql as $$
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
  elsif new.kind = 'sale' then
    if new.value <> 'off' and new.value !~ '^m1c([7-9][0-9]|10[0-9]|110)f([2-9][0-9]{2}|[1-4][0-9]{3}|5000)$' then
      raise exception 'terms_entry: unknown value' using errcode = 'check_violation';
    end if;
  elsif new.value !~ '^[1-9][0-9]{0,14}$' then
    raise exception 'terms_entry: the value is no number' using errcode = 'check_violation';
  end if;
  if new.kind in ('symbol', 'max_tick_age', 'sale') then
    select market_type into market from market_symbol where code = new.subject;
    if market is null then
      raise exception 'terms_entry: unknown symbol' using errcode = 'check_violation';
    end if;
  elsif (new.kind in ('ceiling', 'notice', 'rule')) <> (new.subject = 'all')
      or new.subject <> 'all' and not exists (select from trade_setting where seconds::text = new.subject) then
    raise exception 'terms_entry: unknown subject' using errcode = 'check_violation';
  end if;
  select l, m into least_value, most_value from (values
    ('duration', case when is_demo then 10 else 30 end, 604800),
    ('payout', 100, 10000),
    ('min_stake', 1, 1000000), ('max_stake', 1, 1000000), ('ceiling', 1, 1000000),
    ('max_tick_age', 1000, case when is_demo then 90000 when market = 'crypto' then 10000 else 30000 end),
    ('notice', floor_ms, 2592000000), ('rule', 1, 2)) as limits(k, l, m) where k = new.kind;
  if (case new.kind when 'duration' then new.subject when 'symbol' then null when 'sale' then null else new.value end)::int8
      not between least_value and most_value then
    raise exception 'terms_entry: outside its limits' using errcode = 'check_violation';
  end if;
  if new.applies_ms > new.announced_ms + 7776000000 then
    raise exception 'terms_entry: too far ahead' using errcode = 'check_violation';
  end if;
  if new.kind = 'sale' and new.value <> 'off' and not exists (
      select from sale_report r join market_symbol s on s.id = r.symbol_id
      where s.code = new.subject and new.value like 'm1c' || r.scale || 'f%' and r.made_ms > new.announced_ms - 604800000
        and r.min_fee <= split_part(new.value, 'f', 2)::int4 and r.is_fair and not exists (
          select from sale_report l where l.symbol_id = r.symbol_id and l.scale = r.scale and l.made_ms > r.made_ms)) then
    raise exception 'terms_entry: no fair report' using errcode = 'check_violation';
  end if;
  if is_first then
    return new;
  end if;
  notice_ms := greatest(floor_ms, (select value::int8 from terms_entry
    where kind = 'notice' and applies_ms <= new.announced_ms order by n desc limit 1));
  if new.value in ('withdrawn', 'closing', 'off') or new.kind = 'notice' and new.value::int8 >= greatest(notice_ms,
      (select max(value::int8) from terms_entry where kind = 'notice' and applies_ms > new.announced_ms)) then
    notice_ms := 60000;
  end if;
  if (new.kind = 'rule' or new.kind = 'sale' and new.value <> 'off') and not is_demo then
    notice_ms := greatest(notice_ms, 86400000);
  end if;
  if new.applies_ms < new.announced_ms + notice_ms then
    raise exception 'terms_entry: the notice is too short' using errcode = 'check_violation';
  end if;
  return new;
end $$`
