import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Transfers and their sums. */
export const ledger: BaselineRoom = {
  tables: [
    `-- Cached sums of the accounts of a user, and what the database copies from app_user for the check of new orders. results
    -- is the number of the newest result: settlement numbers them under the lock of this row, without a gap.
    create table balance (
      user_id uuid not null,
      currency text not null,
      cash int8 not null default 0,
      staked int8 not null default 0,
      withdrawing int8 not null default 0,
      credits int8 not null default 0,
      open_orders int4 not null default 0,
      may_trade boolean not null default false,
      max_stake int8,
      max_open_stake int8,
      results int8 not null default 0,
      verified boolean not null default false,
      trade_reason text not null default '',
      primary key (user_id, currency),
      constraint balance_cash_check check (cash >= 0),
      constraint balance_credits_check check (credits >= 0),
      constraint balance_open_orders_check check (open_orders >= 0),
      constraint balance_results_check check (results >= 0),
      constraint balance_staked_check check (staked >= 0),
      constraint balance_withdrawing_check check (withdrawing >= 0)
    ) with (fillfactor=70, autovacuum_vacuum_threshold=10000, autovacuum_vacuum_scale_factor=0.02)`,
    `-- The result of the latest reconciliation.
    create table ledger_check (
      id int4 primary key,
      checked_ms int8 not null,
      took_ms int4 not null,
      report jsonb not null
    )`,
    `-- Sums of orders by user, up to the watermark of the run.
    create table ledger_order_sum (
      run int8 not null,
      user_id uuid not null,
      staked int8 not null,
      won int8 not null,
      lost int8 not null,
      primary key (run, user_id)
    ) with (fillfactor=70)`,
    `-- How far reconciliation has counted. One run of sums begins with a full count and continues with what later checks add.
    create table ledger_run (
      id int4 primary key,
      run int8 not null default 0,
      until_ms int8 not null default 0,
      whole_ms int8 not null default 0,
      whole_took_ms int8 not null default 0,
      recount_run int8 not null default 0,
      recount_until_ms int8 not null default 0,
      recount_started_ms int8 not null default 0,
      recount_worked_ms int8 not null default 0,
      recount_next_ms int8 not null default 0,
      recount_portion int8 not null default 0
    )`,
    `-- Sums of transfers by account, up to the watermark of the run. Pages keep room, as most checks change the sums of active
    -- users.
    create table ledger_sum (
      run int8 not null,
      user_id uuid not null,
      currency text not null,
      from_account text not null,
      to_account text not null,
      amount int8 not null,
      transfers int8 not null,
      primary key (run, user_id, currency, from_account, to_account)
    ) with (fillfactor=70)`,
    `-- The ledger. A transfer moves an amount between two accounts of a user, or between one of them and the house. The key
    -- begins with the id of the order, which begins with its time, so new rows go to the end of the index.
    create table transfer (
      user_id uuid not null,
      ref uuid not null,
      step text not null,
      kind text not null,
      from_account text not null,
      to_account text not null,
      currency text not null,
      amount int8 not null,
      created_ms int8 not null,
      constraint credits_stay check (((from_account <> 'credits') and ((to_account <> 'credits') or (from_account = 'house:bonus')))),
      constraint transfer_amount_check check (amount > 0),
      constraint transfer_check check (to_account <> from_account)
    ) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=200000, autovacuum_analyze_scale_factor=0.05)`,
  ],
  functions: [
    `-- Waits for an account that is being changed, as that change does not see the new balance.
create function balance_has_rights()
 returns trigger
 language plpgsql
 security definer
 set search_path from current
as $function$
    begin
      select u.verified and u.trade_allowed, u.verified, u.trade_reason, u.max_stake, u.max_open_stake
        into new.may_trade, new.verified, new.trade_reason, new.max_stake, new.max_open_stake
        from app_user u where u.id = new.user_id for share;
      return new;
    end $function$`,
    `-- Copies what decides about new orders to the balances of the user.
create function rights_reach_balances()
 returns trigger
 language plpgsql
 security definer
 set search_path from current
as $function$
    begin
      update balance
        set may_trade = new.verified and new.trade_allowed, verified = new.verified, trade_reason = new.trade_reason,
          max_stake = new.max_stake, max_open_stake = new.max_open_stake
        where user_id = new.id;
      return null;
    end $function$`,
  ],
  indexes: [
    `create index transfer_kind on transfer (kind, created_ms desc, ref desc, step desc) where kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')`,
    `alter table transfer add primary key (ref, step, user_id)`,
    `create index transfer_newest on transfer (created_ms desc, ref desc, step desc) where kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')`,
    `create index transfer_user on transfer (user_id, created_ms desc, ref desc, step desc) where kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')`,
    `-- A transfer touches at most one account of the house. Those of trading are left out: every third transfer has one.
    create index transfer_house on transfer ((case when (from_account like 'house:%') then from_account else to_account end), created_ms desc, ref desc, step desc) where (kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')) and ((from_account like 'house:%') or (to_account like 'house:%'))`,
    `create index transfer_rare on transfer (created_ms desc, ref desc, step desc) where (kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')) and ((from_account in ('withdrawing', 'credits')) or (to_account in ('withdrawing', 'credits')))`,
    `-- Transfers arrive about in order of time, so a block range index costs them almost nothing.
    create index transfer_created on transfer using brin (created_ms) with (autosummarize='on')`,
  ],
  foreignKeys: [`alter table balance add foreign key (user_id) references app_user (id)`],
  triggers: [
    `create trigger balance_has_rights before insert on balance for each row execute function balance_has_rights()`,
  ],
}
