import { type Kysely, type Migration, sql } from 'kysely'

/**
 * A withdrawal can be approved and paid again, after a payment was marked as not sent or payment details changed. Each
 * of these steps has a notice of its own, so the subject of the notice has the number of the step.
 */
const STATEMENT = `create or replace function tell_withdrawal_update() returns trigger language plpgsql
  security definer set search_path from current as $$
  declare
    last payment_event%rowtype;
  begin
    select * into last from payment_event where user_id = new.user_id and subject = new.id order by seq desc limit 1;
    perform tell(new.user_id, 'withdrawal_' || new.state,
      new.id || case when new.state in ('approved', 'paying') then ' ' || last.seq else '' end,
      jsonb_build_object('trx', new.trx, 'amount', new.amount,
        'method', (select name from gateway where id = new.gateway_id), 'words', nullif(last.words, '')),
      coalesce(new.returned_ms, new.decided_ms, new.paying_ms, last.at_ms));
    return null;
  end $$`

/** A notice of each approval and of each begin of a payment. */
export const repeatedNotices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(STATEMENT).execute(db)
  },
}
