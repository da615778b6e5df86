import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** The audit log and approvals. */
export const audit: BaselineRoom = {
  tables: [
    `-- The audit log. The database numbers each line and chains it by hashes when its transaction commits, so nobody chooses
    -- a place in it and no transaction waits for another before its end.
    create table admin_action (
      id uuid primary key,
      at_ms int8 not null,
      who text not null,
      what text not null,
      target text not null default '',
      reason text not null default '',
      outcome text not null,
      before jsonb,
      after jsonb,
      staff_id uuid,
      request_id text not null default '',
      address text not null default '',
      seq int8,
      previous_hash bytea,
      hash bytea,
      constraint admin_action_outcome_check check (outcome in ('looked', 'done', 'refused', 'failed'))
    )`,
    `-- The first of two approvals, of exactly this content. The decision deletes the row.
    create table first_approval (
      kind text not null,
      subject text not null,
      content_hash text not null,
      staff_id uuid not null,
      at_ms int8 not null,
      primary key (kind, subject)
    )`,
    `-- Remarks of staff on deposits and withdrawals.
    create table staff_remark (
      kind text not null,
      subject text not null,
      id uuid not null,
      staff_id uuid not null,
      text text not null,
      at_ms int8 not null,
      primary key (kind, subject, id)
    )`,
  ],
  functions: [
    `-- The text of a line that its hash covers.
create function admin_action_content(line admin_action)
 returns text
 language sql
 stable
 set search_path from current
as $function$ select jsonb_build_array(line.seq, line.id, line.at_ms, line.who, line.what, line.target, line.reason,
      line.outcome, line.before, line.after, line.staff_id, line.request_id, line.address)::text $function$`,
    `-- A line without a number may get one, once. Nothing else changes.
create function admin_action_is_append_only()
 returns trigger
 language plpgsql
as $function$
    begin
      if tg_op = 'UPDATE' then
        if old.seq is null and new.seq is not null
          and to_jsonb(new) - '{seq,previous_hash,hash}'::text[] = to_jsonb(old) - '{seq,previous_hash,hash}'::text[]
          then return new;
        end if;
      end if;
      raise exception 'admin_action is only ever added to';
    end $function$`,
    `-- The lock excludes forks between servers, and the unique index on the previous hash proves that there are none.
create function chain_admin_action(line_id uuid)
 returns void
 language plpgsql
 set search_path from current
as $function$
    declare
      head record;
      line admin_action;
    begin
      perform pg_advisory_xact_lock(7204117);
      select seq, hash into head from admin_action where seq is not null order by seq desc limit 1;
      select * into strict line from admin_action where id = line_id;
      line.seq := coalesce(head.seq, 0) + 1;
      line.previous_hash := coalesce(head.hash, ''::bytea);
      line.hash := sha256(line.previous_hash || convert_to(admin_action_content(line), 'UTF8'));
      update admin_action set seq = line.seq, previous_hash = line.previous_hash, hash = line.hash where id = line_id;
    end $function$`,
    `-- Runs as its owner: the server can add a line, and chooses neither its number nor its hash.
create function chain_new_admin_action()
 returns trigger
 language plpgsql
 security definer
 set search_path from current
as $function$ begin perform chain_admin_action(new.id); return null; end $function$`,
  ],
  indexes: [
    `create index admin_action_target on admin_action (target, at_ms desc)`,
    `create unique index admin_action_seq on admin_action (seq)`,
    `create unique index admin_action_previous on admin_action (previous_hash)`,
    `-- The log by person, action and outcome, newest first.
    create index admin_action_newest on admin_action (at_ms desc, id desc)`,
    `create index admin_action_who on admin_action (lower(who), at_ms desc, id desc)`,
    `create index admin_action_outcome on admin_action (outcome, at_ms desc, id desc)`,
    `create index admin_action_request on admin_action (request_id) where request_id <> ''`,
    `create index admin_action_area on admin_action (split_part(translate(what, ' ', '/'), '/', 1), at_ms desc, id desc)`,
  ],
  foreignKeys: [
    `alter table first_approval add foreign key (staff_id) references staff (id)`,
    `alter table staff_remark add foreign key (staff_id) references staff (id)`,
  ],
  triggers: [
    `create trigger admin_action_append_only before delete or update on admin_action for each row execute function admin_action_is_append_only()`,
    `create constraint trigger admin_action_chained after insert on admin_action deferrable initially deferred for each row when ((new.seq is null)) execute function chain_new_admin_action()`,
  ],
}
