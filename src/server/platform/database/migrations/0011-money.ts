import { type Kysely, type Migration, sql } from 'kysely'

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

/** A deadline for each withdrawal, with a reason for each rejection, and an end for each closure. */
export const moneyOut: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
