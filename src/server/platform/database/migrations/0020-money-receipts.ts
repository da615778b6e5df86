import { type Kysely, type Migration, sql } from 'kysely'

const RECORDS = ['deposit', 'withdrawal', 'correction'] as const

/** SQL expression, by table, of the step that a changed row takes. Null when the row takes no step. */
const STEPS: Readonly<Record<(typeof RECORDS)[number], string>> = {
  deposit: `case new.status when 1 then 'credited' when 3 then 'rejected' end`,
  withdrawal: `case when new.is_cancelled then 'cancelled' when new.status = 1 then 'approved' when new.status = 3 then 'rejected' end`,
  correction: `case when new.state in ('announced', 'posted') then new.state
    when new.state = 'rejected' and new.posts_ms is not null then 'rejected' end`,
}
const DECIDED: Readonly<Record<(typeof RECORDS)[number], string>> = {
  deposit: 'new.decided_ms',
  withdrawal: 'new.decided_ms',
  correction: `case when new.state = 'posted' then new.posted_ms else new.decided_ms end`,
}

/** The column, by table, that a step changes. */
const STATE: Readonly<Record<(typeof RECORDS)[number], string>> = {
  deposit: 'status',
  withdrawal: 'status',
  correction: 'state',
}

const TABLE = [
  `-- Each step of a deposit, a withdrawal or an adjustment, which a receipt is signed for. The database writes it. The
  -- server chooses the time of a step, so steps without a receipt are found by their missing batch.
  create table money_step (
    user_id uuid not null,
    record_id uuid not null,
    step text not null,
    id uuid not null unique,
    of_kind text not null,
    trx text not null,
    at_ms int8 not null,
    batch_id uuid,
    primary key (user_id, record_id, step),
    constraint money_step_at_ms_check check (at_ms between 0 and 8640000000000000),
    constraint money_step_step_check check (step in
      ('asked', 'approved', 'credited', 'rejected', 'cancelled', 'announced', 'posted')),
    constraint money_step_of_kind_check check (of_kind in ('deposit', 'withdrawal', 'correction'))
  )`,
  `create index money_step_unsigned on money_step (at_ms, id) where batch_id is null`,
  `create index money_step_trx on money_step (trx)`,
  `-- A step that is repeated, as an announcement after a dispute, keeps its first time.
  create function add_money_step(of_user uuid, of_record uuid, of_kind text, of_trx text, new_step text, new_ms int8)
  returns void language sql security definer set search_path from current as $$
    insert into money_step (user_id, record_id, step, id, of_kind, trx, at_ms)
    values (of_user, of_record, new_step, md5(of_record::text || new_step)::uuid, of_kind, of_trx, new_ms)
    on conflict (user_id, record_id, step) do nothing
  $$`,
]

const TRIGGERS = RECORDS.flatMap((table) => [
  `create function ${table}_takes_step() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    step text := ${STEPS[table]};
  begin
    -- Other changes of a row, as new encryption, are no step.
    if tg_op = 'UPDATE' and old.${STATE[table]} = new.${STATE[table]} then return null; end if;
    ${
      table === 'correction'
        ? ''
        : `if tg_op = 'INSERT' then
      perform add_money_step(new.user_id, new.id, '${table}', new.trx, 'asked', new.created_ms);
    end if;`
    }
    if step is not null then
      perform add_money_step(new.user_id, new.id, '${table}', new.trx, step, ${DECIDED[table]});
    end if;
    return null;
  end $$`,
  `create trigger ${table}_takes_step after insert or update on ${table} for each row execute function ${table}_takes_step()`,
])

const SIGNED = [
  `create function mark_signed_steps() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    update money_step set batch_id = new.id
    where batch_id is null and id in (
      select encode(substring(new.keys from 32 * leaf + 17 for 16), 'hex')::uuid
      from generate_series(0, length(new.keys) / 32 - 1) as leaf);
    return null;
  end $$`,
  `create trigger mark_signed_steps after insert on receipt_batch for each row when (new.kind = 'money')
    execute function mark_signed_steps()`,
]

const REST = [
  `revoke execute on function add_money_step(uuid, uuid, text, text, text, int8) from public`,
  `-- The address that the user was shown. Empty for older deposits.
  alter table deposit add column wallet_address text not null default ''`,
  `alter table receipt_batch drop constraint receipt_batch_kind_check,
    add constraint receipt_batch_kind_check check (kind in ('accepted', 'result', 'amended', 'money'))`,
  `-- The queue of staff: the longest wait first, by the clock of the deadline.
  create index withdrawal_waiting_clock on withdrawal (clock_ms, id) where status = 2`,
  `drop index withdrawal_clock`,
  `-- Pending records get the receipt of their request now. It names the time of the request.
  select add_money_step(user_id, id, 'deposit', trx, 'asked', created_ms) from deposit where status = 2`,
  `select add_money_step(user_id, id, 'withdrawal', trx, 'asked', created_ms) from withdrawal where status = 2`,
  `select add_money_step(user_id, id, 'correction', trx, 'announced', decided_ms) from correction
  where state in ('announced', 'disputed')`,
]

/** The steps of each movement of money, for signed receipts, and the address that a depositor was shown. */
export const moneyReceipts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLE, ...TRIGGERS, ...SIGNED, ...REST]) await sql.raw(statement).execute(db)
  },
}
