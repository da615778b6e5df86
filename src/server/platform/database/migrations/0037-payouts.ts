import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const STATES = `'requested', 'approved', 'paying', 'paid', 'failed', 'returned', 'rejected', 'cancelled'`

const COLUMNS = [
  `-- Approving says only that a withdrawal may be paid. The payment itself has states of its own. The status follows from
  -- the state. decided_ms is the end of the wait: when it was paid, failed, rejected or cancelled.
  alter table withdrawal
    add column state text,
    add column paying_by text,
    add column paying_ms int8,
    add column reference text,
    add column sent_ms int8,
    add column sent_amount int8,
    add column network_fee int8,
    add column returned_ms int8`,
  // The statements below replace the rules that the new columns would break.
  `alter table withdrawal disable trigger user`,
  `update withdrawal set state = case when is_cancelled then 'cancelled' when status = 1 then 'paid'
    when status = 3 then 'rejected' else 'requested' end`,
  `alter table withdrawal enable trigger user`,
  `alter table withdrawal alter column state set not null,
    add constraint withdrawal_state_check check (state in (${STATES})),
    add constraint withdrawal_state_status_check check (status = case
      when state in ('requested', 'approved', 'paying') then 2 when state = 'paid' then 1 else 3 end),
    add constraint withdrawal_state_cancelled_check check (is_cancelled = (state = 'cancelled')),
    add constraint withdrawal_paying_check check (
      (state = 'paying') = (paying_by is not null) and (state = 'paying') = (paying_ms is not null)),
    add constraint withdrawal_reference_check check (
      reference is null or (state in ('paid', 'returned') and length(reference) between 1 and 140)),
    add constraint withdrawal_sent_check check ((reference is null) = (sent_ms is null)
      and (reference is not null or (sent_amount is null and network_fee is null))
      and (sent_amount is null or sent_amount > 0) and (network_fee is null or network_fee >= 0)),
    add constraint withdrawal_returned_check check ((state = 'returned') = (returned_ms is not null)),
    -- A payment that failed or came back has no reason of the list.
    drop constraint withdrawal_leave_reason_check,
    add constraint withdrawal_leave_reason_check check (leave_id is null or state <> 'rejected' or reason_code is not null),
    add constraint withdrawal_reason_state_check check (reason_code is null or state = 'rejected')`,
  `-- One payment is recorded for one withdrawal.
  create unique index withdrawal_reference on withdrawal (gateway_id, reference) where reference is not null`,
  `create index withdrawal_by_new_state on withdrawal (state, created_ms, id)`,
  `create index withdrawal_returned on withdrawal (returned_ms) where returned_ms is not null`,
  `drop index withdrawal_paid`,
  `create index withdrawal_paid on withdrawal (decided_ms) include (created_ms) where state in ('paid', 'returned')`,
  `create index withdrawal_to on withdrawal (destination, user_id)`,
]

const EVENTS = [
  `-- Each step of a withdrawal, added and never changed. The state of a withdrawal is what its steps lead to.
  create table payment_event (
    user_id uuid not null,
    subject uuid not null,
    seq int4 not null,
    subject_kind text not null default 'withdrawal' check (subject_kind = 'withdrawal'),
    step text not null,
    state text not null check (state in (${STATES})),
    staff_id uuid references staff,
    who text not null default '',
    at_ms int8 not null,
    words text not null default '',
    data jsonb not null default '{}',
    primary key (user_id, subject, seq)
  )`,
  `-- The past. Who decided is in the audit log. When a payment was sent, and its reference, was not kept.
  insert into payment_event (user_id, subject, seq, step, state, at_ms)
    select user_id, id, 1, 'requested', 'requested', created_ms from withdrawal`,
  `insert into payment_event (user_id, subject, seq, step, state, staff_id, who, at_ms, words, data)
    select w.user_id, w.id, 2, w.state, w.state, a.staff_id, coalesce(a.who, ''), w.decided_ms, w.feedback,
      case when w.state = 'paid' then '{"not_kept": ["reference", "sent_ms"]}'::jsonb else '{}' end
    from withdrawal w left join lateral (
      select staff_id, who from admin_action where target = w.trx and outcome = 'done' and (after::jsonb) ? 'status'
        and not w.is_cancelled order by seq desc limit 1) a on true
    where w.status <> 2`,
  `-- Which step may follow which state, and the state after it. Null where a step changes none.
  create function state_after_step(new_step text, before_state text) returns text language sql immutable as $$
    select case
      when new_step = 'requested' then case when before_state is null then 'requested' end
      when new_step in ('first_approval', 'first_rejection') then
        case when before_state in ('requested', 'approved') then before_state end
      when new_step = 'approved' then case when before_state = 'requested' then 'approved' end
      when new_step = 'details_changed' then case when before_state in ('requested', 'approved') then 'requested'
        when before_state = 'paying' then 'paying' end
      when new_step in ('rejected', 'cancelled') then
        case when before_state in ('requested', 'approved') then new_step end
      when new_step = 'paying' then case when before_state = 'approved' then 'paying' end
      when new_step = 'taken_over' then case when before_state = 'paying' then 'paying' end
      when new_step = 'unsent' then case when before_state = 'paying' then 'approved' end
      when new_step in ('paid', 'failed') then case when before_state = 'paying' then new_step end
      when new_step = 'first_return' then case when before_state = 'paid' then 'paid' end
      when new_step = 'returned' then case when before_state = 'paid' then 'returned' end
    end
  $$`,
  `create function check_payment_event() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    last payment_event%rowtype;
  begin
    select * into last from payment_event where user_id = new.user_id and subject = new.subject order by seq desc limit 1;
    if new.seq <> coalesce(last.seq, 0) + 1 or new.state is distinct from state_after_step(new.step, last.state) then
      raise exception 'payment_event: % does not follow %', new.step, coalesce(last.state, 'nothing')
        using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger payment_event_checked before insert on payment_event
    for each row execute function check_payment_event()`,
  `-- A request begins the history. A record that is added with its outcome has both steps.
  create function begin_payment_history() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    insert into payment_event (user_id, subject, seq, step, state, at_ms)
      values (new.user_id, new.id, 1, 'requested', 'requested', new.created_ms);
    if new.state in ('rejected', 'cancelled') then
      insert into payment_event (user_id, subject, seq, step, state, at_ms, words)
        values (new.user_id, new.id, 2, new.state, new.state, new.decided_ms, new.feedback);
    elsif new.state = 'paid' then
      insert into payment_event (user_id, subject, seq, step, state, at_ms, words)
        select new.user_id, new.id, n, step, step, new.decided_ms, new.feedback
        from (values (2, 'approved'), (3, 'paying'), (4, 'paid')) steps (n, step) order by n;
    end if;
    return null;
  end $$`,
  // Runs before all other triggers of the table, which read the text of the last step.
  `create trigger a_history_begun after insert on withdrawal for each row execute function begin_payment_history()`,
  `-- At the end of each transaction the state of a withdrawal is that of its last step.
  create function check_payment_history() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    of_id uuid := case when tg_table_name = 'withdrawal' then (to_jsonb(new) ->> 'id')::uuid
      else (to_jsonb(new) ->> 'subject')::uuid end;
  begin
    if (select state from withdrawal where user_id = new.user_id and id = of_id) is distinct from
        (select state from payment_event where user_id = new.user_id and subject = of_id order by seq desc limit 1) then
      raise exception 'withdrawal: its steps lead to another state' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger withdrawal_has_history after insert or update of state on withdrawal
    deferrable initially deferred for each row execute function check_payment_history()`,
  `create constraint trigger payment_event_has_state after insert on payment_event
    deferrable initially deferred for each row execute function check_payment_history()`,
  `-- What was paid, rejected, cancelled or failed stays so, with its words, reference and times. Only the return of a
  -- payment may follow it. A new key may encrypt payment details again.
  create or replace function keep_withdrawal_decision() returns trigger language plpgsql as $$
  declare
    free text[] := '{details,destination,review_version}';
  begin
    if old.state = 'paid' and new.state = 'returned' then free := free || '{status,state,returned_ms}'; end if;
    if to_jsonb(new) - free <> to_jsonb(old) - free then
      raise exception 'withdrawal: a decision is final' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
]

/** The withdrawal that each kind of transfer needs, as a condition on the withdrawal `w` and the transfer `t`. */
const NET = 'w.amount - w.percent_charge - w.fixed_charge = t.amount'
const CHARGE = 'w.percent_charge + w.fixed_charge = t.amount'
const RECORDS = {
  withdrawal_request: `w.amount = t.amount and w.created_ms = t.created_ms`,
  withdrawal_paid: `w.state in ('paid', 'returned') and ${NET} and w.decided_ms = t.created_ms`,
  withdrawal_fee: `w.state in ('paid', 'returned') and ${CHARGE} and w.decided_ms = t.created_ms`,
  withdrawal_failed: `w.state = 'failed' and w.amount = t.amount and w.decided_ms = t.created_ms`,
  withdrawal_rejected: `w.state = 'rejected' and w.amount = t.amount and w.decided_ms = t.created_ms`,
  withdrawal_cancelled: `w.state = 'cancelled' and w.amount = t.amount and w.decided_ms = t.created_ms`,
  withdrawal_returned: `w.state = 'returned' and ${NET} and w.returned_ms = t.created_ms`,
  withdrawal_fee_returned: `w.state = 'returned' and ${CHARGE} and w.returned_ms = t.created_ms`,
} as const
const TRANSFERS = [
  `alter table transfer drop constraint transfer_kind_check`,
  `alter table transfer add constraint transfer_kind_check check (kind in (
    'order_stake', 'order_win', 'order_draw', 'order_void', 'order_lose', 'order_sold', 'order_sale', 'order_sale_fee',
    'order_profit', 'make_good', 'deposit', 'demo_funds', 'withdrawal_request', 'withdrawal_paid', 'withdrawal_rejected',
    'withdrawal_cancelled', 'withdrawal_fee', 'withdrawal_failed', 'withdrawal_returned', 'withdrawal_fee_returned',
    'correction_in', 'correction_out', 'beginner_task', 'credits_lapsed'))`,
  `create function check_withdrawal_record() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    t transfer := new;
  begin
    if not exists (select from withdrawal w where w.id = t.ref and w.user_id = t.user_id and case t.kind
        ${Object.entries(RECORDS)
          .map(([kind, condition]) => `when '${kind}' then ${condition}`)
          .join('\n        ')} end) then
      raise exception 'transfer: no record says %', t.kind using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `drop trigger transfer_recorded on transfer`,
  `create constraint trigger transfer_recorded after insert on transfer deferrable initially deferred
    for each row when (new.kind in ('deposit', 'demo_funds', 'correction_in', 'correction_out'))
    execute function check_transfer_record()`,
  `create constraint trigger transfer_of_withdrawal after insert on transfer deferrable initially deferred
    for each row when (new.kind like 'withdrawal%') execute function check_withdrawal_record()`,
  `-- A payment that came back has the transfer of its return as well.
  create or replace function check_withdrawal_transfer() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if exists (
      select from unnest(case new.state when 'returned' then array['close', 'return'] else array['close'] end) as s (step)
      where not exists (select from transfer t where t.user_id = new.user_id and t.ref = new.id and t.step = s.step)) then
      raise exception 'withdrawal: the transfer is missing' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
]

const RECEIPTS = [
  `alter table money_step drop constraint money_step_step_check,
    add constraint money_step_step_check check (step in ('asked', 'approved', 'paid', 'failed', 'returned', 'credited',
      'rejected', 'cancelled', 'announced', 'posted'))`,
  `-- A receipt is signed when money was asked for, and when it left or came back. Until this migration a payment was
  -- called "approved".
  create or replace function withdrawal_takes_step() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    kind text := case when new.leave_id is null then 'withdrawal' else 'leave' end;
  begin
    if tg_op = 'INSERT' then
      perform add_money_step(new.user_id, new.id, kind, new.trx, 'asked', new.created_ms);
    elsif old.state = new.state then return null;
    end if;
    if new.status <> 2 then
      perform add_money_step(new.user_id, new.id, kind, new.trx, new.state,
        coalesce(new.returned_ms, new.decided_ms));
    end if;
    return null;
  end $$`,
]

const LEAVES = [
  `-- A payment that comes back can find its account closed. The user then leaves once more.
  drop index user_leave_running`,
  `create unique index user_leave_running on user_leave (user_id) where state = 'open'`,
  `create index user_leave_closed on user_leave (user_id) where state = 'closed'`,
  `create or replace function check_user_leave() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      if new.state <> 'open' or not exists (select from app_user u where u.id = new.user_id and (u.sign_in_blocked
          or exists (select from user_leave l where l.user_id = u.id and l.state = 'closed'))) then
        raise exception 'user_leave: the user is not blocked' using errcode = 'check_violation';
      end if;
      return new;
    end if;
    if old.state <> 'open' then
      raise exception 'user_leave: it has ended' using errcode = 'check_violation';
    end if;
    if new.state = 'lifted' and exists (select from app_user where id = new.user_id and sign_in_blocked) then
      raise exception 'user_leave: the user is still blocked' using errcode = 'check_violation';
    end if;
    if new.state = 'closed' and exists (select from balance where user_id = new.user_id
        and (cash, staked, withdrawing, credits, open_orders) <> (0, 0, 0, 0, 0)) then
      raise exception 'user_leave: something is still owed to the user' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
]

const TELL = `perform tell(new.user_id, 'withdrawal_' || new.state, new.id::text,
  jsonb_build_object('trx', new.trx, 'amount', new.amount, 'method', (select name from gateway where id = new.gateway_id),
    'words', (select nullif(words, '') from payment_event where user_id = new.user_id and subject = new.id
      order by seq desc limit 1)),
  coalesce(new.returned_ms, new.decided_ms, new.paying_ms, (select at_ms from payment_event
    where user_id = new.user_id and subject = new.id order by seq desc limit 1)));`

const NOTICES = [
  ...['withdrawal_approved', 'withdrawal_paying', 'withdrawal_failed', 'withdrawal_returned'].map(addNoticeKind),
  `drop trigger tell_withdrawal_update on withdrawal`,
  `create or replace function tell_withdrawal_update() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    ${TELL}
    return null;
  end $$`,
  `create trigger tell_withdrawal_update after update of state on withdrawal
    for each row when (old.state <> new.state and new.state <> 'requested') execute function tell_withdrawal_update()`,
]

/** The states of a payment, the history of each withdrawal, and what follows from them. */
export const payouts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...COLUMNS, ...EVENTS, ...TRANSFERS, ...RECEIPTS, ...LEAVES, ...NOTICES])
      await sql.raw(statement).execute(db)
  },
}
