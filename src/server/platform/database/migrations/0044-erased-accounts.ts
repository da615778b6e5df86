import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`
const REFUSED = `using errcode = 'check_violation'`

const AUDIT = [
  `-- What an audit line says about a user. The line itself names the user's id and a salted hash of these words, so the chain
  -- stays valid when the words are erased.
  create table admin_action_words (
    line_id uuid primary key references admin_action deferrable initially deferred,
    user_id uuid not null references app_user,
    salt bytea not null,
    reason text not null,
    before jsonb,
    after jsonb
  )`,
  `create index admin_action_words_user on admin_action_words (user_id)`,
  `-- The user that a line is about: by id, or by the reference or id of a deposit, withdrawal or adjustment.
  create function user_of_audit_target(target text) returns uuid language plpgsql stable as $$
  declare
    about uuid;
  begin
    if target ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      select id into about from app_user where id = target::uuid;
      if about is null then select user_id into about from correction where id = target::uuid; end if;
    elsif target ~ '^FW-' then
      select user_id into about from deposit where trx = target;
      if about is null then select user_id into about from withdrawal where trx = target; end if;
      if about is null then select user_id into about from correction where trx = target; end if;
    end if;
    return about;
  end $$`,
  `-- Two random ids make a salt that cannot be guessed.
  create function detach_audit_words() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    about uuid := user_of_audit_target(new.target);
    salt bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  begin
    if about is null or (new.reason = '' and new.before is null and new.after is null) then return new; end if;
    insert into admin_action_words (line_id, user_id, salt, reason, before, after)
      values (new.id, about, salt, new.reason, new.before, new.after);
    new.after := jsonb_build_object('about', about, 'sha256', encode(sha256(salt || convert_to(
      jsonb_build_array(new.reason, new.before, new.after)::text, 'UTF8')), 'hex'));
    new.before := null;
    new.reason := '';
    return new;
  end $$`,
  `create trigger admin_action_words_apart before insert on admin_action for each row when (new.seq is null)
    execute function detach_audit_words()`,
]

const RECORDS = [
  `-- What the law makes an operator keep of an erased account, encrypted with a key of its own.
  create table kept_record (
    user_id uuid primary key references erased_account,
    sealed text not null,
    until_ms int8 not null
  )`,
  `create index kept_record_until on kept_record (until_ms)`,
  `-- The hash of the user's part of a receipt, once what it names is erased.
  alter table money_step add column owner_sha256 text`,
]

/**
 * Allows changes of the texts in the records of an erased user, in any order. Amounts, times and decisions stay final.
 */
const FINAL = [
  {
    table: 'deposit',
    always: [],
    more: '',
    erased: ['fields', 'files', 'feedback', 'client_request_id', 'request_fingerprint'],
  },
  {
    table: 'withdrawal',
    always: ['details', 'destination', 'review_version'],
    more: `if old.state = 'paid' and new.state = 'returned' then free := free || '{status,state,returned_ms}'; end if;`,
    erased: ['feedback', 'client_request_id', 'request_fingerprint'],
  },
  { table: 'correction', always: [], more: '', erased: ['reason', 'message', 'words'] },
].map(
  ({
    table,
    always,
    more,
    erased,
  }) => `create or replace function keep_${table}_decision() returns trigger language plpgsql as $$
  declare
    free text[] := '{${always.join(',')}}';
  begin
    ${more}
    if exists (select from erased_account where user_id = new.user_id) then free := free || '{${erased.join(',')}}'::text[]; end if;
    if to_jsonb(new) - free <> to_jsonb(old) - free then
      raise exception '${table}: a decision is final' ${REFUSED};
    end if;
    return new;
  end $$`,
)

const WORDS = [
  `create or replace function user_note_is_append_only() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and exists (select from erased_account where user_id = old.user_id) then return old; end if;
    raise exception 'user_note is only ever added to';
  end $$`,
  `-- The reason of a measure can be erased after its end. Nothing else changes then.
  drop trigger user_measure_checked on user_measure`,
  `create trigger user_measure_checked before insert or update of id, user_id, kind, value, since_ms, until_ms, asked_by,
    second_by, ended_ms, was_ahead on user_measure for each row execute function check_user_measure()`,
]

/** Tables that only describe the user, in an order that foreign keys allow. */
const DELETED = [
  'push_subscription',
  'session',
  'user_authenticator',
  'user_passkey',
  'user_recovery_code',
  'user_ticket',
  'known_device',
  'sign_in',
  'one_time_code',
  'code_sent',
  'notice_delivery',
  'notice',
  'notice_mail',
  'notice_push',
  'user_note',
  'access_code_use',
  'user_withdrawal_method',
  'data_export',
  'favorite',
  'user_trait',
  'limit_prompt',
  'limit_mark',
  'reality_session',
  'self_limit_change_end',
  'self_limit_change',
  'self_limit',
  'consent',
  'result_seen',
  'away_told',
  'admin_action_words',
  'key_order',
  'api_key',
  'price_alert',
  'account_recovery',
  'user_desk',
  'ticket_message',
  'ticket',
  'user_country_since',
]

const ERASE = `-- Erases a user's data in one transaction, and keeps the id with all amounts, times and results. Returns the names
  -- of the user's files. A restored backup has to be erased again, whatever it holds: erased_at is the time of the first erasing
  -- then, and null otherwise.
  create function erase_account(of_user uuid, closed_name text, unusable_password text, steps uuid[], owner_hashes text[],
    kept text, kept_until int8, erased_at int8) returns text[]
  language plpgsql security definer set search_path from current as $$
  declare
    one app_user%rowtype;
    contacts text[];
    references_of_user text[];
    files_of_user text[];
    at int8 := coalesce(erased_at, ${NOW});
  begin
    perform lock_self_rules(of_user);
    select * into strict one from app_user where id = of_user;
    if erased_at is null and (
        not exists (select from account_closing where user_id = of_user and state = 'closing' and erase_ms <= at)
        or exists (select from account_obstacles(of_user) o
          where (o.open_orders, o.withdrawals, o.deposits, o.decisions, o.cash, o.withdrawing) <> (0, 0, 0, 0, 0, 0))
        or exists (select from balance where user_id = of_user and credits <> 0)
        or exists (select from money_step where user_id = of_user and batch_id is null)) then
      raise exception 'erase_account: something stands in the way' ${REFUSED};
    end if;
    -- Everyone sees the halt of the register that a restored backup causes, so this is no quiet way to erase a user.
    if erased_at is not null and not exists (select from register_halt where ended_ms is null) then
      raise exception 'erase_account: no backup was restored' ${REFUSED};
    end if;
    if (select count(*) from money_step where user_id = of_user and id <> all (steps)) > 0 then
      raise exception 'erase_account: a receipt would be lost' ${REFUSED};
    end if;
    insert into erased_account (user_id, erased_ms) values (of_user, at);
    if not exists (select from account_closing where user_id = of_user and state = 'closing') then
      insert into account_closing (user_id, id) values (of_user, gen_random_uuid());
    end if;
    update account_closing set state = 'erased', reason = '' where user_id = of_user and state = 'closing';
    update account_closing set reason = '' where user_id = of_user;
    if kept is not null then
      insert into kept_record (user_id, sealed, until_ms) values (of_user, kept, kept_until);
    end if;

    contacts := array(select distinct lower(c) from unnest(array[one.username, one.email, one.mobile, one.mobile_code || one.mobile,
        '+' || one.mobile_code || one.mobile, one.proven_email, one.proven_mobile, '+' || one.proven_mobile]
        || array(select sent_to from code_sent where user_id = of_user)) c where c <> '');
    delete from outbox_message where lower(sent_to) = any (contacts);
    delete from password_reset where lower(address) = any (contacts);
    delete from attempt where string_to_array(translate(lower(key), ':', ' '), ' ') && contacts;
    references_of_user := array(select trx from deposit where user_id = of_user
      union all select trx from withdrawal where user_id = of_user
      union all select t from correction c, unnest(array[c.trx, c.id::text]) t where c.user_id = of_user
      union all select no from ticket where user_id = of_user);
    delete from staff_remark where subject = any (references_of_user || of_user::text);
    files_of_user := array(select name from upload where user_id = of_user);
    delete from upload where user_id = of_user;
    ${DELETED.map((table) => `delete from ${table} where user_id = of_user;`).join('\n    ')}

    update money_step m set owner_sha256 = h.hash
      from unnest(steps, owner_hashes) h (id, hash) where m.user_id = of_user and m.id = h.id and m.owner_sha256 is null;
    update deposit set fields = '{}', files = '{}', feedback = '', client_request_id = null, request_fingerprint = null
      where user_id = of_user;
    update withdrawal set details = '{}', destination = null, feedback = '', client_request_id = null, request_fingerprint = null
      where user_id = of_user;
    update payment_event set words = '' where user_id = of_user;
    update correction set reason = '', message = '', words = '' where user_id = of_user;
    update user_measure set reason = '-' where user_id = of_user;
    update self_break set words = 'erased' where user_id = of_user and words is not null;
    update approval set destination = null where user_id = of_user;
    update app_user set username = closed_name, email = null, mobile = '', mobile_code = '', country_code = '', firstname = '',
        lastname = '', address = '{}', password_hash = unusable_password, pin_hash = null, pin_changed_ms = null,
        security_changed_ms = null, image_path = null, language = 'en', invitation_code = null, proven_email = null,
        proven_mobile = null, verification_reason = '', age_declared_ms = null, age_minimum = null, version = version + 1,
        trade_reason = case trade_reason when '' then '' else '-' end,
        sign_in_reason = case sign_in_reason when '' then '' else '-' end,
        withdrawals_reason = case withdrawals_reason when '' then '' else '-' end,
        max_stake_reason = case max_stake_reason when '' then '' else '-' end,
        max_open_stake_reason = case max_open_stake_reason when '' then '' else '-' end
      where id = of_user;
    return files_of_user;
  end $$`

/** Erasing of closed accounts. Prices, orders, transfers, receipts and the chain of the audit log stay as they are. */
export const erasedAccounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...AUDIT, ...RECORDS, ...FINAL, ...WORDS, ERASE]) await sql.raw(statement).execute(db)
  },
}
