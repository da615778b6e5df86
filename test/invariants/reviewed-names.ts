/**
 * Reviewed sentences about everything in the product whose name sounds related to an order's result.
 * The test beside this file finds each call, command, setting and column by itself. A name that contains one of these
 * words and is missing here fails the test until a reviewer explains it.
 * No acceptable sentence exists for anything that sets a price, a result, one user's payout or a delay.
 */
export const WORDS_OF_AN_OUTCOME: ReadonlySet<string> = new Set(
  `price prices payout payouts profit profits result results outcome outcomes odds chance probability win wins winner won
  lose loss losses lost draw bias edge spread slippage delay delayed wait exit entry strike tick ticks settle settled
  settlement void rate rates ratio percent percentage multiplier factor weight expire expires expiry duration seconds
  direction override force forced manual fixed stake stakes staked luck rig target quote quotes`.split(/\s+/),
)

/**
 * Reviewed names of changing calls (`call`), and of fields of such calls and of app socket messages (`call.field`),
 * with the explanation of each.
 */
export const SAID_OF_CALLS: Readonly<Record<string, string>> = {
  'socket newTrade.strikePrice': 'the price the client showed; a large difference only refuses the order',
  'socket newTrade.maxSlippage': 'how much the price may have moved before the user wants the order refused',
  'socket newTrade.profitPercentage': 'the payout the client showed; when another is in force the order is refused',
  'setAlert.percent': 'of a price alert, which no order and no result reads',
  'setAlert.expires_at': 'of a price alert, which no order and no result reads',
  'changeAlert.percent': 'of a price alert, which no order and no result reads',
  'changeAlert.expires_at': 'of a price alert, which no order and no result reads',
  staffAnnounceSplit:
    'announces a stock split: refuses orders across the day and converts figures; no tick and no result changes',
  'staffAskRecovery.lost': 'which factors of the account the user lost, such as the PIN',
  'staffAddSymbol.max_tick_age_ms': 'how old a price of the symbol may be, for everyone',
  'staffCreateGateway.fixed_charge': 'of a gateway, the same for everyone; earlier requests keep their own',
  'staffCreateGateway.quote_seconds': 'of a gateway, the same for everyone; earlier requests keep their own',
  'staffCreateGateway.percent_charge': 'of a gateway, the same for everyone; earlier requests keep their own',
  'staffCreateGateway.rate': 'of a gateway, the same for everyone; earlier requests keep their own',
  'staffSaveGateway.fixed_charge': 'of a gateway, the same for everyone; earlier requests keep their own',
  'staffSaveGateway.quote_seconds': 'of a gateway, the same for everyone; earlier requests keep their own',
  'staffSaveGateway.percent_charge': 'of a gateway, the same for everyone; earlier requests keep their own',
  'staffSaveGateway.rate': 'of a gateway, the same for everyone; earlier requests keep their own',
  'saveDesk.ticks': 'whether the chart of the user shows a line of ticks in place of bars',
  recentTicks: 'lists ticks of the log; a POST because the specification says so',
  'recentTicks.seconds': 'how far back the list goes',
  'saveDrawings.price': 'where a user drew a line on the chart',
  tradeResult: 'shows an own result; a POST because the specification says so',
  'tradeResult.price': 'sent by clients of the specification, and not read',
  latestTrades: 'shows the newest orders, names masked; a POST because the specification says so',
  'latestTrades.price': 'sent by clients of the specification, and not read',
  'makeKey.max_stake': 'a limit on stakes; it can only refuse new orders',
  'makeKey.max_stake_day': 'a limit on stakes; it can only refuse new orders',
  'staffSetLimits.max_stake': 'a limit on stakes; it can only refuse new orders',
  'staffSetLimits.max_open_stake': 'a limit on stakes; it can only refuse new orders',
}

/** Reviewed options and arguments of operator commands, and reviewed permissions, with the explanation of each. */
export const SAID_OF_COMMANDS: Readonly<Record<string, string>> = {}

/** Reviewed settings of the site, with the explanation of each. */
export const SAID_OF_SETTINGS: Readonly<Record<string, string>> = {
  rate_jump_percent: 'how far one person may move the rate of a gateway',
  display_rates: 'units per dollar, to show balances in; no amount is computed with them',
  display_rates_as_of: 'when those were set',
}

/** Reviewed columns of all tables outside `BOOKS`, with the explanation of each. */
export const SAID_OF_COLUMNS: Readonly<Record<string, string>> = {
  'account_recovery.lost': 'which factors of the account the user lost, such as the PIN',
  'admin_action.outcome': 'whether staff did it or were refused',
  'admin_action.target': 'what it was done to',
  'app_user.max_stake': 'a limit on stakes; it can only refuse new orders',
  'app_user.max_open_stake': 'a limit on stakes; it can only refuse new orders',
  'app_user.max_stake_reason': 'why there is such a limit, as the user reads it',
  'app_user.max_open_stake_reason': 'why there is such a limit, as the user reads it',
  'arrival.rate_millionths': 'as quoted to the user who pays in or is paid out',
  'attempt.window_start_ms': 'since when wrong passwords are counted',
  content_entry: 'a page, a post, a banner, an answer',
  'cap_refusal.direction': 'the side of orders that a cap refused, counted without their users',
  'day_total.result': 'sums of orders that ended, for the dashboard and the fairness page',
  'api_key.max_stake': 'a limit on stakes; it can only refuse new orders',
  'api_key.max_stake_day': 'a limit on stakes; it can only refuse new orders',
  'api_key.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  'key_order.stake': 'how much of the limits of its key an order takes',
  'alert_mark.last_ticks': 'how far the tick log was read for price alerts',
  price_alert: 'of a price alert, which no order and no result reads',
  'price_alert.basis_price': 'of a price alert, which no order and no result reads',
  'price_alert.fired_price': 'of a price alert, which no order and no result reads',
  'price_alert.expires_ms': 'of a price alert, which no order and no result reads',
  'data_export.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  'deposit.fixed_charge': 'as quoted to the user who pays in or is paid out',
  'deposit.percent_charge': 'as quoted to the user who pays in or is paid out',
  'deposit.percent_basis_points': 'as quoted to the user who pays in or is paid out',
  'deposit.rate_millionths': 'as quoted to the user who pays in or is paid out',
  'register_cosignature.seconds': 'when a witness signed a state of the register',
  register_entry: 'what was published, in the order in which it was',
  'register_witness.every_seconds': 'how often a witness of the register is asked',
  'fairness_line.seconds': 'sums of orders that ended, for the dashboard and the fairness page',
  'fairness_line.profit_basis_points': 'sums of orders that ended, for the dashboard and the fairness page',
  'fairness_line.wins': 'sums of orders that ended, for the dashboard and the fairness page',
  'fairness_line.losses': 'sums of orders that ended, for the dashboard and the fairness page',
  'fairness_user.result': 'sums of orders that ended, for the dashboard and the fairness page',
  'gateway.fixed_charge': 'of a gateway, the same for everyone',
  'gateway.quote_seconds': 'of a gateway, the same for everyone',
  'gateway.percent_charge_basis_points': 'of a gateway, the same for everyone',
  'gateway.rate_millionths': 'of a gateway, the same for everyone',
  'ledger_order_sum.staked': 'sums of a user’s orders that ended; only the reconciliation reads them',
  'ledger_order_sum.won': 'sums of a user’s orders that ended; only the reconciliation reads them',
  'ledger_order_sum.lost': 'sums of a user’s orders that ended; only the reconciliation reads them',
  'liability_account.staked': 'open stakes at the snapshot of liabilities; only proofs read it',
  'market_symbol.max_tick_age_ms': 'history: copied into the terms, and not read',
  'one_time_code.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  'password_reset.code_expires_ms': 'when a key, copy, code, link, session or invitation ends',
  'password_reset.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  price_gap: 'when prices of a symbol were or may be missing: a mark in charts',
  tick_hole: 'when prices of a symbol were or may be missing: a mark in charts',
  'limit_mark.stake_total': 'a total for limits that a user sets; it can only refuse new orders',
  'reality_session.staked': 'a total for the reality check; it can only hold back new orders',
  'self_limit_change.direction': 'whether a limit that a user sets becomes tighter or looser',
  'self_limit_change_end.outcome': 'whether the user confirmed or dropped such a change',
  'session.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  'user_ticket.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  'gateway_past.rate_millionths': 'the past of a gateway, only added to',
  'staff_session.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  'staff_ticket.expires_ms': 'when a key, copy, code, link, session or invitation ends',
  tick_stream: 'how far the log’s writer has read each symbol',
  text_override: 'texts of the app that the operator has changed',
  'withdrawal.fixed_charge': 'as quoted to the user who pays in or is paid out or is paid out',
  'withdrawal.percent_charge': 'as quoted to the user who pays in or is paid out or is paid out',
  'withdrawal.rate_millionths': 'as quoted to the user who pays in or is paid out or is paid out',
  record_audit: 'decided prices compared with the record of their source; only counts are read',
  'record_audit.expires_ms': 'decided prices compared with the record of their source; only counts are read',
  'record_audit.max_tick_age_ms': 'decided prices compared with the record of their source; only counts are read',
  void_stand: 'counts of how void orders would have ended; it pays nothing',
  'void_stand.expires_ms': 'counts of how void orders would have ended; it pays nothing',
  'void_stand.would_win': 'counts of how void orders would have ended; it pays nothing',
  'void_stand.would_lose': 'counts of how void orders would have ended; it pays nothing',
  'void_stand.would_draw': 'counts of how void orders would have ended; it pays nothing',
}

interface Book {
  readonly about: string
  /** Why all columns of the table are safe. */
  readonly columns: string
  /**
   * The writers, as `verb file`. No other source writes the table. For most tables, the database role of the server
   * prevents it too.
   */
  readonly writers: readonly string[]
}

const SEED = 'insert scripts/lib/large-data.ts'
/** The file with both statements that insert orders. */
const ACCEPT = 'src/server/trading/engine/order-rows.ts'
const SELL = 'src/server/trading/sales/sell-order.queries.ts'
const SETTLE = 'src/server/trading/engine/settle.queries.ts'
const ORDER = `user_id id client_order_id trx symbol_id trade_setting_id seconds direction stake profit_basis_points
  rule_version entry_seq entry_price entry_time_ms entry_source opened_ms expires_ms head_seq
  received_ms terms_n max_tick_age_ms entry_ref evidence`

/** The tables that hold prices, terms, orders, results and money. */
export const BOOKS: Readonly<Record<string, Book>> = {
  tick_batch: {
    about: 'prices as their source reported them, chained',
    columns: 'first_seq last_seq first_time_ms last_time_ms written_ms payload previous_hash hash form is_late',
    writers: ['insert src/server/market-data/tick-log/tick-batch.queries.ts'],
  },
  tick_pack: {
    about: 'older batches of tick_batch, packed and checked by the database itself',
    columns:
      'first_seq last_seq first_time_ms last_time_ms written_ms previous_hash hash series heads body hashes headers notes',
    writers: [],
  },
  sale_request: {
    about: 'that a user wants to sell an open order back, and for how much at least; never changed',
    columns: 'order_id n user_id client_sale_id requested_ms least terms_n head_seq',
    writers: ['insert src/server/trading/sales/sale-requests.queries.ts'],
  },
  sale_end: {
    about:
      'at which tick a request was carried out and for how much, or why not, by sale-rule.ts; signed, never changed',
    columns: `order_id n user_id reason tick_seq tick_ref received_ms movement left_ms win same stake gross fee paid decided_ms
      head_seq`,
    writers: [`insert ${SELL}`],
  },
  sale_expiry: {
    about:
      'what a sold order would have paid at its expiry, for the public figures; nobody gets it, and it is never changed',
    columns: 'order_id n payment noted_ms',
    writers: ['insert src/server/trading/sales/sale-expiries.queries.ts'],
  },
  sale_report: {
    about: 'what the daily calibration found; without a fair one nothing is sold',
    columns: 'symbol_id scale made_ms from_ms days prices min_fee is_fair report',
    writers: ['insert src/server/market-data/catalogue/sale-reports.queries.ts'],
  },
  made_good: {
    about: 'what users would have got in addition by the record of a source',
    columns: `symbol_id source expires_ms max_tick_age_ms rule evidence order_id user_id result amount noted_ms due_ms paid_ms`,
    writers: [
      'insert src/server/proof/made-good/made-good.queries.ts',
      'update src/server/proof/made-good/made-good.queries.ts',
    ],
  },
  record_check: {
    about: 'what the public record of a source said about an expiry, twice; a confirmed reading never changes',
    columns: `symbol_id source expires_ms max_tick_age_ms rule evidence noted_ms asked_ms first_ms first_reading read_ms reading
      closed_ms`,
    writers: [
      'insert src/server/proof/records/record-checks.queries.ts',
      'update src/server/proof/records/record-checks.queries.ts',
    ],
  },
  candle: {
    about: 'folded from ticks, for charts; nothing is settled by them',
    columns: 'symbol_id interval open_ms open high low close volume',
    writers: [
      'insert src/server/market-data/candles/candle.queries.ts',
      'delete src/server/market-data/candles/candle.queries.ts',
    ],
  },
  provider_candle: {
    about: 'candles of sources, for charts; nothing is settled by them',
    columns: 'symbol_id interval open_ms open high low close volume source fetched_ms',
    writers: ['insert src/server/market-data/feeds/multi-source/history/provider-candles.queries.ts'],
  },
  settlement_price: {
    about: 'the tick that settles a symbol and expiry, for all orders at once, by rule-1.ts',
    columns: `symbol_id expires_ms exit_seq exit_price exit_time_ms next_seq next_price next_time_ms watermark_ms
      void_reason decided_ms head_seq max_tick_age_ms`,
    writers: ['insert src/server/trading/engine/settlement-prices.queries.ts', SEED],
  },
  decided_price: {
    about: 'the same by rule-2.ts, from the trades of the source on which the orders began',
    columns: `symbol_id source expires_ms max_tick_age_ms rule evidence exit_seq exit_price exit_time_ms exit_ref next_seq
      next_price next_time_ms next_ref since_seq watermark_ms void_reason is_late decided_ms head_seq`,
    writers: ['insert src/server/trading/engine/decided-prices.queries.ts'],
  },
  history_question: {
    about: 'what the record of a source answered about an expiry that the tick log cannot decide',
    columns: `symbol_id source expires_ms first_requested_ms last_requested_ms differs_since_ms outcome newest_ref
      covered_until_ms`,
    writers: ['insert src/server/trading/evidence/history-question.queries.ts'],
  },
  open_order: {
    about:
      'as it was accepted, by place-order.ts; gone when settled or sold. Only the number of the request to sell it changes',
    columns: `${ORDER} selling`,
    writers: [
      `insert ${ACCEPT}`,
      `delete ${SETTLE}`,
      `delete ${SELL}`,
      `update ${SELL}`,
      'update src/server/trading/sales/sale-requests.queries.ts',
      SEED,
    ],
  },
  order_history: {
    about: 'as it was settled, by settle-order.ts, or sold back, by sale-rule.ts',
    columns: `${ORDER} result result_amount balance_after exit_seq exit_price exit_time_ms void_reason settled_ms
      result_number`,
    writers: [`insert ${SETTLE}`, `insert ${SELL}`, SEED],
  },
  result_seen: {
    about: 'which of their results a user has seen, by the numbers of those',
    columns: 'user_id until_number beyond',
    writers: ['insert src/server/sockets/live.queries.ts'],
  },
  transfer: {
    about: 'every movement of money',
    columns: 'user_id ref step kind from_account to_account currency amount created_ms',
    writers: [
      `insert ${ACCEPT}`,
      `insert ${SETTLE}`,
      `insert ${SELL}`,
      'insert src/server/ledger/post-transfers.ts',
      SEED,
    ],
  },
  balance: {
    about: 'the sums of transfers, checked every minute, and what the user may do, kept by the database',
    columns: `user_id currency cash staked withdrawing credits open_orders results may_trade verified trade_reason max_stake
      max_stake_reason max_open_stake max_open_stake_reason net_total stake_total self_rules self_stake_max loss_day
      loss_week loss_month staked_day staked_week staked_month closed_until_ms`,
    writers: [
      'update src/server/trading/engine/accept-whole-users.queries.ts',
      'update src/server/trading/engine/accept.queries.ts',
      `update ${SETTLE}`,
      `update ${SELL}`,
      'update src/server/ledger/post-transfers.ts',
      'insert src/server/ledger/open-balance.ts',
      SEED,
    ],
  },
  user_measure: {
    about: 'what staff set against one user, with a reason that the user reads; only its end is written later',
    columns: 'id user_id kind value reason since_ms until_ms asked_by second_by ended_ms was_ahead',
    writers: [
      'insert src/server/users/accounts/measures.queries.ts',
      'update src/server/users/accounts/measures.queries.ts',
    ],
  },
  trade_setting: {
    about: 'the seconds of each duration, fixed for ever; its other columns are history and not read',
    columns: 'id seconds unit min_amount max_amount is_offered version',
    writers: ['insert src/server/seed/seed-terms.ts', 'insert src/server/market-data/catalogue/terms.queries.ts'],
  },
  payout_version: {
    about: 'payouts before the history of the terms; copied into it, and not read',
    columns: 'trade_setting_id version profit_basis_points applies_from_ms announced_ms who',
    writers: [],
  },
  terms_entry: {
    about:
      'the trade terms of new orders, for everyone: announced with a notice that the database checks, never edited',
    columns: 'n kind subject value announced_ms applies_ms text hash',
    writers: ['insert src/server/market-data/catalogue/terms.queries.ts'],
  },
  stock_split: {
    about: 'stock splits, shipped or announced, never edited; orders across one are refused, no price changes',
    columns: 'symbol_id trading_day version new_shares old_shares effective_ms announced_ms source who',
    writers: ['insert src/server/market-data/catalogue/announce-split.ts', 'insert src/server/seed/seed-splits.ts'],
  },
  tick_age_before: {
    about: 'limits on the age of prices before the history of the terms; copied into it, and not read',
    columns: 'symbol_id until_ms max_tick_age_ms',
    writers: [],
  },
}

/** Sources whose SQL takes a table name from a variable. They only read. */
export const NAME_TABLES_BY_VARIABLE: readonly string[] = [
  'src/server/back-office/dashboard/summary.queries.ts',
  'src/server/back-office/find/find.queries.ts',
  'src/server/back-office/orders/orders.queries.ts',
  'src/server/back-office/users/users.queries.ts',
  'src/server/site/own-data/account-files.ts',
]
