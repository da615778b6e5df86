import { type Kysely, type Migration, sql } from 'kysely'

const REFUSED = `using errcode = 'check_violation'`
const FUNCTION = `language plpgsql security definer set search_path from current as`
const DEPOSIT_STATES = `'waiting', 'seen', 'review', 'credited', 'rejected', 'expired'`

const DEPOSITS = [
  `alter table gateway add column quote_seconds int4 not null default 86400
    constraint gateway_quote_seconds_check check (quote_seconds between 60 and 604800)`,
  `-- These currencies have a live rate.
  update gateway set quote_seconds = 900 where kind = 'deposit' and upper(currency) in ('BTC', 'ETH')`,
  `-- Deposits from before arrivals were kept have no arrival, and their quotes do not end. before_arrivals says of a
  -- credited deposit that its one transfer has the id of the deposit.
  alter table deposit add column state text, add column quoted_until int8, add column percent_basis_points int4,
    add column before_arrivals boolean not null default false`,
  `alter table deposit disable trigger user`,
  `update deposit set state = case status when 1 then 'credited' when 2 then 'waiting' else 'rejected' end,
    before_arrivals = (status = 1), percent_basis_points = round(percent_charge::numeric * 10000 / amount)`,
  `alter table deposit enable trigger user`,
  `alter table deposit add constraint deposit_state_check check (case
    when state in ('waiting', 'seen', 'review') then status = 2
    when state = 'credited' then status = 1
    when state in ('rejected', 'expired') then status = 3 else false end)`,
  `-- A server of the version before knows no states.
  create function follow_deposit_status() returns trigger language plpgsql as $$
  begin
    if new.state is null or (tg_op = 'UPDATE' and new.status <> old.status and new.state = old.state) then
      new.state := case new.status when 1 then 'credited' when 2 then 'waiting' when 3 then 'rejected' end;
    end if;
    new.percent_basis_points := coalesce(new.percent_basis_points,
      round(new.percent_charge::numeric * 10000 / new.amount));
    return new;
  end $$`,
  `create trigger a_deposit_state_follows before insert or update on deposit
    for each row execute function follow_deposit_status()`,
  `create index deposit_to_expire on deposit (created_ms) where state = 'waiting'`,
  `-- Before anything is credited, the credit is the amount at the rate. Then it is the sum of the credited arrivals.
  alter table deposit drop constraint deposit_credit_check`,
  `alter table deposit add constraint deposit_credit_check check (
    status = 1 or abs(credited::numeric * 1000000 - amount::numeric * rate_millionths) < 1000000) not valid`,
  `-- A quote changes only as long as nothing has arrived.
  create function keep_deposit_quote() returns trigger language plpgsql as $$
  begin
    if old.state <> 'waiting' or new.state <> 'waiting' then
      raise exception 'deposit: the quote stays' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger deposit_quote_kept before update on deposit for each row
    when ((new.rate_millionths, new.quoted_until) is distinct from (old.rate_millionths, old.quoted_until))
    execute function keep_deposit_quote()`,
  `-- What was decided stays so. More money can arrive for a credited deposit, and any money opens an expired one again.
  create or replace function keep_deposit_decision() returns trigger language plpgsql as $$
  declare
    free text[] := '{}';
  begin
    if old.state = 'credited' then free := '{credited}'; end if;
    if old.state = 'expired' and new.state in ('seen', 'review') then free := '{status,state,decided_ms,feedback}'; end if;
    if exists (select from erased_account where user_id = new.user_id) then
      free := free || '{fields,files,feedback,client_request_id,request_fingerprint}'::text[];
    end if;
    if to_jsonb(new) - free <> to_jsonb(old) - free then
      raise exception 'deposit: a decision is final' ${REFUSED};
    end if;
    return new;
  end $$`,
]

const ARRIVALS = [
  `-- Money that arrived. What arrived never changes, only what becomes of it. Amounts are in hundred-millionths of the
  -- currency. raw_amount is in the smallest unit of a chain.
  create table arrival (
    id uuid primary key,
    gateway_id int4 not null references gateway,
    currency text not null,
    amount numeric(38, 0) not null,
    raw_amount numeric(78, 0),
    source text not null,
    external_id text not null,
    reference text not null,
    seen_ms int8 not null,
    confirmed_ms int8,
    created_ms int8 not null,
    state text not null,
    user_id uuid references app_user,
    deposit_id uuid,
    rate_millionths int8,
    takes_two boolean not null default false,
    credited int8,
    charge int8,
    credited_ms int8,
    sent_ms int8,
    sent_reference text,
    foreign key (user_id, deposit_id) references deposit (user_id, id),
    constraint arrival_external unique (source, external_id),
    constraint arrival_amount_check check (amount > 0 and (raw_amount is null or raw_amount > 0)),
    constraint arrival_source_check check (source in ('staff', 'statement', 'btcpay', 'evm', 'demo')),
    constraint arrival_external_id_check check (length(external_id) between 1 and 400),
    constraint arrival_owner_check check ((user_id is null) = (deposit_id is null)),
    constraint arrival_state_check check (case state
      when 'seen' then true when 'gone' then true
      when 'confirmed' then deposit_id is not null and rate_millionths > 0 and confirmed_ms is not null
      when 'credited' then deposit_id is not null and rate_millionths > 0 and confirmed_ms is not null
      when 'unassigned' then deposit_id is null and confirmed_ms is not null
      when 'sent_back' then deposit_id is null and sent_ms is not null and sent_reference <> ''
      else false end),
    constraint arrival_credit_check check (case when state = 'credited'
      then credited > 0 and charge >= 0 and credited_ms is not null
        and credited + charge = div(amount * rate_millionths, 1000000000000)
      else (credited, charge, credited_ms) is not distinct from (null, null, null) end)
  )`,
  `create index arrival_of_deposit on arrival (user_id, deposit_id)`,
  `create index arrival_by_time on arrival (created_ms, id)`,
  `create index arrival_by_state on arrival (state, created_ms, id)`,
  `create index arrival_credited on arrival (credited_ms) include (user_id, credited) where state = 'credited'`,
  `-- Which state may follow which. Only the demo's own gateway brings money that is credited at once.
  create function check_arrival() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      if new.state not in ('seen', 'confirmed', 'unassigned') and not (new.state = 'credited' and new.source = 'demo') then
        raise exception 'arrival: it does not begin as %', new.state ${REFUSED};
      end if;
      return new;
    end if;
    if not (case old.state
        when 'seen' then new.state in ('seen', 'confirmed', 'unassigned', 'gone')
        when 'confirmed' then new.state in ('credited', 'unassigned', 'gone')
        when 'unassigned' then new.state in ('confirmed', 'sent_back', 'gone')
        when 'gone' then new.state in ('seen', 'confirmed', 'unassigned')
        else false end) then
      raise exception 'arrival: % does not follow %', new.state, old.state ${REFUSED};
    end if;
    if new.state = 'credited' and (new.deposit_id, new.rate_millionths) is distinct from (old.deposit_id, old.rate_millionths) then
      raise exception 'arrival: it is credited as it was confirmed' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger arrival_checked before insert or update on arrival for each row execute function check_arrival()`,
]

const LEDGER = [
  `do $$
  declare
    kinds text := (select string_agg(quote_literal(listed[1]), ', ') from pg_constraint,
      regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g') as listed where conname = 'transfer_kind_check');
  begin
    alter table transfer drop constraint transfer_kind_check;
    execute format('alter table transfer add constraint transfer_kind_check check (kind in (%s, ''deposit_fee''))', kinds);
  end $$`,
  `-- Money is credited only for money that arrived.
  create function check_arrival_record() returns trigger ${FUNCTION} $$
  begin
    if not exists (select from arrival a where a.id = new.ref and a.user_id = new.user_id and a.state = 'credited'
        and a.credited_ms = new.created_ms
        and new.amount = case new.kind when 'deposit' then a.credited else a.charge end) then
      raise exception 'transfer: no record says %', new.kind ${REFUSED};
    end if;
    return null;
  end $$`,
  `drop trigger transfer_recorded on transfer`,
  `create constraint trigger transfer_recorded after insert on transfer deferrable initially deferred
    for each row when (new.kind in ('demo_funds', 'correction_in', 'correction_out'))
    execute function check_transfer_record()`,
  `create constraint trigger transfer_of_arrival after insert on transfer deferrable initially deferred
    for each row when (new.kind in ('deposit', 'deposit_fee')) execute function check_arrival_record()`,
  `-- A credited arrival has its transfers, and a credited deposit has the sum of its arrivals.
  create or replace function check_deposit_transfer() returns trigger ${FUNCTION} $$
  declare
    of_deposit uuid := case when tg_table_name = 'deposit' then (to_jsonb(new) ->> 'id')::uuid
      else (to_jsonb(new) ->> 'deposit_id')::uuid end;
    one deposit%rowtype;
  begin
    select * into strict one from deposit where user_id = new.user_id and id = of_deposit;
    if one.before_arrivals then
      if not exists (select from transfer where user_id = one.user_id and ref = one.id and step = 'deposit') then
        raise exception 'deposit: the transfer is missing' ${REFUSED};
      end if;
      if not exists (select from arrival a where a.user_id = one.user_id and a.deposit_id = one.id and a.state = 'credited') then
        return null;
      end if;
    end if;
    if exists (select from arrival a where a.user_id = one.user_id and a.deposit_id = one.id and a.state = 'credited'
          and (not exists (select from transfer t where t.user_id = a.user_id and t.ref = a.id and t.step = 'deposit')
            or (a.charge > 0 and not exists (
              select from transfer t where t.user_id = a.user_id and t.ref = a.id and t.step = 'deposit_fee'))))
        or not exists (select from arrival a where a.user_id = one.user_id and a.deposit_id = one.id and a.state = 'credited') then
      raise exception 'deposit: the transfer is missing' ${REFUSED};
    end if;
    if one.status <> 1 or one.credited <> (
        select sum(a.credited) from arrival a where a.user_id = one.user_id and a.deposit_id = one.id and a.state = 'credited')
        + (case when one.before_arrivals then coalesce((
          select sum(t.amount) from transfer t where t.user_id = one.user_id and t.ref = one.id and t.step = 'deposit'), 0) else 0 end) then
      raise exception 'deposit: its credit is not the sum of its arrivals' ${REFUSED};
    end if;
    return null;
  end $$`,
  `create constraint trigger arrival_transferred after insert or update on arrival deferrable initially deferred
    for each row when (new.state = 'credited') execute function check_deposit_transfer()`,
  `-- As before, with the arrival that a credit belongs to.
  create or replace function check_payment_audited() returns trigger ${FUNCTION} $$
  declare
    of_trx text := case when new.kind = 'deposit'
      then (select d.trx from arrival a join deposit d on d.user_id = a.user_id and d.id = a.deposit_id
        join gateway g on g.id = d.gateway_id
        where a.id = new.ref and a.user_id = new.user_id and not (g.is_automatic and g.id = 1 and a.source = 'demo'))
      else (select trx from withdrawal where user_id = new.user_id and id = new.ref) end;
  begin
    if of_trx is not null and not exists (select from admin_action where target = of_trx and outcome = 'done') then
      raise exception 'transfer: the audit log does not say who decided it' ${REFUSED};
    end if;
    return null;
  end $$`,
]

const HISTORY = [
  `alter table payment_event drop constraint payment_event_subject_kind_check,
    drop constraint payment_event_state_check`,
  `alter table payment_event
    add constraint payment_event_subject_kind_check check (subject_kind in ('withdrawal', 'deposit')),
    add constraint payment_event_state_check check (case subject_kind
      when 'deposit' then state in (${DEPOSIT_STATES})
      else state in ('requested', 'approved', 'paying', 'paid', 'failed', 'returned', 'rejected', 'cancelled') end)`,
  `drop trigger payment_event_checked on payment_event`,
  `create trigger payment_event_checked before insert on payment_event
    for each row when (new.subject_kind = 'withdrawal') execute function check_payment_event()`,
  `drop trigger payment_event_has_state on payment_event`,
  `create constraint trigger payment_event_has_state after insert on payment_event deferrable initially deferred
    for each row when (new.subject_kind = 'withdrawal') execute function check_payment_history()`,
  `-- The steps of a deposit are numbered without a gap, and each names the state that the deposit has then.
  create function check_deposit_event() returns trigger ${FUNCTION} $$
  begin
    if new.seq <> 1 + (select count(*) from payment_event where user_id = new.user_id and subject = new.subject)
        or not exists (select from deposit d where d.user_id = new.user_id and d.id = new.subject) then
      raise exception 'payment_event: % of a deposit is out of order', new.step ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger payment_event_of_deposit before insert on payment_event
    for each row when (new.subject_kind = 'deposit') execute function check_deposit_event()`,
  `insert into payment_event (user_id, subject, subject_kind, seq, step, state, at_ms)
    select user_id, id, 'deposit', 1, 'requested', 'waiting', created_ms from deposit`,
  `insert into payment_event (user_id, subject, subject_kind, seq, step, state, staff_id, who, at_ms, words)
    select d.user_id, d.id, 'deposit', 2, d.state, d.state, a.staff_id, coalesce(a.who, ''), d.decided_ms, d.feedback
    from deposit d left join lateral (
      select staff_id, who from admin_action where target = d.trx and outcome = 'done' order by seq desc limit 1) a on true
    where d.status <> 2 and d.decided_ms is not null`,
  `-- A receipt is signed for a request, its first credit and its rejection. An expired request is none of these.
  create or replace function deposit_takes_step() returns trigger ${FUNCTION} $$
  declare
    step text := case new.state when 'credited' then 'credited' when 'rejected' then 'rejected' end;
  begin
    if tg_op = 'UPDATE' and old.state = new.state then return null; end if;
    if tg_op = 'INSERT' then
      perform add_money_step(new.user_id, new.id, 'deposit', new.trx, 'asked', new.created_ms);
    end if;
    if step is not null then
      perform add_money_step(new.user_id, new.id, 'deposit', new.trx, step, new.decided_ms);
    end if;
    return null;
  end $$`,
]

const REJECTED = `begin
    if new.state = 'rejected' then
      perform tell(new.user_id, 'deposit_rejected', new.id::text,
        jsonb_build_object('trx', new.trx, 'amount', new.credited, 'words', nullif(new.feedback, '')),
        coalesce(new.decided_ms, new.created_ms));
    end if;
    return null;
  end`

const NOTICES = [
  `create or replace function tell_deposit_insert() returns trigger ${FUNCTION} $$ ${REJECTED} $$`,
  `create or replace function tell_deposit_update() returns trigger ${FUNCTION} $$ ${REJECTED} $$`,
  `-- Each arrival is told when it is credited. Amounts in the gateway's currency tell what arrived and what was asked for.
  create function tell_arrival() returns trigger ${FUNCTION} $$
  declare
    one deposit%rowtype;
  begin
    select * into strict one from deposit where user_id = new.user_id and id = new.deposit_id;
    perform tell(new.user_id, 'deposit_credited', new.id::text, jsonb_build_object('trx', one.trx, 'amount', new.credited,
      'words', nullif(one.feedback, ''), 'currency', one.currency, 'asked', (one.total::numeric * 1000000)::numeric(38, 0)::text,
      'arrived', (select sum(a.amount)::text from arrival a where a.user_id = new.user_id and a.deposit_id = new.deposit_id
        and a.state = 'credited')), new.credited_ms);
    return null;
  end $$`,
  `create trigger tell_arrival_insert after insert on arrival
    for each row when (new.state = 'credited') execute function tell_arrival()`,
  `create trigger tell_arrival_update after update of state on arrival
    for each row when (old.state <> 'credited' and new.state = 'credited') execute function tell_arrival()`,
]

/** Arrivals of money, states of deposits, quotes that end, and charges in the ledger. */
export const arrivals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...DEPOSITS, ...ARRIVALS, ...LEDGER, ...HISTORY, ...NOTICES]) {
      await sql.raw(statement).execute(db)
    }
  },
}
