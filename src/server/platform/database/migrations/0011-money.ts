import { type Kysely, type Migration, sql } from 'kysely'

/**
 * A negative adjustment needs a link to a deposit or to an earlier adjustment, whose amount is its limit, and a notice
 * to the user. The server's role cannot post any other.
 */
const ADJUSTMENTS = [
  `alter table correction
    add column kind text not null default 'credit', add column link text, add column message text not null default '',
    add column trx text, add column posts_ms int8, add column disputed_ms int8, add column posted_ms int8,
    drop constraint correction_state_check,
    add constraint correction_state_check check (state in
      ('waiting', 'announced', 'disputed', 'posted', 'rejected', 'withdrawn'))`,
  `update correction set trx = id::text, kind = case when amount > 0 then 'credit' else 'before' end,
    posted_ms = case when state = 'posted' then decided_ms end`,
  `alter table correction alter column kind drop default, alter column trx set not null,
    add constraint correction_kind_check check (kind in ('credit', 'deposit_reversed', 'paid_twice', 'before'))`,
  `create unique index correction_trx on correction (trx)`,
  `create index correction_link on correction (link) where link is not null`,
  `create index correction_announced on correction (posts_ms) where state = 'announced'`,
  `create function check_correction() returns trigger language plpgsql as $$
  declare
    added int8;
    taken int8;
    notice_ms int8 := case when (select mode = 'demo' from log_identity order by log limit 1) then 60000 else 259200000 end;
  begin
    if tg_op = 'INSERT' then
      if new.state <> 'waiting' or new.kind = 'before' or (new.kind = 'credit') <> (new.amount > 0)
          or (new.kind = 'credit') <> (new.link is null) or new.message = '' then
        raise exception 'correction: not allowed' using errcode = 'check_violation';
      end if;
      if new.amount < 0 then
        perform from app_user where id = new.user_id for update;
        select credited into added from deposit where user_id = new.user_id and trx = new.link and status = 1;
        if added is null and new.kind = 'paid_twice' then
          select amount into added from correction
          where user_id = new.user_id and trx = new.link and amount > 0 and state = 'posted';
        end if;
        select coalesce(-sum(amount), 0) into taken from correction
        where user_id = new.user_id and link = new.link and state not in ('rejected', 'withdrawn');
        if added is null or taken - new.amount > added then
          raise exception 'correction: more than the linked record' using errcode = 'check_violation';
        end if;
      end if;
      return new;
    end if;
    if new.amount < 0 and new.kind <> 'before' and old.state <> new.state then
      if new.state = 'announced' and (new.posts_ms is null or new.posts_ms < new.decided_ms + notice_ms) then
        raise exception 'correction: the notice is too short' using errcode = 'check_violation';
      end if;
      if new.state = 'posted' and (old.state <> 'announced' or new.posts_ms <> old.posts_ms
          or new.posted_ms is null or new.posted_ms < old.posts_ms) then
        raise exception 'correction: not announced' using errcode = 'check_violation';
      end if;
    end if;
    return new;
  end $$`,
  `create trigger correction_checked before insert or update on correction for each row execute function check_correction()`,
]

const STATEMENTS = [
  `alter table withdrawal add column clock_ms int8, add column reason_code text,
    add constraint withdrawal_reason_code_check check (
      reason_code is null or (status = 3 and not is_cancelled
        and reason_code in ('details_wrong', 'identity', 'provider_refused', 'legal')))`,
  `update withdrawal set clock_ms = created_ms`,
  `alter table withdrawal alter column clock_ms set not null`,
  `create index withdrawal_clock on withdrawal (clock_ms) where status = 2`,
  `-- A request after a rejection goes on with the time that the rejected one had waited. No program can start anew.
  create function keep_withdrawal_clock() returns trigger language plpgsql as $$
  begin
    new.clock_ms := new.created_ms - coalesce((
      select w.decided_ms - w.clock_ms from withdrawal w
      where w.user_id = new.user_id and w.status = 3 and not w.is_cancelled
        and w.reason_code is distinct from 'details_wrong' and w.decided_ms > new.created_ms - 2592000000
      order by w.decided_ms desc, w.id desc limit 1), 0);
    return new;
  end $$`,
  `create trigger withdrawal_clock_kept before insert on withdrawal for each row execute function keep_withdrawal_clock()`,
  `-- No deposit while a withdrawal has waited for more than ten days.
  create function refuse_deposit_while_late() returns trigger language plpgsql as $$
  begin
    if exists (select from withdrawal where status = 2 and clock_ms < new.created_ms - 864000000) then
      raise exception 'deposit: a withdrawal has waited for more than ten days' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger deposit_not_while_late before insert on deposit for each row execute function refuse_deposit_while_late()`,
  `-- Each time that the site closes withdrawals. A row with the same begin ends it earlier.
  create table withdrawal_closure (
    from_ms int8 not null,
    until_ms int8 not null,
    at_ms int8 not null,
    reason text not null,
    primary key (from_ms, until_ms),
    constraint withdrawal_closure_until_check check (until_ms > from_ms and until_ms <= from_ms + 259200000),
    constraint withdrawal_closure_at_check check (at_ms >= from_ms)
  )`,
  `create function check_withdrawal_closure() returns trigger language plpgsql as $$
  declare
    last withdrawal_closure%rowtype;
  begin
    select * into last from withdrawal_closure order by from_ms desc, until_ms limit 1;
    if found and (case when new.from_ms = last.from_ms then new.until_ms > last.until_ms
        else new.from_ms < last.from_ms + 1209600000 end) then
      raise exception 'withdrawal_closure: withdrawals were closed within 14 days' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger withdrawal_closure_checked before insert on withdrawal_closure
    for each row execute function check_withdrawal_closure()`,
  `-- Withdrawals that are closed at the upgrade stay so for 72 hours.
  insert into withdrawal_closure (at_ms, from_ms, until_ms, reason)
  select at_ms, at_ms, at_ms + 259200000, coalesce((select value #>> '{}' from setting where key = 'withdraw_reason'), '')
  from (select (extract(epoch from clock_timestamp()) * 1000)::int8 as at_ms) now
  where exists (select from setting where key = 'withdrawals_open' and value = 'false')`,
]

/**
 * A deadline for each withdrawal, with a reason for each rejection, an end for each closure, and limits of adjustments.
 */
export const moneyOut: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...STATEMENTS, ...ADJUSTMENTS]) await sql.raw(statement).execute(db)
  },
}
