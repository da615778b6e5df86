import { type Kysely, type Migration, sql } from 'kysely'

/** The queues of deposits and withdrawals: an index for each sort order and figure, staff notes, and changes of PINs. */
export const moneyQueues: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Staff notes about a payment, never shown to users. Append-only.
  `create table staff_remark (
    kind text not null,
    subject text not null,
    id uuid not null,
    staff_id uuid not null references staff (id),
    text text not null,
    at_ms int8 not null,
    primary key (kind, subject, id)
  )`,

  // When a PIN was last replaced; null when never, or before this column existed.
  `alter table app_user add column pin_changed_ms int8`,

  // Pending payments with the columns that figures need, so that the index alone suffices.
  `create index deposit_waiting on deposit (created_ms, id) include (credited) where status = 2`,
  `create index deposit_by_state on deposit (status, created_ms, id)`,
  `create index deposit_by_time on deposit (created_ms, id)`,
  `create index deposit_by_credited on deposit (credited, created_ms, id)`,
  `create index deposit_trx_start on deposit (trx text_pattern_ops)`,
  // Automatic gateways decide immediately, so they have no waiting time.
  `create index deposit_decided on deposit (decided_ms) include (created_ms)
    where status <> 2 and decided_ms > created_ms`,

  `drop index withdrawal_pending`,
  `create index withdrawal_waiting on withdrawal (created_ms, id) include (amount) where status = 2`,
  `create index withdrawal_by_state on withdrawal (status, created_ms, id)`,
  `create index withdrawal_by_time on withdrawal (created_ms, id)`,
  `create index withdrawal_by_amount on withdrawal (amount, created_ms, id)`,
  `create index withdrawal_trx_start on withdrawal (trx text_pattern_ops)`,
  `create index withdrawal_paid on withdrawal (decided_ms) include (created_ms) where status = 1`,
]
