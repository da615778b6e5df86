import { type Kysely, type Migration, sql } from 'kysely'

/** The queues of deposits and withdrawals: an index for each order and figure, remarks of the staff, changes of PINs. */
export const moneyQueues: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Said among the staff about a payment; users never read it. Only ever added to.
  `create table staff_remark (
    kind text not null,
    subject text not null,
    id uuid not null,
    staff_id uuid not null references staff (id),
    text text not null,
    at_ms int8 not null,
    primary key (kind, subject, id)
  )`,

  // When a PIN took the place of another; null when it never did, or before this was written down.
  `alter table app_user add column pin_changed_ms int8`,

  // Those that wait, with what the figures add up, so that the index alone answers them.
  `create index deposit_waiting on deposit (created_ms, id) include (credited) where status = 2`,
  `create index deposit_by_state on deposit (status, created_ms, id)`,
  `create index deposit_by_time on deposit (created_ms, id)`,
  `create index deposit_by_credited on deposit (credited, created_ms, id)`,
  `create index deposit_trx_start on deposit (trx text_pattern_ops)`,
  // Automatic gateways decide at once: there was nobody to wait for.
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
