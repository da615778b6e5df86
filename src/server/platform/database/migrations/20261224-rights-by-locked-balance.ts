import { type Kysely, type Migration, sql } from 'kysely'

/**
 * What accepting an order looks at, and says, is all by the balance: a statement that waits for a balance reads that row anew
 * when it gets it, and reads the account as it was before. `may_trade` stays, as servers of the last version go by it.
 */
export const rightsByLockedBalance: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // First, as those who change both do: servers of the last version may be at work.
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
