import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Counts the longest wait among the rejections of the last 30 days. A later rejection after a short wait does not hide
 * a long wait.
 */
export const withdrawalClock: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create or replace function keep_withdrawal_clock() returns trigger language plpgsql as $$
      begin
        new.clock_ms := new.created_ms - greatest(0, (
          select max(w.decided_ms - w.clock_ms) from withdrawal w
          where w.user_id = new.user_id and w.status = 3 and not w.is_cancelled
            and w.reason_code is distinct from 'details_wrong' and w.decided_ms > new.created_ms - 2592000000));
        return new;
      end $$`.execute(db)
  },
}
