import { type Kysely, type Migration, sql } from 'kysely'
import { DEFINITIONS } from '#server/platform/database/migrations/practice/definitions.ts'
import { NOTICES } from '#server/platform/database/migrations/practice/notices.ts'

const REFUSED = `using errcode = 'check_violation'`

/** Tables whose rows belong to a user with money, or to a user who can log in. A practice account has none of them. */
const ONLY_OF_MONEY = [
  'access_code_use',
  'account_closing',
  'account_recovery',
  'api_key',
  'code_sent',
  'consent',
  'correction',
  'data_export',
  'deposit',
  'excluded_person',
  'first_check',
  'known_device',
  'key_order',
  'limit_prompt',
  'money_step',
  'one_time_code',
  'payment_file_line',
  'price_alert',
  'push_subscription',
  'self_break',
  'self_limit',
  'self_limit_change',
  'self_return',
  'session',
  'ticket',
  'upload',
  'user_authenticator',
  'user_leave',
  'user_measure',
  'user_passkey',
  'user_recovery_code',
  'user_ticket',
  'user_trait',
  'user_withdrawal_method',
  'withdrawal',
] as const

/** The kinds of transfers that a practice account can have, in the order of `core/ledger/transfer-kinds.ts`. */
const PRACTICE_KINDS = [
  'order_stake',
  'order_win',
  'order_draw',
  'order_void',
  'order_lose',
  'order_sold',
  'order_sale',
  'order_sale_fee',
  'order_profit',
  'make_good',
]
const OTHER_KINDS = [
  'deposit',
  'demo_funds',
  'withdrawal_request',
  'withdrawal_paid',
  'withdrawal_rejected',
  'withdrawal_cancelled',
  'withdrawal_failed',
  'withdrawal_fee',
  'withdrawal_returned',
  'withdrawal_fee_returned',
  'correction_in',
  'correction_out',
  'beginner_task',
  'credits_lapsed',
]
const GRANTS = ['practice_grant', 'practice_return']

const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ')

const ACCOUNTS = [
  `-- The ids of practice accounts are UUIDs of version 8, so that each row shows by its user which kind it is.
  create function is_practice(id uuid) returns boolean language sql immutable parallel safe
    return (get_byte(uuid_send(id), 6) >> 4) = 8`,
  `alter table app_user
    add column practice_of uuid references app_user,
    add constraint app_user_practice check ((practice_of is not null) = is_practice(id) and practice_of <> id),
    add constraint app_user_practice_closed check (practice_of is null
      or (sign_in_blocked and password_hash = '' and email is null and mobile = '' and not is_bot))`,
  `create unique index app_user_practice_of on app_user (practice_of) where practice_of is not null`,
  `-- The one balance of an account says its currency. Orders find it by the user alone.
  create unique index balance_user on balance (user_id)`,
  `alter table balance add constraint balance_practice_check check (
    (currency = 'PRACTICE') = is_practice(user_id) and (currency <> 'PRACTICE' or (withdrawing = 0 and credits = 0)))`,
]

const MONEY = [
  `alter table transfer drop constraint transfer_kind_check,
    add constraint transfer_kind_check
      check (kind in (${quoted([...PRACTICE_KINDS, ...OTHER_KINDS, ...GRANTS])})) not valid,
    -- A transfer has one currency: that of its account. So no transfer can join two currencies.
    add constraint transfer_practice_check check ((currency = 'PRACTICE') = is_practice(user_id)
      and case currency when 'PRACTICE' then kind in (${quoted([...PRACTICE_KINDS, ...GRANTS])})
        else kind not in (${quoted(GRANTS)}) end) not valid,
    add constraint transfer_grant_check check (case kind
      when 'practice_grant' then step = 'grant' and from_account = 'house:practice' and to_account = 'cash'
      when 'practice_return' then step = 'grant' and from_account = 'cash' and to_account = 'house:practice'
      else from_account <> 'house:practice' and to_account <> 'house:practice' end) not valid`,
  `create trigger transfer_never_converted before update of currency, user_id on balance
    for each row when (old.currency <> new.currency or old.user_id <> new.user_id) execute function keep_currency()`,
  ...ONLY_OF_MONEY.map(
    (table) =>
      `alter table ${table} add constraint ${table}_not_of_practice check (not is_practice(user_id)) not valid`,
  ),
  `-- A grant opens the account, or brings it back to 10,000.00 when no order is open, once an hour.
  create function check_practice_grant() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from balance b where b.user_id = new.user_id and b.cash = 1000000 and b.staked = 0
        and b.open_orders = 0) then
      raise exception 'practice: a grant brings the balance to its start' ${REFUSED};
    end if;
    if exists (select from transfer t where t.user_id = new.user_id and t.ref <> new.ref and t.kind in (${quoted(GRANTS)})
        and t.ref <> new.user_id and new.ref <> new.user_id and t.created_ms > new.created_ms - 3600000) then
      raise exception 'practice: it was reset less than an hour ago' ${REFUSED};
    end if;
    return null;
  end $$`,
  `create constraint trigger transfer_practice_grant after insert on transfer deferrable initially deferred
    for each row when (new.kind in (${quoted(GRANTS)})) execute function check_practice_grant()`,
]

const KINDS = ['accepted', 'result', 'amended', 'sale']
const RECEIPTS = [
  `alter table receipt_batch drop constraint receipt_batch_kind_check,
    add constraint receipt_batch_kind_check check (kind in (${quoted([
      ...KINDS,
      'money',
      ...KINDS.map((kind) => `practice_${kind}`),
    ])}))`,
  `-- The receipts of one signature are all of practice orders, or none is.
  create function check_receipt_owners() returns trigger language plpgsql as $$
  begin
    if exists (select from generate_series(0, length(new.keys) / 32 - 1) as leaf
        where ((get_byte(new.keys, 32 * leaf + 6) >> 4) = 8) <> (new.kind like 'practice%')) then
      raise exception 'receipt_batch: practice and money in one tree' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger receipt_batch_owners before insert on receipt_batch for each row execute function check_receipt_owners()`,
]

/** Practice accounts beside the accounts with money. */
export const practice: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const statements = [...ACCOUNTS, ...DEFINITIONS, ...MONEY, ...RECEIPTS, ...NOTICES]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
