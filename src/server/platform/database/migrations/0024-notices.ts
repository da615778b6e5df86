import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

const TABLES = [
  `-- What a user was told. Only the functions below write rows, in the transaction of the event that a notice is about.
  -- The server's role can only mark a notice as read.
  create table notice (
    user_id uuid not null,
    id uuid not null,
    seq int8 not null generated always as identity,
    kind text not null,
    subject text not null,
    data jsonb not null,
    at_ms int8 not null,
    stored_ms int8 not null,
    read_ms int8,
    primary key (user_id, id),
    constraint notice_once unique (user_id, kind, subject),
    constraint notice_kind_check check (kind in ('deposit_credited', 'deposit_rejected', 'withdrawal_asked',
      'withdrawal_paid', 'withdrawal_rejected', 'withdrawal_cancelled', 'withdrawal_late', 'order_void', 'limit_changed',
      'limit_waits', 'break_begun', 'break_over', 'sign_in', 'security_changed', 'correction_announced',
      'correction_posted', 'correction_withdrawn', 'measure_set', 'measure_ended', 'made_good'))
  )`,
  `create index notice_newest on notice (user_id, seq desc)`,
  `create index notice_unread on notice (user_id) where read_ms is null`,
  `create index notice_age on notice (stored_ms)`,
  `-- Notices that still have to reach a channel: open pages, or the mailbox. A row is deleted when it is delivered. A null
  -- next_ms stands for a delivery that was given up.
  create table notice_delivery (
    user_id uuid not null,
    notice_id uuid not null,
    channel text not null check (channel in ('page', 'mail')),
    tries int4 not null default 0,
    next_ms int8 default 0,
    primary key (notice_id, channel),
    foreign key (user_id, notice_id) references notice on delete cascade
  )`,
  `create index notice_delivery_due on notice_delivery (channel, next_ms) where next_ms is not null`,
  `-- A user's choice whether notices of a topic are mailed.
  create table notice_mail (
    user_id uuid not null references app_user,
    topic text not null check (topic in ('deposits', 'orders', 'limits')),
    is_on boolean not null,
    primary key (user_id, topic)
  )`,
]

const TELL = [
  `-- Writes a notice once for each user, kind and subject, with its deliveries. The server chooses the time of an event, so
  -- the database adds its own.
  create function tell(of_user uuid, of_kind text, of_subject text, facts jsonb, at int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    nid uuid;
    of_topic text := case
      when of_kind like 'deposit%' then 'deposits' when of_kind in ('order_void', 'made_good') then 'orders'
      when of_kind like 'limit%' or of_kind like 'break%' then 'limits' end;
  begin
    insert into notice (user_id, id, kind, subject, data, at_ms, stored_ms)
      values (of_user, gen_random_uuid(), of_kind, of_subject, jsonb_strip_nulls(facts), at, ${NOW})
      on conflict on constraint notice_once do nothing returning id into nid;
    if nid is null then return; end if;
    insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'page');
    -- Many orders can be void together, so their mail is off until the user chooses it.
    if coalesce((select m.is_on from notice_mail m where m.user_id = of_user and m.topic = of_topic),
        of_kind <> 'order_void') then
      insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'mail');
    end if;
  end $$`,
  `revoke execute on function tell from public`,
  `-- The only notice that the server asks for by itself. Its content is one of a closed list.
  create function tell_security_change(of_user uuid, what text, at int8, numbers jsonb) returns void
  language plpgsql security definer set search_path from current as $$
  begin
    if what not in ('password', 'authenticator_on', 'authenticator_off', 'passkey_added', 'passkey_removed',
        'recovery_used', 'recovery_renewed', 'username', 'mobile', 'pin', 'payment_details') then
      raise exception 'tell_security_change: unknown change' using errcode = 'check_violation';
    end if;
    perform tell(of_user, 'security_changed', what || ' ' || at, jsonb_build_object('what', what, 'numbers', numbers), at);
  end $$`,
]

/**
 * Returns SQL for a trigger that writes a notice to the user whom a row belongs to. The condition `when` can use `new`,
 * and for an update also `old`.
 */
function tells(table: string, { on, when, body }: { on: string; when?: string; body: string }): string[] {
  const name = `tell_${table}_${on.split(' ')[0] ?? ''}`
  return [
    `create function ${name}() returns trigger language plpgsql security definer set search_path from current as $$
    begin
      ${body}
      return null;
    end $$`,
    `create trigger ${name} after ${on} on ${table} for each row
      ${when === undefined ? '' : `when (${when})`} execute function ${name}()`,
  ]
}

const DEPOSIT = `perform tell(new.user_id, case new.status when 1 then 'deposit_credited' else 'deposit_rejected' end,
  new.id::text, jsonb_build_object('trx', new.trx, 'amount', new.credited, 'words', nullif(new.feedback, '')),
  coalesce(new.decided_ms, new.created_ms));`

const withdrawal = (kind: string, at: string): string => `perform tell(new.user_id, ${kind}, new.id::text,
  jsonb_build_object('trx', new.trx, 'amount', new.amount, 'method', (select name from gateway where id = new.gateway_id),
    'words', nullif(new.feedback, '')), ${at});`

const DECISION = withdrawal(
  `case when new.status = 1 then 'withdrawal_paid' when new.is_cancelled then 'withdrawal_cancelled'
    else 'withdrawal_rejected' end`,
  'new.decided_ms',
)

const MONEY = [
  ...tells('deposit', { on: 'insert', when: 'new.status in (1, 3)', body: DEPOSIT }),
  ...tells('deposit', {
    on: 'update of status',
    when: 'old.status <> new.status and new.status in (1, 3)',
    body: DEPOSIT,
  }),
  ...tells('withdrawal', {
    on: 'insert',
    body: `${withdrawal(`'withdrawal_asked'`, 'new.created_ms')}
      if new.status in (1, 3) then ${DECISION} end if;`,
  }),
  ...tells('withdrawal', {
    on: 'update of status',
    when: 'old.status <> new.status and new.status in (1, 3)',
    body: DECISION,
  }),
  ...tells('correction', {
    on: 'update of state',
    when: `old.state <> new.state and (new.state in ('announced', 'posted')
      or (old.state in ('announced', 'disputed') and new.state in ('withdrawn', 'rejected')))`,
    // An adjustment can be announced again after a dispute, which is another event.
    body: `perform tell(new.user_id,
      'correction_' || case when new.state in ('announced', 'posted') then new.state else 'withdrawn' end,
      new.id || case new.state when 'announced' then ' ' || gen_random_uuid() else '' end,
      jsonb_build_object('trx', new.trx, 'amount', new.amount, 'words', nullif(new.message, ''), 'until_ms', new.posts_ms),
      coalesce(new.posted_ms, new.decided_ms, new.asked_ms));`,
  }),
  ...tells('order_history', {
    on: 'insert',
    when: 'new.result = 4',
    body: `if not exists (select from app_user where id = new.user_id and is_bot) then
        perform tell(new.user_id, 'order_void', new.id::text,
          jsonb_build_object('trx', new.trx, 'amount', new.stake,
            'symbol', (select code from market_symbol where id = new.symbol_id)), new.settled_ms);
      end if;`,
  }),
  ...tells('made_good', {
    on: 'update of paid_ms',
    when: 'old.paid_ms is null and new.paid_ms is not null',
    body: `if not exists (select from app_user where id = new.user_id and is_bot) then
        perform tell(new.user_id, 'made_good', new.order_id::text,
          jsonb_build_object('trx', (select trx from order_history where user_id = new.user_id and id = new.order_id),
            'amount', new.amount, 'symbol', (select code from market_symbol where id = new.symbol_id)), new.paid_ms);
      end if;`,
  }),
  `-- Withdrawals that have waited for more than 72 hours.
  create function tell_late_withdrawals(at int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    late withdrawal%rowtype;
  begin
    for late in select * from withdrawal w where status = 2 and clock_ms <= at - 259200000 and not exists (
      select from notice n where n.user_id = w.user_id and n.kind = 'withdrawal_late' and n.subject = w.id::text)
    loop
      perform tell(late.user_id, 'withdrawal_late', late.id::text,
        jsonb_build_object('trx', late.trx, 'amount', late.amount), at);
    end loop;
  end $$`,
]

const MEASURE = `jsonb_build_object('measure', new.kind, 'amount', new.value, 'words', new.reason, 'until_ms', new.until_ms)`

const ACCOUNT = [
  ...tells('user_measure', {
    on: 'insert',
    body: `perform tell(new.user_id, 'measure_set', new.id::text, ${MEASURE}, new.since_ms);`,
  }),
  ...tells('user_measure', {
    on: 'update of ended_ms',
    when: 'old.ended_ms is null and new.ended_ms is not null',
    body: `perform tell(new.user_id, 'measure_ended', new.id::text, ${MEASURE}, new.ended_ms);`,
  }),
  ...tells('sign_in', {
    on: 'insert',
    when: `new.went_in and (new.is_new_device or new.how = 'recovery')`,
    body: `if new.how = 'recovery' then
        perform tell_security_change(new.user_id, 'recovery_used', new.at_ms, null);
      end if;
      if new.is_new_device then
        perform tell(new.user_id, 'sign_in', new.id::text,
          jsonb_build_object('agent', new.user_agent, 'address', new.address), new.at_ms);
      end if;`,
  }),
]

const LIMITS = [
  ...tells('self_limit_change', {
    on: 'insert',
    body: `perform tell(new.user_id, case new.direction when 'tighter' then 'limit_changed' else 'limit_waits' end,
      new.id::text, jsonb_build_object('limit', new.key, 'amount', new.to_amount,
        'until_ms', case new.direction when 'looser' then new.ready_ms end), new.asked_ms);`,
  }),
  ...tells('self_limit_change_end', {
    on: 'insert',
    when: `new.outcome = 'confirmed'`,
    body: `perform tell(new.user_id, 'limit_changed', new.id::text,
      (select jsonb_build_object('limit', key, 'amount', to_amount) from self_limit_change
        where user_id = new.user_id and id = new.id), new.at_ms);`,
  }),
  ...tells('self_break', {
    on: 'insert',
    body: `perform tell(new.user_id, 'break_begun', new.id::text,
      jsonb_build_object('break', new.kind, 'until_ms', new.until_ms), new.from_ms);`,
  }),
  ...tells('self_return', {
    on: 'update of confirmed_ms',
    when: 'old.confirmed_ms is null and new.confirmed_ms is not null',
    body: `perform tell(new.user_id, 'break_over', new.break_id || ' returned',
      jsonb_build_object('break', 'returned'), new.confirmed_ms);`,
  }),
  `create index self_break_until on self_break (until_ms)`,
  `-- Breaks whose time is over, unless a longer one of the user goes on.
  create function tell_over_breaks() returns void language plpgsql security definer set search_path from current as $$
  declare
    past self_break%rowtype;
  begin
    for past in select * from self_break b where until_ms between ${NOW} - 604800000 and ${NOW}
      and not exists (select from self_break l where l.user_id = b.user_id and l.until_ms > b.until_ms)
      and not exists (
        select from notice n where n.user_id = b.user_id and n.kind = 'break_over' and n.subject = b.id::text)
    loop
      perform tell(past.user_id, 'break_over', past.id::text, jsonb_build_object('break', past.kind), past.until_ms);
    end loop;
  end $$`,
  `-- Notices are kept for two years.
  create function drop_old_notices() returns void language sql security definer set search_path from current as $$
    delete from notice where stored_ms < ${NOW} - 63072000000
  $$`,
]

/** The inbox of each user, written by the database itself together with the events, and its deliveries. */
export const notices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...TELL, ...MONEY, ...ACCOUNT, ...LIMITS]) await sql.raw(statement).execute(db)
  },
}
