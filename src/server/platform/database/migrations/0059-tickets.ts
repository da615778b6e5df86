import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const TABLES = [
  `alter table upload drop constraint upload_purpose_check,
    add constraint upload_purpose_check check (purpose in ('receipt', 'profile', 'ticket'))`,
  `-- What a user says is wrong with one thing: an order, a deposit, a withdrawal or the account. The thing never changes.
  create table ticket (
    user_id uuid not null references app_user,
    id uuid not null,
    no text not null unique,
    about_kind text not null check (about_kind in ('order', 'deposit', 'withdrawal', 'account')),
    -- The reference of the thing. Empty for the account.
    about text not null,
    topic text not null,
    state text not null default 'open' check (state in ('open', 'waiting_user', 'closed')),
    -- The staff member who looks after it.
    owner uuid references staff,
    opened_ms int8 not null,
    -- Time and place of the newest message.
    last_ms int8 not null,
    last_seq int4 not null default 0,
    -- Until when staff should reply.
    due_ms int8,
    closed_ms int8,
    closed_by text check (closed_by in ('user', 'staff', 'silence')),
    verdict text check (verdict in ('correct', 'mistake', 'void')),
    primary key (user_id, id),
    check ((about_kind = 'account') = (about = '')),
    check ((state = 'open') = (due_ms is not null)),
    check ((state = 'closed') = (closed_ms is not null) and (closed_ms is null) = (closed_by is null)),
    check (verdict <> 'void' or about_kind = 'order')
  )`,
  `create unique index ticket_one_open on ticket (user_id, about_kind, about) where state <> 'closed'`,
  `create index ticket_of_user on ticket (user_id, last_ms desc, id desc)`,
  `create index ticket_newest on ticket (last_ms, id)`,
  `create index ticket_unclosed on ticket (last_ms, id) where state <> 'closed'`,
  `create index ticket_owner on ticket (owner) where owner is not null`,
  `-- Messages of the user and of staff. Never changed.
  create table ticket_message (
    user_id uuid not null,
    ticket_id uuid not null,
    seq int4 not null,
    id uuid not null unique,
    -- Null: the user wrote it.
    staff_id uuid references staff,
    words text not null,
    pictures text[] not null default '{}',
    verdict text,
    -- The client's id of a message of the user, with a fingerprint of its content.
    request_id text,
    fingerprint bytea,
    at_ms int8 not null,
    primary key (user_id, ticket_id, seq),
    foreign key (user_id, ticket_id) references ticket,
    check (cardinality(pictures) <= 3),
    check ((staff_id is null) = (request_id is not null) and (request_id is null) = (fingerprint is null)),
    check (staff_id is not null or verdict is null),
    check (staff_id is null or pictures = '{}')
  )`,
  `create unique index ticket_message_request on ticket_message (user_id, request_id) where request_id is not null`,
]

const NOTICES = [
  addNoticeKind('ticket_answered'),
  addNoticeKind('ticket_closed'),
  `-- Says only that there is a reply. The words stay in the ticket.
  create function tell_ticket_answer() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform tell(new.user_id, 'ticket_answered', new.id::text, jsonb_build_object('trx',
      (select no from ticket where user_id = new.user_id and id = new.ticket_id)), new.at_ms);
    return null;
  end $$`,
  `create trigger tell_ticket_answer after insert on ticket_message for each row
    when (new.staff_id is not null) execute function tell_ticket_answer()`,
  `create function tell_ticket_closed() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform tell(new.user_id, 'ticket_closed', new.id || ' ' || new.closed_ms, jsonb_build_object('trx', new.no,
      'until_ms', new.closed_ms + 2592000000), new.closed_ms);
    return null;
  end $$`,
  `create trigger tell_ticket_closed after update of state on ticket for each row
    when (old.state <> 'closed' and new.closed_by = 'silence') execute function tell_ticket_closed()`,
]

const GOODWILL = [
  `alter table correction drop constraint correction_kind_check,
    add constraint correction_kind_check check (kind in ('credit', 'goodwill', 'deposit_reversed', 'paid_twice', 'before'))`,
  `-- Goodwill adds money, as a credit does, and links to nothing.
  do $$ begin
    execute replace(pg_get_functiondef('check_correction'::regproc), '(new.kind = ''credit'')',
      '(new.kind in (''credit'', ''goodwill''))');
  end $$`,
  `create index correction_goodwill on correction (posted_ms) where kind = 'goodwill' and state = 'posted'`,
]

const AUDIT = `-- As before, and the user of a ticket by its number.
  create or replace function user_of_audit_target(target text) returns uuid language plpgsql stable as $$
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
    elsif target ~ '^T-' then
      select user_id into about from ticket where no = target;
    end if;
    return about;
  end $$`

/** Tickets of users with their messages, and adjustments out of goodwill. */
export const tickets: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...NOTICES, ...GOODWILL, AUDIT]) await sql.raw(statement).execute(db)
  },
}
