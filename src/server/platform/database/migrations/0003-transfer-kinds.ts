import { type Kysely, type Migration, sql } from 'kysely'

/** The database refuses transfers of unknown kinds. A test compares the list with `core/ledger/transfer-kinds.ts`. */
export const transferKinds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table transfer add constraint transfer_kind_check check (kind in (
        'order_stake', 'order_win', 'order_draw', 'order_void', 'order_lose', 'order_profit', 'deposit', 'demo_funds',
        'withdrawal_request', 'withdrawal_paid', 'withdrawal_rejected', 'withdrawal_cancelled', 'withdrawal_fee',
        'correction_in', 'correction_out', 'beginner_task'))`.execute(db)
  },
}
