import { type Kysely, type Migration, sql } from 'kysely'

/**
 * A payment that was sent and came back ends the wait. Before, a bank that returned each payment made every new request
 * late. A payment that failed ends the wait too, unless staff took more than 72 hours for this request: failing a
 * payment late must not hide the delay.
 */
export const withdrawalWaits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create or replace function keep_withdrawal_clock() returns trigger language plpgsql as $$
      begin
        new.clock_ms := new.created_ms - greatest(0, (
          select max(w.decided_ms - w.clock_ms) from withdrawal w
          where w.user_id = new.user_id and w.decided_ms > new.created_ms - 2592000000
            and ((w.state = 'rejected' and w.reason_code is distinct from 'details_wrong')
              or (w.state = 'failed' and w.decided_ms - w.created_ms > 259200000))));
        return new;
      end $$`.execute(db)
  },
}
