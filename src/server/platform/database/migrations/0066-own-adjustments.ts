import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The requester may call off an announced adjustment. On a site with fewer than two approvers, the requester may also
 * approve an own adjustment after the wait, as `SINGLE_OPERATOR_HOURS` says. Nothing else is decided by the requester.
 */
const STATEMENTS = [
  `alter table correction drop constraint correction_check,
    add constraint correction_check check (
      decided_by <> asked_by or state in ('announced', 'disputed', 'posted', 'rejected'))`,
  `create function check_own_correction() returns trigger language plpgsql security definer
  set search_path from current as $$
  declare
    wait_ms int8 := case when (select mode = 'demo' from log_identity order by log limit 1) then 60000 else 259200000 end;
  begin
    if not exists (select from approval where kind = 'correction' and subject = new.id::text and step = 3
        and mark = 'one_operator' and staff_id = new.asked_by and content_hash = new.content_hash
        and at_ms between new.asked_ms + wait_ms and new.decided_ms) then
      raise exception 'correction: asked and decided by one person' using errcode = 'check_violation';
    end if;
    -- A site may get more approvers between the decision and the posting.
    if old.state = 'waiting' and (select count(*) from staff
        where not is_blocked and approver_ms <= new.decided_ms) > 1 then
      raise exception 'correction: asked and decided by one person' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger correction_own_checked before update on correction for each row
    when (new.decided_by = new.asked_by and new.state <> 'rejected'
      and (old.state, old.decided_by, old.asked_by) is distinct from (new.state, new.decided_by, new.asked_by))
    execute function check_own_correction()`,
]

/** Decisions of a requester about an own adjustment, as far as they are allowed. */
export const ownAdjustments: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
