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

/** Changing calls (`call`), and fields of such calls and of app socket messages (`call.field`). */
export const SAID_OF_CALLS: Readonly<Record<string, string>> = {
  'socket newTrade.strikePrice': 'the price the client showed; a large difference only refuses the order',
  'socket newTrade.maxSlippage': 'how much the price may have moved before the user wants the order refused',
  'socket newTrade.profitPercentage': 'the payout the client showed; when another is in force the order is refused',
  'setAlert.percent': 'how far a price moves until its user is told; no order and no result reads it',
  'setAlert.expires_at': 'until when an alert of a user runs',
  'changeAlert.percent': 'how far a price moves until its user is told; no order and no result reads it',
  'changeAlert.expires_at': 'until when an alert of a user runs',
  staffAnnounceSplit:
    'that a company splits its stock, after a notice: it refuses orders across the day and puts figures that compare on one basis; no tick and no result changes',
  'staffAskRecovery.lost': 'which factors of the account the user lost, such as the PIN; nothing about orders',
  'staffAddSymbol.max_tick_age_ms': 'how old a price of the symbol may be, for everyone',
  'staffCreateGateway.fixed_charge':
    'of a way in or out, the same for everyone; what was asked for before keeps its own',
  'staffCreateGateway.percent_charge':
    'of a way in or out, the same for everyone; what was asked for before keeps its own',
  'staffCreateGateway.rate': 'of a way in or out, the same for everyone; what was asked for before keeps its own',
  'staffSaveGateway.fixed_charge': 'of a way in or out, the same for everyone; what was asked for before keeps its own',
  'staffSaveGateway.percent_charge':
    'of a way in or out, the same for everyone; what was asked for before keeps its own',
  'staffSaveGateway.rate': 'of a way in or out, the same for everyone; what was asked for before keeps its own',
  'saveDrawings.price': 'where a line stands that a user drew on the chart; it has no effect on orders',
  tradeResult: 'asks for the result of an own order; it is a POST because the specification says so',
  'tradeResult.price': 'sent by clients of the specification, and not read',
  latestTrades: 'shows the newest orders, names masked; a POST because the specification says so',
  'latestTrades.price': 'sent by clients of the specification, and not read',
  'makeKey.max_stake': 'how much one order of a program may put at risk, as its owner wants; it can only refuse one',
  'makeKey.max_stake_day': 'the same for all orders of a day',
  'staffSetLimits.max_stake': 'how much one user may put on a new order; it can only refuse one',
  'staffSetLimits.max_open_stake': 'how much one user may have in open orders; it can only refuse a new one',
}

/** Options and arguments of operator commands, and permissions. */
export const SAID_OF_COMMANDS: Readonly<Record<string, string>> = {}

/** Settings of the site. */
export const SAID_OF_SETTINGS: Readonly<Record<string, string>> = {
  rate_jump_percent: 'how far the rate of a gateway may move by one person; orders know nothing of gateways',
  display_rates: 'units per dollar by currency, to show balances in; no amount is computed with them',
  display_rates_as_of: 'when those were set',
}

/** Columns of all tables that are not listed below. */
export const SAID_OF_COLUMNS: Readonly<Record<string, string>> = {
  'account_recovery.lost': 'which factors of the account the user lost, such as the PIN',
  'admin_action.outcome': 'whether a member of staff did it or was refused',
  'admin_action.target': 'what it was done to',
  'app_user.max_stake': 'how much a user may put on a new order; it can only refuse one',
  'app_user.max_open_stake': 'how much a user may have in open orders; it can only refuse a new one',
  'app_user.max_stake_reason': 'why there is such a limit, as its user reads it',
  'app_user.max_open_stake_reason': 'likewise',
  'attempt.window_start_ms': 'since when wrong passwords are counted',
  content_entry: 'a page, a post, a banner, an answer',
  'day_total.result': 'what the house made in a day, added up from settled orders for the dashboard',
  'api_key.max_stake': 'how much one order of a program may put at risk, as its owner wants; it can only refuse one',
  'api_key.max_stake_day': 'the same for all orders of a day',
  'api_key.expires_ms': 'until when a program may use a key',
  'key_order.stake': 'how much of the limits of its key an order takes; the order itself is in its own table',
  'alert_mark.last_ticks': 'how far the tick log was read for the alerts of users',
  price_alert: 'prices that a user wants to be told of; no order and no result reads it',
  'price_alert.basis_price': 'the newest price when a user set an alert; the rule of the alert alone reads it',
  'price_alert.fired_price': 'the price that a user is told of; the rule of the alert alone reads it',
  'price_alert.expires_ms': 'until when an alert of a user runs',
  'data_export.expires_ms': 'until when a user may download a copy of own data',
  'deposit.fixed_charge': 'as quoted to the user who pays in',
  'deposit.percent_charge': 'as quoted to the user who pays in',
  'deposit.rate_millionths': 'as quoted to the user who pays in',
  'register_cosignature.seconds': 'when a witness signed a state of the register',
  register_entry: 'what was published, in the order in which it was',
  'register_witness.every_seconds': 'how often a witness of the register is asked',
  'fairness_line.seconds': 'which closed orders of a day are counted together for the fairness page',
  'fairness_line.profit_basis_points': 'likewise',
  'fairness_line.wins': 'how many of them were won, for the fairness page',
  'fairness_line.losses': 'how many were lost, likewise',
  'fairness_user.result': 'what a user’s orders of a day came to, added up from closed orders for the fairness page',
  'gateway.fixed_charge': 'the same for everyone who pays in or out this way',
  'gateway.percent_charge_basis_points': 'the same for everyone who pays in or out this way',
  'gateway.rate_millionths': 'the same for everyone who pays in or out this way',
  'ledger_order_sum.staked':
    'what a user’s orders that ended have staked in all, added up for the check of the books, and read by nothing else',
  'ledger_order_sum.won': 'what they won in all, likewise',
  'ledger_order_sum.lost': 'what they lost in all, likewise',
  'liability_account.staked':
    'what stood in open orders when the day’s proof of what is owed was taken; a copy, read by proofs only',
  'market_symbol.max_tick_age_ms': 'history: copied into the terms of the symbol, and not read',
  'one_time_code.expires_ms': 'of a code that was sent',
  'password_reset.code_expires_ms': 'of a code that was sent',
  'password_reset.expires_ms': 'of the link beside it',
  price_gap: 'when the prices of a symbol were missed: a mark in charts, for everyone',
  tick_hole: 'when the log may lack prices of a symbol: a mark in charts, for everyone',
  'limit_mark.stake_total':
    'what orders that ended had staked in all at a time, for limits that a user sets; it can only refuse a new order',
  'reality_session.staked':
    'what orders of a user’s session staked in all, for the reality check; it can only hold back a new order',
  'self_limit_change.direction': 'whether a limit that a user sets becomes tighter or looser',
  'self_limit_change_end.outcome': 'whether the user confirmed or dropped such a change',
  'session.expires_ms': 'of a sign-in',
  'user_ticket.expires_ms': 'of a sign-in that waits for its second step',
  'gateway_past.rate_millionths': 'the past of what a deposit is counted at, the same for everyone; only added to',
  'staff_session.expires_ms': 'of a sign-in',
  'staff_ticket.expires_ms': 'of an invitation',
  tick_stream: 'how far the server that writes the prices has heard each symbol, for the other servers',
  text_override: 'words of ours that the operator has changed',
  'withdrawal.fixed_charge': 'as quoted to the user who is paid out',
  'withdrawal.percent_charge': 'as quoted to the user who is paid out',
  'withdrawal.rate_millionths': 'as quoted to the user who is paid out',
  record_audit: 'decided prices that were compared with the record of their source; only counts of it are read',
  'record_audit.expires_ms': 'which expiry that is',
  'record_audit.max_tick_age_ms': 'of which orders',
  void_stand: 'how void orders would have ended, for the fairness page; it pays nothing',
  'void_stand.expires_ms': 'which void expiry that is',
  'void_stand.would_win': 'how many of its orders would have won',
  'void_stand.would_lose': 'how many would have lost',
  'void_stand.would_draw': 'how many would have been draws',
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
    about:
      'older batches of tick_batch, packed by the database itself, which checks that they come out as they went in',
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
      'at which tick of the log a request was carried out and for how much, or why not, by sale-rule.ts from the log alone; signed, and never changed',
    columns: `order_id n user_id reason tick_seq tick_ref received_ms movement left_ms win same stake gross fee paid decided_ms
      head_seq`,
    writers: [`insert ${SELL}`],
  },
  sale_report: {
    about:
      'what the daily calibration found on the own log; without a fair one nothing is sold, and no price is computed from it',
    columns: 'symbol_id scale made_ms from_ms days prices min_fee is_fair report',
    writers: ['insert src/server/market-data/catalogue/sale-reports.queries.ts'],
  },
  made_good: {
    about: 'what users would have got in addition by the public record of a source; only the two jobs write it',
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
    about: 'what sources say of the past, for charts where we have no candle of our own; nothing is settled by them',
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
    about: 'the same from rule 2 on, by the trades of the source on which the orders began, by rule-2.ts',
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
      'as it was taken, by place-order.ts; gone when it is settled or sold. Only the number of the request to sell it changes',
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
    about:
      'the sums of those, checked every minute; beside them what the account and its user say that the user may do, kept by the database',
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
    about:
      'what staff set against one user, each with a reason that the user reads; begun once, and only its end is written later',
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
      'the trade terms of new orders, for everyone alike: announced beforehand with a notice that the database checks, never edited',
    columns: 'n kind subject value announced_ms applies_ms text hash',
    writers: ['insert src/server/market-data/catalogue/terms.queries.ts'],
  },
  stock_split: {
    about:
      'splits of companies, shipped or announced to everyone beforehand; never edited. Orders across one are refused; no price is changed and nothing is settled by it',
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
  'src/server/back-office/orders/orders.queries.ts',
  'src/server/site/own-data/account-files.ts',
]
