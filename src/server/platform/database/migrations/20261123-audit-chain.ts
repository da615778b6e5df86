import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Chains the audit log: each line has a number, the hash of the previous line, and a hash over both and its own content. The database
 * itself adds these when the line's transaction commits. So lines are numbered in order of commit, and no writer chooses a number. No
 * transaction waits for another before its end, so none can deadlock here. The lock prevents a fork between several servers, and the unique
 * index on the previous hash proves it.
 */
export const auditChain: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `alter table admin_action add column seq int8`,
  `alter table admin_action add column previous_hash bytea`,
  `alter table admin_action add column hash bytea`,

  `create function admin_action_content(line admin_action) returns text language sql stable
    set search_path from current as
    $$ select jsonb_build_array(line.seq, line.id, line.at_ms, line.who, line.what, line.target, line.reason,
      line.outcome, line.before, line.after, line.staff_id, line.request_id, line.address)::text $$`,

  `create function chain_admin_action(line_id uuid) returns void language plpgsql
    set search_path from current as $$
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
    end $$`,

  // A line without a number may get one, once. Otherwise it must not change.
  `create or replace function admin_action_is_append_only() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        if old.seq is null and new.seq is not null
          and to_jsonb(new) - '{seq,previous_hash,hash}'::text[] = to_jsonb(old) - '{seq,previous_hash,hash}'::text[]
          then return new;
        end if;
      end if;
      raise exception 'admin_action is only ever added to';
    end $$`,

  `create unique index admin_action_seq on admin_action (seq)`,
  `do $$
    declare
      old_line record;
    begin
      for old_line in select id from admin_action order by at_ms, id loop
        perform chain_admin_action(old_line.id);
      end loop;
    end $$`,
  `create unique index admin_action_previous on admin_action (previous_hash)`,

  // Runs as the owner: the server may add a line, but choose neither its number nor its hash.
  `create function chain_new_admin_action() returns trigger language plpgsql security definer
    set search_path from current as
    $$ begin perform chain_admin_action(new.id); return null; end $$`,
  `create constraint trigger admin_action_chained after insert on admin_action deferrable initially deferred
    for each row when (new.seq is null) execute function chain_new_admin_action()`,

  // For reading the log by actor, action and outcome, newest first.
  `create index admin_action_newest on admin_action (at_ms desc, id desc)`,
  `drop index admin_action_at`,
  `create index admin_action_who on admin_action (lower(who), at_ms desc, id desc)`,
  `create index admin_action_what on admin_action (what, at_ms desc, id desc)`,
  `create index admin_action_outcome on admin_action (outcome, at_ms desc, id desc)`,
  `create index admin_action_request on admin_action (request_id) where request_id <> ''`,
]
