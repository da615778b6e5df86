import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

const TABLES = [
  `-- Keys for programs. Only the hash of a secret is stored. A key never gets another scope, end or list of addresses.
  create table api_key (
    user_id uuid not null references app_user,
    id text not null,
    secret_hash bytea not null,
    name text not null,
    scope text not null,
    -- Addresses and ranges that may use the key. Empty: all.
    addresses text[] not null,
    -- The owner's limits of this key, in minor units. Null: none.
    max_stake int8,
    max_stake_day int8,
    max_open_orders int4,
    created_ms int8 not null,
    expires_ms int8 not null,
    end_reason text,
    ended_ms int8,
    used_ms int8,
    used_address text,
    used_client text,
    -- The networks that used the key, oldest first, and the times of the newest uses from foreign addresses.
    networks text[] not null default '{}',
    foreign_ms int8[] not null default '{}',
    primary key (user_id, id),
    constraint api_key_id unique (id),
    constraint api_key_id_check check (id ~ '^[0-9a-f]{16}$'),
    constraint api_key_secret_check check (octet_length(secret_hash) = 32),
    constraint api_key_name_check check (char_length(name) between 1 and 40),
    constraint api_key_scope_check check (scope in ('read', 'trade')),
    constraint api_key_expires_check check (expires_ms > created_ms and expires_ms <= created_ms + 31536000000),
    constraint api_key_limits_check check (max_stake > 0 and max_stake_day > 0 and max_open_orders > 0),
    constraint api_key_end_check check ((end_reason is null) = (ended_ms is null) and end_reason in ('owner', 'staff',
      'password', 'blocked', 'excluded', 'left', 'second_step', 'foreign', 'shown', 'restored'))
  )`,
  `create index api_key_ending on api_key (expires_ms) where ended_ms is null`,
  `-- Orders that a key requested, each under the client's id, which no other key and no hand can use again.
  create table key_order (
    user_id uuid not null,
    client_order_id text not null,
    key_id text not null,
    stake int8 not null,
    at_ms int8 not null,
    -- Requests with this id that no refusal has ended. Without one the row is deleted.
    holds int4 not null default 1,
    primary key (user_id, client_order_id),
    foreign key (user_id, key_id) references api_key,
    constraint key_order_holds_check check (holds >= 0)
  )`,
  `create index key_order_newest on key_order (user_id, key_id, at_ms)`,
]

const ENDS = [
  `-- A key ends once, at a time of the database's own clock.
  create function check_key_end() returns trigger language plpgsql as $$
  begin
    if old.end_reason is not null then
      raise exception 'api_key: it has ended' using errcode = 'check_violation';
    end if;
    new.ended_ms := ${NOW};
    return new;
  end $$`,
  `create trigger check_key_end before update of end_reason on api_key for each row execute function check_key_end()`,
  `create function end_keys(of_user uuid, why text) returns void language sql as $$
    update api_key set end_reason = why where user_id = of_user and end_reason is null
  $$`,
  ...[
    ['app_user', 'update of password_hash', 'old.password_hash is distinct from new.password_hash', 'id', 'password'],
    ['app_user', 'update of sign_in_blocked', 'new.sign_in_blocked', 'id', 'blocked'],
    ['self_break', 'insert', `new.kind = 'exclusion'`, 'user_id', 'excluded'],
    ['user_leave', 'update of state', `new.state = 'closed'`, 'user_id', 'left'],
    ['user_authenticator', 'delete', 'old.is_on', 'user_id', 'second_step'],
    ['user_passkey', 'delete', 'true', 'user_id', 'second_step'],
  ].flatMap(([table = '', event = '', when = '', user = '', why = '']) => {
    const name = `end_keys_of_${table}_${why}`
    const row = event === 'delete' ? 'old' : 'new'
    return [
      `create function ${name}() returns trigger language plpgsql security definer set search_path from current as $$
      begin
        perform end_keys(${row}.${user}, '${why}');
        return null;
      end $$`,
      `create trigger ${name} after ${event} on ${table} for each row when (${when}) execute function ${name}()`,
    ]
  }),
]

const NOTICES = [
  ...['key_made', 'key_used', 'key_ends', 'key_ended'].map(addNoticeKind),
  `create function tell_key() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if tg_op = 'INSERT' then
      perform tell(new.user_id, 'key_made', new.id,
        jsonb_build_object('name', new.name, 'until_ms', new.expires_ms), new.created_ms);
    elsif new.end_reason is distinct from old.end_reason then
      perform tell(new.user_id, 'key_ended', new.id,
        jsonb_build_object('name', new.name, 'key_end', new.end_reason), new.ended_ms);
    else
      perform tell(new.user_id, 'key_used', new.id || ' ' || new.networks[cardinality(new.networks)],
        jsonb_build_object('name', new.name, 'address', new.used_address, 'agent', new.used_client), new.used_ms);
    end if;
    return null;
  end $$`,
  `create trigger tell_key_made after insert on api_key for each row execute function tell_key()`,
  `-- The owner knows what the owner ends.
  create trigger tell_key_ended after update of end_reason on api_key for each row
    when (new.end_reason <> 'owner') execute function tell_key()`,
  `create trigger tell_key_used after update of networks on api_key for each row
    when (cardinality(new.networks) > cardinality(old.networks)) execute function tell_key()`,
  `-- Tells of keys whose last week has begun. A key for a week is told at its beginning already.
  create function tell_ending_keys(at int8) returns void language plpgsql security definer set search_path from current as $$
  declare
    ending record;
  begin
    for ending in select * from api_key k
      where ended_ms is null and expires_ms > at and expires_ms <= at + 604800000 and created_ms + 604800000 < expires_ms
        and not exists (
          select from notice n where n.user_id = k.user_id and n.kind = 'key_ends' and n.subject = k.id)
    loop
      perform tell(ending.user_id, 'key_ends', ending.id,
        jsonb_build_object('name', ending.name, 'until_ms', ending.expires_ms), at);
    end loop;
  end $$`,
]

/** API keys, the events that end them, and the notices about them to their owners. */
export const keys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...ENDS, ...NOTICES]) await sql.raw(statement).execute(db)
  },
}
