import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

const STATEMENTS = [
  `-- An exclusion that a user asked for by phone or letter, with the words of the staff member who entered it.
  alter table self_break
    add column staff_id uuid references staff,
    add column words text,
    add check ((staff_id is null) = (words is null)),
    add check (staff_id is null or (kind = 'exclusion' and length(words) between 3 and 500))`,
  `-- An exclusion of another account of the same person lasts until the same day.
  alter table self_break
    add column like_user_id uuid,
    add column like_break_id uuid,
    add foreign key (like_user_id, like_break_id) references self_break,
    add check (num_nulls(like_user_id, like_break_id) in (0, 2) and (like_break_id is null or kind = 'exclusion'))`,
  `create or replace function check_self_break() returns trigger language plpgsql security definer
  set search_path from current as $$
  begin
    perform lock_self_rules(new.user_id);
    new.from_ms := ${NOW};
    new.until_ms := case when new.like_break_id is not null
        then (select until_ms from self_break where user_id = new.like_user_id and id = new.like_break_id and kind = new.kind)
      when new.kind = 'time_out' then new.from_ms + new.length * 86400000::int8
      else (extract(epoch from (to_timestamp(new.from_ms / 1000.0) at time zone 'UTC' + make_interval(months => new.length))
        at time zone 'UTC') * 1000)::int8 end;
    if exists (select from break_of(new.user_id) b where b.until_ms > new.until_ms)
        or exists (select from self_break b where b.user_id = new.user_id and b.kind = 'time_out' and b.until_ms > new.until_ms) then
      raise exception 'self_break: a break cannot be made shorter' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `-- Keyed hashes of proven contacts and payment details of users who excluded themselves. An exclusion that is over finds nobody.
  create table excluded_person (
    kind text not null check (kind in ('email', 'mobile', 'details')),
    hash bytea not null,
    user_id uuid not null,
    break_id uuid not null,
    primary key (kind, hash, user_id, break_id),
    foreign key (user_id, break_id) references self_break
  )`,
  `-- Keyed hashes of what every user has proven or saved now, under each known key. With an exclusion they find the other accounts of the
  -- same person. The name of the newest key tells which users must be hashed again.
  create table user_trait (
    user_id uuid not null references app_user,
    kind text not null check (kind in ('email', 'mobile', 'details')),
    hash bytea not null,
    key_name text not null,
    primary key (user_id, kind, hash)
  )`,
  'create index user_trait_hash on user_trait (hash, kind)',
  `-- As before, but with the beginning of a break that was made longer: that of the first of its kind without a time between.
  create or replace function break_of(of_user uuid) returns table (id uuid, kind text, from_ms int8, until_ms int8, asked_ms int8)
  language sql stable security definer set search_path from current as $$
    select b.id, b.kind, (
        select max(s.from_ms) from self_break s
        where s.user_id = b.user_id and s.kind = b.kind and s.from_ms <= b.from_ms and not exists (
          select from self_break o
          where o.user_id = s.user_id and o.kind = s.kind and o.from_ms < s.from_ms
            and case o.kind when 'time_out' then o.until_ms > s.from_ms
              else not exists (select from self_return d where d.user_id = o.user_id
                and d.confirmed_ms between o.from_ms and s.from_ms) end)
      ), b.until_ms, r.asked_ms
    from self_break b left join self_return r on r.user_id = b.user_id and r.break_id = b.id
    where b.user_id = of_user and case b.kind when 'time_out' then b.until_ms > ${NOW}
      else b.from_ms > coalesce((select max(confirmed_ms) from self_return d where d.user_id = of_user), 0) end
    order by b.kind, b.until_ms desc limit 1
  $$`,
]

/** Stores exclusions by staff, exclusions of other accounts of one person, and when an extended break began. */
export const staffExclusions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
