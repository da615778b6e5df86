import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Who invited a staff member, how they joined, and since when they are an approver.
  alter table staff
    add column mail text not null default '',
    add column invited_by uuid references staff,
    add column reinvited_by uuid references staff,
    add column reinvited_ms int8,
    add column enrolled_ms int8,
    add column approver_ms int8,
    add column approver_by text[] not null default '{}'`,
  `-- The staff of a demo can show every decision of two people.
  update staff set approver_ms = created_ms, enrolled_ms = created_ms where is_demo`,
  `-- The highest number of approvers that the installation ever had. Only the database writes it.
  create table approver_count (
    id int4 primary key default 1 check (id = 1),
    peak int4 not null
  )`,
  `insert into approver_count (peak) select count(*) from staff where approver_ms is not null`,
  `create function count_approvers() returns trigger language plpgsql security definer
  set search_path from current as $$
begin
  update approver_count set peak = greatest(peak,
    (select count(*) from staff where approver_ms is not null and not is_blocked));
  return null;
end $$`,
  `create trigger staff_approvers_counted after insert or update of approver_ms, is_blocked on staff
    for each statement execute function count_approvers()`,
  `-- Every approval by staff. Step 0 ends the approvals before it, 1 is the first of two, 2 the second, 3 the only one.
  create table approval (
    id uuid primary key,
    kind text not null,
    subject text not null,
    content_hash text not null,
    step int2 not null check (step between 0 and 3),
    staff_id uuid references staff,
    person text not null,
    at_ms int8 not null,
    user_id uuid,
    destination text,
    amount int8 not null default 0,
    place text not null default '',
    mark text not null default '' check (mark in ('', 'admitted', 'same_place', 'admitted_same_place', 'one_operator'))
  )`,
  `create index approval_subject on approval (kind, subject, at_ms)`,
  `create index approval_user on approval (user_id, at_ms)`,
  `create index approval_destination on approval (destination, at_ms)`,
  `create index approval_person on approval (person, at_ms)`,
  `insert into approval (id, kind, subject, content_hash, step, staff_id, person, at_ms)
    select gen_random_uuid(), kind, subject, content_hash, 1, staff_id, staff_id::text, at_ms from first_approval`,
  `drop table first_approval`,
  `-- Changes that wait: for a second person, then for their time.
  create table pending_change (
    id uuid primary key,
    kind text not null,
    subject text not null,
    before jsonb not null,
    after jsonb not null,
    content_hash text not null,
    asked_by uuid not null references staff,
    asked_ms int8 not null,
    asked_from text not null default '',
    second_by uuid references staff,
    second_ms int8,
    applies_ms int8,
    state text not null check (state in ('asked', 'waiting', 'in_force', 'cancelled', 'failed')),
    ended_by text not null default '',
    ended_ms int8,
    mailed text not null default '',
    mark text not null default '',
    reason text not null,
    check (state <> 'waiting' or applies_ms is not null)
  )`,
  `create unique index pending_change_open on pending_change (kind, subject) where state in ('asked', 'waiting')`,
  `create index pending_change_due on pending_change (applies_ms) where state = 'waiting'`,
  `create index pending_change_newest on pending_change (asked_ms desc, id desc)`,
  `-- What two people agreed on stays, and so does its end. Nothing begins before its time, or after the second person's word.
  create function keep_pending_change() returns trigger language plpgsql as $$
  declare
    least_ms int8 := case when (select mode = 'demo' from log_identity order by log limit 1) then 60000 else 86400000 end;
  begin
    if old.state not in ('asked', 'waiting') and new.state <> old.state
        or old.applies_ms is not null and (new.applies_ms, new.second_by, new.second_ms)
          is distinct from (old.applies_ms, old.second_by, old.second_ms)
        or new.applies_ms < coalesce(new.second_ms, old.asked_ms) + least_ms
        or new.state = 'in_force' and (new.applies_ms is null or new.ended_ms < new.applies_ms) then
      raise exception 'pending_change: what was agreed stays' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger pending_change_kept before update on pending_change
    for each row execute function keep_pending_change()`,
  `-- Addresses and rates of gateways, each with the time since when it counts.
  create table gateway_past (
    gateway_id int4 not null references gateway,
    version int4 not null,
    since_ms int8 not null,
    wallet_address text not null,
    rate_millionths int8 not null,
    primary key (gateway_id, version)
  )`,
  `insert into gateway_past
    select id, version, (extract(epoch from clock_timestamp()) * 1000)::int8, wallet_address, rate_millionths
    from gateway`,
]

/** Approvers, all approvals, waiting changes, and earlier versions of gateways. */
export const people: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
