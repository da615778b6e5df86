import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`
const REFUSED = `using errcode = 'check_violation'`

const TABLES = [
  `-- Versions of the terms of use. A version is never edited.
  create table terms_version (
    id int4 primary key,
    -- By language: title, text and a summary of what changed.
    texts jsonb not null,
    announced_ms int8 not null,
    from_ms int8 not null,
    needs_consent boolean not null,
    staff_id uuid,
    constraint terms_version_texts_check check (texts ? 'en')
  )`,
  `-- Who agreed to which text. The hash is that of the text in this language.
  create table consent (
    user_id uuid not null references app_user,
    version int4 not null references terms_version,
    sha256 text not null,
    language text not null,
    at_ms int8 not null,
    how text not null check (how in ('sign_up', 'terms')),
    primary key (user_id, version)
  )`,
  `-- How far the notices of a version have come. Ids of users are in the order of their sign-ups.
  create table terms_told (
    version int4 primary key references terms_version,
    until_user uuid not null default '00000000-0000-0000-0000-000000000000'
  )`,
  `alter table app_user
    add column terms_version int4 not null default 0,
    add column age_declared_ms int8,
    add column age_minimum int4,
    add constraint app_user_age_check check (age_declared_ms is null or age_minimum >= 18)`,
]

const CHECKS = [
  `create function terms_sha256(texts jsonb, of_language text) returns text language sql immutable as $$
    select encode(sha256(convert_to(texts -> of_language ->> 'text', 'UTF8')), 'hex')
  $$`,
  `-- The first version is in force at once: it writes down the text that the site already shows, so it asks nobody to
  -- agree. All later ones are announced 14 days ahead, by the clock of the database.
  create function check_terms_version() returns trigger language plpgsql as $$
  declare
    last terms_version%rowtype;
  begin
    select * into last from terms_version order by id desc limit 1;
    if new.id <> coalesce(last.id, 0) + 1 then
      raise exception 'terms_version: the number is out of order' ${REFUSED};
    end if;
    new.announced_ms := ${NOW};
    if last.id is null then
      new.from_ms := new.announced_ms;
      new.needs_consent := false;
    elsif new.from_ms < new.announced_ms + 1209600000 or new.from_ms <= last.from_ms then
      raise exception 'terms_version: announced too late' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger check_terms_version before insert on terms_version for each row execute function check_terms_version()`,
  `create function check_consent() returns trigger language plpgsql as $$
  begin
    if new.version < (select max(id) from terms_version where from_ms <= ${NOW}) then
      raise exception 'consent: the version is no longer in force' ${REFUSED};
    end if;
    if new.sha256 is distinct from (select terms_sha256(texts, new.language) from terms_version where id = new.version) then
      raise exception 'consent: the hash is not that of the text' ${REFUSED};
    end if;
    new.at_ms := ${NOW};
    return new;
  end $$`,
  `create trigger check_consent before insert on consent for each row execute function check_consent()`,
  `create function note_consent() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    update app_user set terms_version = greatest(terms_version, new.version) where id = new.user_id;
    return null;
  end $$`,
  `create trigger note_consent after insert on consent for each row execute function note_consent()`,
  `-- The newest version in force that users have to agree to. Zero while there is none.
  create function terms_to_agree() returns int4 language sql stable as $$
    select coalesce(max(id), 0) from terms_version where needs_consent and from_ms <= ${NOW}
  $$`,
]

const NOTICES = [
  addNoticeKind('terms_announced'),
  `-- Tells some users of an announced version, and remembers how far it came. Users who sign up before its day are told too.
  -- Returns how many were told.
  create function tell_terms(portion int4) returns int4
  language plpgsql security definer set search_path from current as $$
  declare
    coming terms_version%rowtype;
    mark uuid;
    reader record;
    told int4 := 0;
  begin
    select * into coming from terms_version where from_ms > ${NOW} and announced_ms < from_ms order by id limit 1;
    if coming.id is null then return 0; end if;
    insert into terms_told (version) values (coming.id) on conflict do nothing;
    -- Another server is at it.
    select until_user into mark from terms_told where version = coming.id for update skip locked;
    if mark is null then return 0; end if;
    for reader in select id, language from app_user where id > mark and not is_bot order by id limit portion
    loop
      perform tell(reader.id, 'terms_announced', coming.id::text, jsonb_build_object('until_ms', coming.from_ms,
        'words', coalesce(coming.texts -> reader.language, coming.texts -> 'en') ->> 'summary',
        'agree', coming.needs_consent), ${NOW});
      mark := reader.id;
      told := told + 1;
    end loop;
    update terms_told set until_user = mark where version = coming.id;
    return told;
  end $$`,
]

/** Versions of the terms of use, who agreed to which text, and the age that users declared. */
export const termsOfUse: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...CHECKS, ...NOTICES]) await sql.raw(statement).execute(db)
  },
}
