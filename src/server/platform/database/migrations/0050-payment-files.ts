import { type Kysely, type Migration, sql } from 'kysely'

const REFUSED = `using errcode = 'check_violation'`
const FUNCTION = `returns trigger language plpgsql security definer set search_path from current as`

const TABLES = [
  `-- Files of payments for the portal of a bank. Only the end by voiding and the number of downloads are written later.
  create table payment_file (
    id uuid primary key,
    gateway_id int4 not null references gateway,
    currency text not null,
    count int4 not null check (count between 1 and 200),
    -- In the currency of the method.
    sum int8 not null check (sum > 0),
    -- Of the bytes of the file.
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    -- The bytes, encrypted. Empty when they were erased.
    sealed text not null,
    staff_id uuid not null references staff,
    who text not null,
    created_ms int8 not null,
    voided_ms int8,
    downloads int4 not null default 0
  )`,
  `create index payment_file_by_time on payment_file (created_ms, id)`,
  `-- The withdrawals of each file, in its order. Whether a file is open follows from their states.
  create table payment_file_line (
    user_id uuid not null,
    withdrawal_id uuid not null,
    file_id uuid not null references payment_file,
    line int4 not null check (line >= 1),
    primary key (user_id, withdrawal_id, file_id),
    unique (file_id, line),
    foreign key (user_id, withdrawal_id) references withdrawal
  )`,
]

const CHECKS = [
  `-- A withdrawal is in one file at most that is not void, and a file is of one method. Lines beyond the count of a file
  -- cannot be added later.
  create function check_payment_file_line() ${FUNCTION} $$
  declare
    file payment_file%rowtype;
  begin
    select * into file from payment_file where id = new.file_id;
    -- Two files wait for each other here.
    perform from withdrawal where user_id = new.user_id and id = new.withdrawal_id
      and gateway_id = file.gateway_id and currency = file.currency for update;
    if not found or file.voided_ms is not null or new.line > file.count then
      raise exception 'payment_file: the line does not belong to this file' ${REFUSED};
    end if;
    if exists (select from payment_file_line l join payment_file f on f.id = l.file_id
        where l.user_id = new.user_id and l.withdrawal_id = new.withdrawal_id and f.voided_ms is null) then
      raise exception 'payment_file: the withdrawal is in another file' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger payment_file_line_checked before insert on payment_file_line
    for each row execute function check_payment_file_line()`,
  `-- A new file has all its lines, each of them being paid. A void one has none that is being paid or has ended.
  create function check_payment_file() ${FUNCTION} $$
  declare
    wanted text := case when new.voided_ms is null then 'paying' else 'approved' end;
  begin
    if (select row(count(*), sum(w.paid_out)) from payment_file_line l
        join withdrawal w on w.user_id = l.user_id and w.id = l.withdrawal_id
        where l.file_id = new.id and w.state = wanted) is distinct from row(new.count::int8, new.sum::numeric) then
      raise exception 'payment_file: its lines are not all %', wanted ${REFUSED};
    end if;
    return null;
  end $$`,
  `create constraint trigger payment_file_whole after insert or update of voided_ms on payment_file
    deferrable initially deferred for each row execute function check_payment_file()`,
  `create function keep_payment_file() returns trigger language plpgsql as $$
  declare
    -- A new key encrypts the bytes again, and an erased account ends them.
    free text[] := '{voided_ms,downloads,sealed}';
  begin
    if to_jsonb(new) - free <> to_jsonb(old) - free or new.downloads < old.downloads
        or (old.voided_ms is not null and new.voided_ms is distinct from old.voided_ms) then
      raise exception 'payment_file: a file is not changed' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger payment_file_kept before update on payment_file for each row execute function keep_payment_file()`,
  `-- The bytes have names and accounts of users, so they end with the account of one of them.
  create function erase_payment_files() ${FUNCTION} $$
  begin
    update payment_file set sealed = '' where id in (select file_id from payment_file_line where user_id = new.user_id);
    return null;
  end $$`,
  `create trigger payment_files_erased after insert on erased_account
    for each row execute function erase_payment_files()`,
  `-- A line that may have been sent with its file is not given back alone.
  create function check_unsent_payment() ${FUNCTION} $$
  begin
    if exists (select from payment_file_line l join payment_file f on f.id = l.file_id
        where l.user_id = new.user_id and l.withdrawal_id = new.subject and f.voided_ms is null) then
      raise exception 'payment_event: the payment is in a file' ${REFUSED};
    end if;
    return null;
  end $$`,
  `create constraint trigger payment_event_unsent after insert on payment_event deferrable initially deferred
    for each row when (new.step = 'unsent') execute function check_unsent_payment()`,
]

/** Files of payments for the portal of a bank. */
export const paymentFiles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...CHECKS]) await sql.raw(statement).execute(db)
  },
}
