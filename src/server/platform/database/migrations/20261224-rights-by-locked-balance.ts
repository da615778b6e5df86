import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Accepting an order reads permissions only from the balance. A statement that waits for a balance re-reads that row afterwards, but would
 * read the account in its old state. `may_trade` stays, because servers of the previous version use it.
 */
export const rightsByLockedBalance: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Locked first, in the same order as transactions that change both: servers of the previous version may be running.
  `lock table app_user in share row exclusive mode`,
  `alter table balance
    add column verified boolean not null default false, add column trade_reason text not null default ''`,

  `create or replace function balance_has_rights() returns trigger language plpgsql security definer
    set search_path from current as $$
    begin
      select u.verified and u.trade_allowed, u.verified, u.trade_reason, u.max_stake, u.max_open_stake
        into new.may_trade, new.verified, new.trade_reason, new.max_stake, new.max_open_stake
        from app_user u where u.id = new.user_id for share;
      return new;
    end $$`,
  `create or replace function rights_reach_balances() returns trigger language plpgsql security definer
    set search_path from current as $$
    begin
      update balance
        set may_trade = new.verified and new.trade_allowed, verified = new.verified, trade_reason = new.trade_reason,
          max_stake = new.max_stake, max_open_stake = new.max_open_stake
        where user_id = new.id;
      return null;
    end $$`,
  `drop trigger rights_reach_balances on app_user`,
  `create trigger rights_reach_balances
    after update of verified, trade_allowed, trade_reason, max_stake, max_open_stake on app_user
    for each row when ((old.verified, old.trade_allowed, old.trade_reason, old.max_stake, old.max_open_stake)
      is distinct from (new.verified, new.trade_allowed, new.trade_reason, new.max_stake, new.max_open_stake))
    execute function rights_reach_balances()`,

  `update balance b set verified = u.verified, trade_reason = u.trade_reason
    from app_user u where u.id = b.user_id and (u.verified or u.trade_reason <> '')`,
]
