import { type Kysely, type Migration, sql } from 'kysely'

/** The record that each kind of transfer needs, as a condition on the transfer `t`. */
const RECORDS = {
  deposit: `exists (select from deposit d where d.id = t.ref and d.user_id = t.user_id
    and d.status = 1 and d.credited = t.amount and d.decided_ms = t.created_ms)`,
  demo_funds: `exists (select from app_user u where u.id = t.user_id and u.is_bot)`,
  withdrawal_request: `exists (select from withdrawal w where w.id = t.ref and w.user_id = t.user_id
    and w.amount = t.amount and w.created_ms = t.created_ms)`,
  withdrawal_paid: `exists (select from withdrawal w where w.id = t.ref and w.user_id = t.user_id
    and w.status = 1 and w.amount - w.percent_charge - w.fixed_charge = t.amount and w.decided_ms = t.created_ms)`,
  withdrawal_fee: `exists (select from withdrawal w where w.id = t.ref and w.user_id = t.user_id
    and w.status = 1 and w.percent_charge + w.fixed_charge = t.amount and w.decided_ms = t.created_ms)`,
  withdrawal_rejected: `exists (select from withdrawal w where w.id = t.ref and w.user_id = t.user_id
    and w.status = 3 and not w.is_cancelled and w.amount = t.amount and w.decided_ms = t.created_ms)`,
  withdrawal_cancelled: `exists (select from withdrawal w where w.id = t.ref and w.user_id = t.user_id
    and w.is_cancelled and w.amount = t.amount and w.decided_ms = t.created_ms)`,
  correction_in: `exists (select from correction c where c.id = t.ref and c.user_id = t.user_id
    and c.state = 'posted' and c.amount = t.amount and coalesce(c.posted_ms, c.decided_ms) = t.created_ms)`,
  correction_out: `exists (select from correction c where c.id = t.ref and c.user_id = t.user_id
    and c.state = 'posted' and c.amount = -t.amount and c.posted_ms = t.created_ms)`,
} as const
const KINDS = Object.keys(RECORDS)
  .map((kind) => `'${kind}'`)
  .join(', ')

/** Refuses, at the end of its transaction, a transfer without its record. */
const TRANSFERS = [
  `create function check_transfer_record() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    t transfer := new;
  begin
    if not (case t.kind
      ${Object.entries(RECORDS)
        .map(([kind, condition]) => `when '${kind}' then ${condition}`)
        .join('\n      ')}
      end) then
      raise exception 'transfer: no record says %', t.kind using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger transfer_recorded after insert on transfer deferrable initially deferred
    for each row when (new.kind in (${KINDS})) execute function check_transfer_record()`,
]

/** Refuses, at the end of its transaction, a decided record without its transfer. */
const DECIDED = [
  { table: 'deposit', when: 'new.status = 1', step: `'deposit'` },
  { table: 'withdrawal', when: 'new.status <> 2', step: `'close'` },
  { table: 'correction', when: `new.state = 'posted'`, step: `'correction'` },
].flatMap(({ table, when, step }) => [
  `create function check_${table}_transfer() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from transfer where user_id = new.user_id and ref = new.id and step = ${step}) then
      raise exception '${table}: the transfer is missing' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger ${table}_transferred after insert or update on ${table} deferrable initially deferred
    for each row when (${when}) execute function check_${table}_transfer()`,
])

/**
 * Refuses a change of a decided record, including the texts of the decision. A new key may encrypt payment details
 * again.
 */
const FINAL = [
  { table: 'deposit', isFinal: 'old.status <> 2', free: `'{}'` },
  { table: 'withdrawal', isFinal: 'old.status <> 2', free: `'{details,destination,review_version}'` },
  { table: 'correction', isFinal: `old.state in ('posted', 'rejected', 'withdrawn')`, free: `'{}'` },
].flatMap(({ table, isFinal, free }) => [
  `create function keep_${table}_decision() returns trigger language plpgsql as $$
  begin
    if to_jsonb(new) - ${free}::text[] <> to_jsonb(old) - ${free}::text[] then
      raise exception '${table}: a decision is final' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger ${table}_decision_kept before update on ${table}
    for each row when (${isFinal}) execute function keep_${table}_decision()`,
])

/** Refuses a change of an announced adjustment, other than its dispute and its end. */
const ANNOUNCED = [
  `create function keep_announcement() returns trigger language plpgsql as $$
  begin
    if (new.posts_ms, new.decided_ms, new.decided_by, new.words) is distinct from
        (old.posts_ms, old.decided_ms, old.decided_by, old.words) then
      raise exception 'correction: the announcement stays' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger correction_announcement_kept before update on correction
    for each row when (old.state in ('announced', 'disputed') and new.state <> 'rejected')
    execute function keep_announcement()`,
]

/**
 * Each transfer of a deposit, withdrawal or adjustment needs its record, and each decided record needs its transfer.
 */
export const recordedTransfers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TRANSFERS, ...DECIDED, ...FINAL, ...ANNOUNCED]) await sql.raw(statement).execute(db)
  },
}
