import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Copies a user's permissions to their balances: an order changes the balance anyway, and then need not read the account. The database
 * itself updates the copy within the change of the account, and the server cannot write it.
 */
export const rightsByBalance: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Locked first, in the same order as transactions that change both: servers of the previous version may be running.
  `lock table app_user in share row exclusive mode`,
  `alter table balance
    add column may_trade boolean not null default false, add column max_stake int8, add column max_open_stake int8`,

  // Waits for an account that is being changed, because that transaction does not see this balance yet.
  `create function balance_has_rights() returns trigger language plpgsql security definer
    set search_path from current as $$
    begin
      select u.verified and u.trade_allowed, u.max_stake, u.max_open_stake
        into new.may_trade, new.max_stake, new.max_open_stake
        from app_user u where u.id = new.user_id for share;
      return new;
    end $$`,
  `create trigger balance_has_rights before insert on balance for each row execute function balance_has_rights()`,

  `create function rights_reach_balances() returns trigger language plpgsql security definer
    set search_path from current as $$
    begin
      update balance
        set may_trade = new.verified and new.trade_allowed, max_stake = new.max_stake, max_open_stake = new.max_open_stake
        where user_id = new.id;
      return null;
    end $$`,
  `create trigger rights_reach_balances after update of verified, trade_allowed, max_stake, max_open_stake on app_user
    for each row when ((old.verified, old.trade_allowed, old.max_stake, old.max_open_stake)
      is distinct from (new.verified, new.trade_allowed, new.max_stake, new.max_open_stake))
    execute function rights_reach_balances()`,

  `update balance b
    set may_trade = u.verified and u.trade_allowed, max_stake = u.max_stake, max_open_stake = u.max_open_stake
    from app_user u where u.id = b.user_id`,
]
