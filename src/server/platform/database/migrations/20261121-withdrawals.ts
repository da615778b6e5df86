import { type Kysely, type Migration, sql } from 'kysely'

/** Withdrawals, and each user's payment details for each method. */
export const withdrawals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // The details that a user entered into a method's form, by label.
  `create table user_withdrawal_method (
    user_id uuid not null references app_user (id),
    gateway_id int4 not null references gateway (id),
    details jsonb not null,
    updated_ms int8 not null,
    primary key (user_id, gateway_id)
  )`,
  // Amount and fees are in the base currency, paid_out in the method's. The details are those at the time of the request.
  `create table withdrawal (
    user_id uuid not null references app_user (id),
    id uuid not null,
    trx text not null,
    client_request_id text,
    gateway_id int4 not null references gateway (id),
    status int2 not null check (status in (1, 2, 3)),
    currency text not null,
    amount int8 not null check (amount > 0),
    percent_charge int8 not null check (percent_charge >= 0),
    fixed_charge int8 not null check (fixed_charge >= 0),
    rate_millionths int8 not null check (rate_millionths > 0),
    paid_out int8 not null check (paid_out > 0),
    details jsonb not null default '{}',
    feedback text not null default '',
    is_cancelled boolean not null default false check (not is_cancelled or status = 3),
    created_ms int8 not null,
    decided_ms int8 check ((decided_ms is null) = (status = 2)),
    primary key (user_id, id)
  )`,
  `create unique index withdrawal_client on withdrawal (user_id, client_request_id)`,
  `create index withdrawal_user on withdrawal (user_id, created_ms desc)`,
  `create index withdrawal_trx on withdrawal (trx)`,
  `create index withdrawal_pending on withdrawal (created_ms) where status = 2`,
]
