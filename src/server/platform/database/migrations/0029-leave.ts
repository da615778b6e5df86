import { type Kysely, type Migration, sql } from 'kysely'

const TABLE = [
  `-- A blocked user who takes all money and leaves. It ends once: closed, refused by staff, or lifted with the block.
  create table user_leave (
    user_id uuid not null references app_user,
    id uuid not null,
    asked_ms int8 not null,
    state text not null default 'open',
    ended_ms int8,
    -- When a user whose leave was refused can ask again: 14 days after the refusal at the latest.
    again_ms int8,
    primary key (user_id, id),
    constraint user_leave_state_check check (state in ('open', 'closed', 'refused', 'lifted')),
    constraint user_leave_ended_check check ((state = 'open') = (ended_ms is null) and ended_ms >= asked_ms),
    constraint user_leave_again_check check (
      (again_ms is not null) = (state = 'refused') and again_ms between ended_ms and ended_ms + 1209600000)
  )`,
  `create unique index user_leave_running on user_leave (user_id) where state in ('open', 'closed')`,
  `create index user_leave_open on user_leave (asked_ms) where state = 'open'`,
  `create function check_user_leave() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      if new.state <> 'open' or not exists (select from app_user where id = new.user_id and sign_in_blocked) then
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
  `create trigger user_leave_checked before insert or update on user_leave
    for each row execute function check_user_leave()`,
]

const WITHDRAWALS = [
  `alter table withdrawal add column leave_id uuid, add column above_principal boolean not null default false,
    add constraint withdrawal_leave_fkey foreign key (user_id, leave_id) references user_leave (user_id, id),
    drop constraint withdrawal_reason_code_check,
    add constraint withdrawal_reason_code_check check (
      reason_code is null or (status = 3 and not is_cancelled and case when leave_id is null
        then reason_code in ('details_wrong', 'identity', 'provider_refused', 'legal')
        else reason_code in ('details_wrong', 'legal_order', 'disputed_deposit')
          or reason_code = 'identity_failed' and above_principal end)),
    add constraint withdrawal_leave_reason_check check (
      leave_id is null or status <> 3 or is_cancelled or reason_code is not null)`,
  `create index withdrawal_leave on withdrawal (user_id, leave_id) where leave_id is not null`,
]

const LEDGER = `
  alter table transfer drop constraint transfer_kind_check, drop constraint credits_stay,
    -- Credits never become money. Those of a user who left go back to where they came from.
    add constraint credits_stay check (
      (from_account <> 'credits' or (to_account = 'house:bonus' and kind = 'credits_lapsed'))
      and (to_account <> 'credits' or from_account = 'house:bonus')),
    add constraint transfer_kind_check check (kind in (
    'order_stake', 'order_win', 'order_draw', 'order_void', 'order_lose', 'order_profit', 'make_good', 'deposit', 'demo_funds',
    'withdrawal_request', 'withdrawal_paid', 'withdrawal_rejected', 'withdrawal_cancelled', 'withdrawal_fee',
    'correction_in', 'correction_out', 'beginner_task', 'credits_lapsed'))`

/** Credits lapse only with the end of a leave. */
const LAPSE = [
  `create function check_lapsed_credits() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from user_leave l where l.id = new.ref and l.user_id = new.user_id
        and l.state = 'closed' and l.ended_ms = new.created_ms) then
      raise exception 'transfer: the user has not left' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger transfer_credits_lapsed after insert on transfer deferrable initially deferred
    for each row when (new.kind = 'credits_lapsed') execute function check_lapsed_credits()`,
]

const RECEIPTS = [
  `alter table money_step drop constraint money_step_of_kind_check,
    add constraint money_step_of_kind_check check (of_kind in ('deposit', 'withdrawal', 'correction', 'leave'))`,
  `create or replace function withdrawal_takes_step() returns trigger
   language plpgsql security definer set search_path from current as $$
  declare
    kind text := case when new.leave_id is null then 'withdrawal' else 'leave' end;
    step text := case when new.is_cancelled then 'cancelled' when new.status = 1 then 'approved'
      when new.status = 3 then 'rejected' end;
  begin
    -- Other changes of a row, as new encryption, are no step.
    if tg_op = 'UPDATE' and old.status = new.status then return null; end if;
    if tg_op = 'INSERT' then
      perform add_money_step(new.user_id, new.id, kind, new.trx, 'asked', new.created_ms);
    end if;
    if step is not null then
      perform add_money_step(new.user_id, new.id, kind, new.trx, step, new.decided_ms);
    end if;
    return null;
  end $$`,
]

/** Blocked users can withdraw their money and leave the site. */
export const leave: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLE, ...WITHDRAWALS, LEDGER, ...LAPSE, ...RECEIPTS])
      await sql.raw(statement).execute(db)
  },
}
