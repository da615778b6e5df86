import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- The credit is the amount at the rate, to half a minor unit. Old rows are not read again.
  alter table deposit add constraint deposit_credit_check check (
    abs(credited::numeric * 1000000 - amount::numeric * rate_millionths) * 2 <= 1000000) not valid`,
  `-- Whoever credits, pays or takes back money has signed for it in the audit log. Only the demo's own gateway credits by
  -- itself.
  create function check_payment_audited() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    of_trx text := case when new.kind = 'deposit'
      then (select d.trx from deposit d join gateway g on g.id = d.gateway_id
        where d.user_id = new.user_id and d.id = new.ref and not (g.is_automatic and g.id = 1))
      else (select trx from withdrawal where user_id = new.user_id and id = new.ref) end;
  begin
    if of_trx is not null and not exists (select from admin_action where target = of_trx and outcome = 'done') then
      raise exception 'transfer: the audit log does not say who decided it' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger transfer_audited after insert on transfer deferrable initially deferred for each row
    when (new.kind in ('deposit', 'withdrawal_paid', 'withdrawal_rejected', 'withdrawal_failed', 'withdrawal_returned'))
    execute function check_payment_audited()`,
]

/** Money that staff credit, pay or give back needs an entry of the audit log. */
export const auditedPayments: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
