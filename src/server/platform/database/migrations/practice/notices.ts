const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

const REALITY = `-- As before. The time of orders of the practice account counts too, but not their amounts.
  create or replace function reality_of(of_user uuid, at int8, seen_due int8)
  returns table (minutes int8, from_ms int8, due_ms int8, ended int8, staked int8, net int8, open int4, open_stake int8)
  language plpgsql security definer set search_path from current as $$
  #variable_conflict use_column
  declare
    pause constant int8 := 1800000;
    s reality_session%rowtype;
    o record;
    every int8 := (select amount from self_limit where user_id = of_user and key = 'reality_check');
    practice uuid := (select id from app_user where practice_of = of_user);
    opened int4;
    at_stake int8;
  begin
    if every is null then return; end if;
    insert into reality_session (user_id, until_ms, until_number) values (of_user, at - 86400000, 0) on conflict do nothing;
    select * into s from reality_session where user_id = of_user for update;
    for o in
      select h.opened_ms, h.settled_ms as end_ms, h.result_number as number, h.result_amount as net,
        case when h.result = 4 then 0 else h.stake end as stake
      from order_history h
      -- Servers may write results some seconds apart from their order.
      where h.user_id = of_user and h.settled_ms > s.until_ms - 600000 and h.result_number > s.until_number
      union all
      select h.opened_ms, h.settled_ms, null, 0, 0 from order_history h
      where h.user_id = practice and h.settled_ms > s.until_ms
      union all
      select p.opened_ms, at, null, 0, 0 from open_order p where p.user_id in (of_user, practice)
      order by opened_ms
    loop
      if s.from_ms is null or o.opened_ms - s.until_ms > pause then
        s.from_ms := o.opened_ms;
        s.until_ms := o.opened_ms;
        s.ended := 0;
        s.staked := 0;
        s.net := 0;
      end if;
      s.until_ms := greatest(s.until_ms, o.end_ms);
      if o.number is not null then
        s.until_number := greatest(s.until_number, o.number);
        s.ended := s.ended + 1;
        s.staked := s.staked + o.stake;
        s.net := s.net + o.net;
      end if;
    end loop;
    select count(*), coalesce(sum(stake), 0) into opened, at_stake from open_order where user_id = of_user;
    if at - s.until_ms > pause then s.from_ms := null; end if;
    due_ms := greatest(s.from_ms, case when s.seen_ms >= s.from_ms then s.seen_ms end) + every * 60000;
    if due_ms = seen_due and due_ms <= at then
      s.seen_ms := at;
      due_ms := at + every * 60000;
    end if;
    update reality_session r
    set from_ms = s.from_ms, until_ms = s.until_ms, until_number = s.until_number, ended = s.ended, staked = s.staked,
      net = s.net, seen_ms = s.seen_ms
    where r.user_id = of_user and r is distinct from s;
    return query select every, s.from_ms, due_ms, s.ended, s.staked, s.net, opened, at_stake;
  end $$`

const REVIEWS = `-- As before. The owner of a practice account is asked once.
  create or replace function tell_reviews() returns void language plpgsql security definer set search_path from current as $$
  declare
    due uuid;
  begin
    for due in
      select u.id from app_user u
      where u.verified and not u.is_bot and u.practice_of is null and not exists (select from break_of(u.id)) and greatest(u.created_ms,
          (select max(n.stored_ms) from notice n where n.user_id = u.id and n.kind = 'review_due'),
          (select max(c.asked_ms) from self_limit_change c where c.user_id = u.id)
        ) < ${NOW} - 86400000::int8 * case when exists (
            select from self_limit l where l.user_id = u.id and l.key not in ('reality_check', 'withdrawal_lock'))
          then 182 else 365 end
      limit 1000
    loop
      perform tell(due, 'review_due', (${NOW} / 86400000)::text, '{}', ${NOW});
    end loop;
  end $$`

/** Notices are for users only. No user can log in to a practice account to read one. */
export const NOTICES = [
  REALITY,
  REVIEWS,
  `create function drop_notice() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create trigger notice_not_of_practice before insert on notice for each row when (is_practice(new.user_id))
    execute function drop_notice()`,
  `-- What only describes the user is erased from the practice account too. Its orders stay, as those of its owner do.
  create function erase_practice() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    practice uuid := (select id from app_user where practice_of = new.user_id);
  begin
    delete from result_seen where user_id = practice;
    delete from away_told where user_id = practice;
    return null;
  end $$`,
  `create trigger erased_account_practice after insert on erased_account for each row execute function erase_practice()`,
]
