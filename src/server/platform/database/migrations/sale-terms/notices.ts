const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

/** Notices to all users about announced terms of sale. */
export const SALE_TERMS_NOTICES = [
  `alter table notice_mail drop constraint notice_mail_topic_check,
    add constraint notice_mail_topic_check check (topic in ('deposits', 'orders', 'results', 'limits', 'alerts', 'payouts'))`,
  `alter table notice_push drop constraint notice_push_topic_check,
    add constraint notice_push_topic_check check (topic in
      ('deposits', 'withdrawals', 'orders', 'results', 'limits', 'alerts', 'payouts', 'account', 'security'))`,
  `-- As before, with the topic of changed terms: in the inbox, and by mail and on devices when the user chooses it.
  create or replace function tell(of_user uuid, of_kind text, of_subject text, facts jsonb, at int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    nid uuid;
    of_topic text := case
      when of_kind like 'deposit%' then 'deposits' when of_kind = 'order_void' then 'orders'
      when of_kind = 'orders_ended' then 'results' when of_kind = 'price_alert' then 'alerts'
      when of_kind = 'payout_change' then 'payouts'
      when of_kind like 'limit%' or of_kind like 'break%' or of_kind = 'review_due' then 'limits' end;
    of_push text := coalesce(of_topic, case
      when of_kind like 'withdrawal%' then 'withdrawals'
      when of_kind in ('sign_in', 'security_changed') or of_kind like 'recovery%' then 'security'
      else 'account' end);
    choice notice_mail%rowtype;
  begin
    select * into choice from notice_mail m where m.user_id = of_user and m.topic = of_topic;
    if not choice.in_inbox then return; end if;
    insert into notice (user_id, id, kind, subject, data, at_ms, stored_ms)
      values (of_user, gen_random_uuid(), of_kind, of_subject, jsonb_strip_nulls(facts), at, ${NOW})
      on conflict on constraint notice_once do nothing returning id into nid;
    if nid is null then return; end if;
    insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'page');
    -- Nothing about orders leaves the inbox during a break.
    if of_kind in ('orders_ended', 'payout_change') and exists (select from break_of(of_user)) then return; end if;
    -- These can be many, or say nothing that is urgent, so their mail is off until the user chooses it.
    if coalesce(choice.is_on, of_kind not in ('order_void', 'orders_ended', 'limit_reached', 'price_alert', 'payout_change')) then
      insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'mail');
    end if;
    insert into notice_delivery (user_id, notice_id, channel, device_id)
      select of_user, nid, 'push', s.id from push_subscription s where s.user_id = of_user
        and coalesce((select p.is_on from notice_push p where p.user_id = of_user and p.topic = of_push),
          of_push = 'security');
  end $$`,
  `-- Announced changes of the terms of sale, and how far their notices have come. Ids of users are in the order of their sign-ups.
  create table sale_terms_told (
    n int8 primary key references terms_entry,
    until_user uuid not null default '00000000-0000-0000-0000-000000000000',
    is_done boolean not null default false
  )`,
  `-- Terms that change nothing tell nobody: before the first calibration sales are announced as off, and that is what they were.
  create function note_sale_terms() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if new.value <> coalesce((select t.value from terms_entry t where t.kind = 'sale' and t.subject = new.subject and t.n < new.n
        order by t.n desc limit 1), 'off') then
      insert into sale_terms_told (n) values (new.n);
    end if;
    return null;
  end $$`,
  `create trigger note_sale_terms after insert on terms_entry for each row when (new.kind = 'sale') execute function note_sale_terms()`,
  `-- Tells some users of the oldest change that not all of them know. Returns how many were told.
  create function tell_sale_terms(portion int4) returns int4
  language plpgsql security definer set search_path from current as $$
  declare
    changed record;
    mark uuid;
    reader uuid;
    told int4 := 0;
  begin
    -- Servers that run it together share the changes.
    select t.*, s.until_user into changed from sale_terms_told s join terms_entry t using (n)
      where not s.is_done order by n limit 1 for update of s skip locked;
    if not found then return 0; end if;
    mark := changed.until_user;
    for reader in select id from app_user where id > mark and not is_bot order by id limit portion
    loop
      perform tell(reader, 'payout_change', changed.n::text, jsonb_build_object('symbol', changed.subject,
        'fee', case when changed.value <> 'off' then split_part(changed.value, 'f', 2)::int4 end,
        'until_ms', changed.applies_ms), changed.announced_ms);
      mark := reader;
      told := told + 1;
    end loop;
    update sale_terms_told set until_user = mark, is_done = told < portion where n = changed.n;
    return told;
  end $$`,
]
