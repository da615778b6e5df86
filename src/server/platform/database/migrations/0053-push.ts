import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`
const REFUSED = `using errcode = 'check_violation'`
const TOPICS = `('deposits', 'withdrawals', 'orders', 'results', 'limits', 'alerts', 'account', 'security')`

const TABLES = [
  `-- The keys with which this installation identifies itself to push services. The newest is published; older ones serve the
  -- subscriptions that were made with them. The private half is encrypted.
  create table push_key (
    id int4 primary key,
    public_key text not null unique,
    sealed text not null,
    created_ms int8 not null
  )`,
  `-- Devices that show notices. A subscription ends with the session that made it. Its address and keys are encrypted; the
  -- fingerprint finds an address again.
  create table push_subscription (
    user_id uuid not null references app_user,
    id uuid not null,
    session_hash bytea not null unique references session on delete cascade,
    key_id int4 not null references push_key,
    sealed text not null,
    endpoint_mark bytea not null unique,
    amounts boolean not null default false,
    -- Messages wait between these minutes of the day in this zone. Null: they never wait.
    zone text not null check (length(zone) <= 64),
    quiet_from int2 check (quiet_from between 0 and 1439),
    quiet_to int2 check (quiet_to between 0 and 1439),
    created_ms int8 not null,
    seen_ms int8 not null,
    delivered_ms int8,
    primary key (user_id, id),
    check ((quiet_from is null) = (quiet_to is null))
  )`,
  `-- A user's choice whether notices of a topic are sent to devices.
  create table notice_push (
    user_id uuid not null references app_user,
    topic text not null check (topic in ${TOPICS}),
    is_on boolean not null,
    primary key (user_id, topic)
  )`,
  `-- A delivery to a device names the device. It ends with the device.
  alter table notice_delivery drop constraint notice_delivery_pkey, drop constraint notice_delivery_channel_check,
    add column device_id uuid,
    -- The message waited for the end of the quiet hours.
    add column is_held boolean not null default false,
    add constraint notice_delivery_channel_check check (channel in ('page', 'mail', 'push')),
    add constraint notice_delivery_device_check check ((channel = 'push') = (device_id is not null)),
    add constraint notice_delivery_once unique nulls not distinct (notice_id, channel, device_id),
    add constraint notice_delivery_device foreign key (user_id, device_id)
      references push_subscription (user_id, id) on delete cascade`,
  `create index notice_delivery_device_id on notice_delivery (user_id, device_id) where device_id is not null`,
]

const RULES = [
  `create function check_push_subscription() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from session s where s.token_hash = new.session_hash and s.user_id = new.user_id) then
      raise exception 'push_subscription: the session belongs to another user' ${REFUSED};
    end if;
    if exists (select from account_closing c where c.user_id = new.user_id and c.state <> 'cancelled') then
      raise exception 'push_subscription: the account is being closed' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger check_push_subscription before insert on push_subscription
    for each row execute function check_push_subscription()`,
  `create function end_push_of_closing() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    delete from push_subscription where user_id = new.user_id;
    return null;
  end $$`,
  `create trigger end_push_of_closing after insert on account_closing
    for each row execute function end_push_of_closing()`,
]

const TELL = `-- As before, and one delivery for each device whose user wants the topic there.
  create or replace function tell(of_user uuid, of_kind text, of_subject text, facts jsonb, at int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    nid uuid;
    of_topic text := case
      when of_kind like 'deposit%' then 'deposits' when of_kind = 'order_void' then 'orders'
      when of_kind = 'orders_ended' then 'results' when of_kind = 'price_alert' then 'alerts'
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
    if of_kind = 'orders_ended' and exists (select from break_of(of_user)) then return; end if;
    -- These can be many, or say nothing that is urgent, so their mail is off until the user chooses it.
    if coalesce(choice.is_on, of_kind not in ('order_void', 'orders_ended', 'limit_reached', 'price_alert')) then
      insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'mail');
    end if;
    insert into notice_delivery (user_id, notice_id, channel, device_id)
      select of_user, nid, 'push', s.id from push_subscription s where s.user_id = of_user
        and coalesce((select p.is_on from notice_push p where p.user_id = of_user and p.topic = of_push),
          of_push = 'security');
  end $$`

/** Notices on the devices of users, through the push services of their browsers. */
export const push: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...RULES, TELL]) await sql.raw(statement).execute(db)
  },
}
