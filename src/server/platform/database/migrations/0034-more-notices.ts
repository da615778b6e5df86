import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

const KINDS = [
  `alter table notice drop constraint notice_kind_check, add constraint notice_kind_check check (kind in (
    'deposit_credited', 'deposit_rejected', 'withdrawal_asked', 'withdrawal_paid', 'withdrawal_rejected',
    'withdrawal_cancelled', 'withdrawal_late', 'order_void', 'orders_ended', 'limit_changed', 'limit_waits', 'limit_reached',
    'review_due', 'break_begun', 'break_over', 'sign_in', 'security_changed', 'correction_announced', 'correction_posted',
    'correction_withdrawn', 'measure_set', 'measure_ended', 'made_good'))`,
  `-- Notices about ended orders are the only ones that a user can turn off in the inbox too.
  alter table notice_mail drop constraint notice_mail_topic_check,
    add constraint notice_mail_topic_check check (topic in ('deposits', 'orders', 'results', 'limits')),
    add column in_inbox boolean not null default true, add check (in_inbox or topic = 'results')`,
  `-- As before, with the new kinds. Payments for a result that a record contradicted are always mailed, as adjustments are.
  create or replace function tell(of_user uuid, of_kind text, of_subject text, facts jsonb, at int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    nid uuid;
    of_topic text := case
      when of_kind like 'deposit%' then 'deposits' when of_kind = 'order_void' then 'orders'
      when of_kind = 'orders_ended' then 'results'
      when of_kind like 'limit%' or of_kind like 'break%' or of_kind = 'review_due' then 'limits' end;
    choice notice_mail%rowtype;
  begin
    select * into choice from notice_mail m where m.user_id = of_user and m.topic = of_topic;
    if not choice.in_inbox then return; end if;
    insert into notice (user_id, id, kind, subject, data, at_ms, stored_ms)
      values (of_user, gen_random_uuid(), of_kind, of_subject, jsonb_strip_nulls(facts), at, ${NOW})
      on conflict on constraint notice_once do nothing returning id into nid;
    if nid is null then return; end if;
    insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'page');
    -- These can be many, or say nothing that is urgent, so their mail is off until the user chooses it. Nothing about
    -- orders is mailed during a break.
    if coalesce(choice.is_on, of_kind not in ('order_void', 'orders_ended', 'limit_reached'))
        and not (of_kind = 'orders_ended' and exists (select from break_of(of_user))) then
      insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'mail');
    end if;
  end $$`,
]

const REACHED = `-- The first refusal by a limit in each of its windows. Only a limit that is in force can be reached.
  create function tell_limit_reached(of_user uuid, of_key text, frees_ms int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    held int8;
    window_ms int8 := case split_part(of_key, '_', 2) when 'day' then 86400000 when 'week' then 604800000 else 2592000000 end;
    before int8;
  begin
    if of_key !~ '^(deposit|loss|staked)_(day|week|month)$' then return; end if;
    -- One refusal after the other, so that none of them tells twice.
    select amount into held from self_limit where user_id = of_user and key = of_key for update;
    if not found then return; end if;
    select max(stored_ms) into before from notice
      where user_id = of_user and kind = 'limit_reached' and subject like of_key || ' %';
    if before > ${NOW} - window_ms then return; end if;
    perform tell(of_user, 'limit_reached', of_key || ' ' || ${NOW},
      jsonb_build_object('limit', of_key, 'amount', held, 'until_ms', frees_ms), ${NOW});
  end $$`

const MISSED = [
  `-- Results up to a time that were looked at, and for each user the last number that a notice has told.
  create table away_mark (only_one boolean primary key default true check (only_one), until_ms int8 not null)`,
  `create table away_told (user_id uuid primary key, until_number int8 not null)`,
  `-- Tells of results that no page of the user has confirmed 120 s after the last one: one notice for all of them.
  create function tell_missed_results(at int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    done_ms int8;
    edge constant int8 := at - 120000;
    away record;
  begin
    -- The first look begins here. Later, one server at a time looks, and the others have nothing to do.
    insert into away_mark (until_ms) values (edge) on conflict do nothing;
    select until_ms into done_ms from away_mark for update skip locked;
    if not found or done_ms >= edge then return; end if;
    for away in
      select q.user_id, n.*
      from (
        select distinct h.user_id from order_history h join app_user u on u.id = h.user_id and not u.is_bot
        where h.settled_ms > done_ms and h.settled_ms <= edge
      ) q
      left join result_seen s on s.user_id = q.user_id
      left join away_told t on t.user_id = q.user_id
      cross join lateral (
        select count(*) as orders, sum(o.result_amount)::int8 as net, max(o.result_number) as until_number,
          max(o.settled_ms) as newest_ms
        from order_history o
        where o.user_id = q.user_id and o.settled_ms > at - 86400000
          and o.result_number > greatest(coalesce(s.until_number, 0), coalesce(t.until_number, 0))
          and (o.result_number = any(s.beyond)) is not true
      ) n
      where n.orders > 0 and n.newest_ms <= edge
    loop
      perform tell(away.user_id, 'orders_ended', away.until_number::text,
        jsonb_build_object('orders', away.orders, 'amount', away.net), at);
      insert into away_told (user_id, until_number) values (away.user_id, away.until_number)
        on conflict (user_id) do update set until_number = excluded.until_number;
    end loop;
    update away_mark set until_ms = edge;
  end $$`,
]

const REVIEWS = `-- Every six months users with limits are asked to look at them, every year those without. None during a break.
  create function tell_reviews() returns void language plpgsql security definer set search_path from current as $$
  declare
    due uuid;
  begin
    for due in
      select u.id from app_user u
      where u.verified and not u.is_bot and not exists (select from break_of(u.id)) and greatest(u.created_ms,
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

/** Notices of ended orders, of limits that were reached and of reviews, and their choices. */
export const moreNotices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...KINDS, REACHED, ...MISSED, REVIEWS]) await sql.raw(statement).execute(db)
  },
}
