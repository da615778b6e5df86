import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Compares the times of a negative adjustment with the tick log, whose times are public. An adjustment cannot be
 * announced in the past or posted before its time. Without ticks there is nothing to compare with.
 */
const STATEMENTS = [
  `create function check_correction_times() returns trigger language plpgsql as $$
  declare
    logged_ms int8 := (select written_ms from tick_batch where not is_late order by first_seq desc limit 1);
    slack_ms int8 := case when (select mode = 'demo' from log_identity order by log limit 1) then 10000 else 600000 end;
  begin
    if new.state = 'announced' and new.decided_ms < logged_ms - slack_ms then
      raise exception 'correction: announced in the past' using errcode = 'check_violation';
    end if;
    if new.state = 'posted' and new.posted_ms > logged_ms + slack_ms then
      raise exception 'correction: posted ahead of its time' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger correction_times_checked before update of state on correction for each row
    when (new.amount < 0 and new.kind <> 'before' and old.state <> new.state and old.state <> 'disputed')
    execute function check_correction_times()`,
]

/** Announcements of negative adjustments that cannot be dated back. */
export const adjustmentTimes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
