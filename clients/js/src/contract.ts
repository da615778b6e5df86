// Written by `npm run client:types` from the contract. Do not edit.

/** Plain decimal text, such as `94000.5`. */
export type Decimal = string

/** Amounts and prices: a number of this name in a reply or message becomes text. */
export const DECIMAL_NAMES: readonly string[] = [
  'amount',
  'average_stake',
  'balance',
  'best',
  'bonus',
  'c',
  'cash',
  'charges',
  'closing',
  'corrections',
  'deposits',
  'fee',
  'granted',
  'gross',
  'high',
  'kept_by_users',
  'least',
  'level',
  'lost',
  'low',
  'max_amount',
  'max_stake',
  'median_stake',
  'min_amount',
  'missed_by_users',
  'most',
  'net',
  'open',
  'open_hkt',
  'open_stake',
  'open_utc',
  'opening',
  'paid',
  'post_trade_price',
  'price',
  'price_was',
  'received',
  'result_amount',
  'stake',
  'staked',
  'total',
  'trade_price',
  'used',
  'user_balance',
  'value',
  'withdrawals',
  'won',
  'worst',
]

/** The calls that a key can make. */
export interface Calls {
  /** Site settings, the mode and the server clock. Scope: `read`. */
  'GET /user/general-setting': { input: object; reply: { data: { default_language: string; invitation_code_status: 0 | 1; site_name: string; deposit_feature: 0 | 1; deposit_reason: string; logo_url: string; favicon_url: string; mode: 'demo' | 'live'; server_time: number; operating_since: string; outbox: boolean; withdrawal_pause_hours: number; languages: string[]; announcements?: string; maintenance?: { from: number; to: number | null; words: string }; minimum_ages: Record<string, number>; changed_texts: number; text_versions?: Record<string, string> }; message?: string } }
  /** The texts of a language that the operator changed. Browsers cache the reply by its ETag. Scope: `read`. */
  'GET /user/texts/{language}': { input: { params: { language: string } }; reply: { data: { version: string; texts: Record<string, Record<string, string>> }; message?: string } }
  /** The countries from which users can sign up, with their dialling codes, by name. Scope: `read`. */
  'GET /user/countries': { input: object; reply: { data: { countries: { countryCode: string; country: string; dialCode: string }[] }; message?: string } }
  /** The approximate value of one unit of the base currency in each display currency. For display only. Scope: `read`. */
  'GET /user/display-rates': { input: object; reply: { data: { base: string; rates: ({ currency: 'USD' | 'CNY' | 'RUB' | 'JPY' | 'EUR' | 'THB' | 'VND' | 'IDR' | 'PHP' | 'INR' | 'ARS' | 'SAR' | 'TRY' | 'AED' | 'IQD'; rate: number; source: 'market' | 'indicative' })[]; indicative_as_of: string }; message?: string } }
  /** The key that makes this call: what it may do, its end, its limits and the balance. Scope: `read`. */
  'GET /user/key': { input: object; reply: { data: { id: string; name: string; scope: 'read' | 'trade'; account: 'demo' | 'live'; expires_at: string; balance: Decimal; limits: { read: { per_second: number; burst: number }; trade: { per_second: number; burst: number }; max_stake: Decimal | null; stake_day: { value: Decimal | null; used: Decimal }; open_orders: { value: Decimal | null; used: Decimal } } }; message?: string } }
  /** The price alerts of the user: all that run, and the newest others. An alert only tells; it places no order. Scope: `read`. */
  'GET /user/alerts': { input: object; reply: { data: { alerts: ({ id: string; symbol: string; decimals: number; kind: 'above' | 'below' | 'move'; level: Decimal | null; percent: number | null; basis: { price: Decimal; q: number }; repeats: boolean; cool_minutes: number; expires_at: string; note: string; state: 'running' | 'cooling' | 'fired' | 'expired' | 'ended'; fired: { q: number; price: Decimal; time_ms: number; previous_q: number } | null; created_at: string; version: number })[]; left: number }; message?: string } }
  /** All listed symbols with prices, the trade settings and the market status. Scope: `read`. */
  'GET /user/crypto-currency/list': { input: object; reply: { data: { trade_settings: ({ id: number; time: number; unit: 'minute' | 'hour' | 'day'; min_amount: Decimal; max_amount: Decimal; profit_percentage: number; changes: ({ what: 'duration' | 'payout' | 'min_stake' | 'max_stake'; value: string; applies_at: number })[] })[]; prices: { amount: Decimal }[]; trading_profit: number; currencies: ({ id: number; name: string; symbol: string; product_id: string; market_type: 'crypto' | 'us_stocks' | 'us_fx'; decimals: number; isFavorite: boolean; is_featured: boolean; image: string; color: string; price: Decimal | null; change: number | null; open: Decimal | null; open_hkt: Decimal | null; open_utc: Decimal | null; high: Decimal | null; low: Decimal | null; volume: number | null; lastTickTime: number | null; spark: (number | null)[]; is_open: boolean; max_tick_age_ms: number; closed_reason: string | null; has_record: boolean; splits: { new_shares: number; old_shares: number; applies_at: number }[] })[]; market_status: { crypto: boolean; us_stocks: boolean; us_fx: boolean }; market_hours: Record<string, { opens_at: number | null; closes_at: number | null; reason: string | null }>; trade_status: 0 | 1; trade_reason: string; image_path: string }; message?: string } }
  /** The caller's favourites, in the same form as all symbols. Scope: `read`. */
  'GET /user/crypto-currency/list/favorites': { input: object; reply: { data: { trade_settings: ({ id: number; time: number; unit: 'minute' | 'hour' | 'day'; min_amount: Decimal; max_amount: Decimal; profit_percentage: number; changes: ({ what: 'duration' | 'payout' | 'min_stake' | 'max_stake'; value: string; applies_at: number })[] })[]; prices: { amount: Decimal }[]; trading_profit: number; currencies: ({ id: number; name: string; symbol: string; product_id: string; market_type: 'crypto' | 'us_stocks' | 'us_fx'; decimals: number; isFavorite: boolean; is_featured: boolean; image: string; color: string; price: Decimal | null; change: number | null; open: Decimal | null; open_hkt: Decimal | null; open_utc: Decimal | null; high: Decimal | null; low: Decimal | null; volume: number | null; lastTickTime: number | null; spark: (number | null)[]; is_open: boolean; max_tick_age_ms: number; closed_reason: string | null; has_record: boolean; splits: { new_shares: number; old_shares: number; applies_at: number }[] })[]; market_status: { crypto: boolean; us_stocks: boolean; us_fx: boolean }; market_hours: Record<string, { opens_at: number | null; closes_at: number | null; reason: string | null }>; trade_status: 0 | 1; trade_reason: string; image_path: string }; message?: string } }
  /** Candles, ascending; the last one is still open unless `endTime` lies in the past. Scope: `read`. */
  'POST /user/kline-historical': { input: { body: { symbol: string; interval: '1m' | '5m' | '30m' | '1h' | '1d'; limit?: number; endTime?: number } }; reply: { data: [number, number, number, number, number, number][]; message?: string; meta?: { provider: [number, number, string][]; partial: number[]; incomplete?: boolean } } }
  /** A page of closed candles: page n has the 500 bars from n × 500 × interval after 1970. Cache it by its ETag, which changes only when a hole in the page is filled. Scope: `read`. */
  'GET /candles/{product}/{interval}/{page}': { input: { params: { product: string; interval: '1m' | '5m' | '30m' | '1h' | '1d'; page: string } }; reply: { data: [number, number, number, number, number, number][]; message?: string; meta?: { provider: [number, number, string][]; partial: number[]; incomplete?: boolean } } }
  /** The ticks of the last seconds, ascending; above 5,000 only the newest tick of each second. Scope: `read`. */
  'POST /user/recent-ticks': { input: { body: { symbol: string; seconds: number } }; reply: { data: [number, number, number][]; message?: string; meta?: { max_tick_age_ms: number; thinned: boolean } } }
  /** The signed receipts of an order: of its acceptance and of its result. They name no user and no stake. Scope: `read`. */
  'GET /proof/receipts/{trx}': { input: { params: { trx: string } }; reply: { data: { accepted: { format: 'fairwick-receipt'; version: 1; facts: string; path: ({ side: 'left' | 'right'; hash: string })[]; signature: string; owner?: string; sale_owner?: string }; result: { format: 'fairwick-receipt'; version: 1; facts: string; path: ({ side: 'left' | 'right'; hash: string })[]; signature: string; owner?: string; sale_owner?: string } | null; amended: { format: 'fairwick-receipt'; version: 1; facts: string; path: ({ side: 'left' | 'right'; hash: string })[]; signature: string; owner?: string; sale_owner?: string } | null; sale: { format: 'fairwick-receipt'; version: 1; facts: string; path: ({ side: 'left' | 'right'; hash: string })[]; signature: string; owner?: string; sale_owner?: string } | null }; message?: string } }
  /** The parts of the tick log from which an order can be recomputed, and the prices between them for drawing. Scope: `read`. */
  'GET /proof/evidence/{trx}': { input: { params: { trx: string } }; reply: { data: { entry_log: { first_seq: number; last_seq: number; previous_hash: string; hash: string; payload: string }[]; exit_log: { first_seq: number; last_seq: number; previous_hash: string; hash: string; payload: string }[]; terms: string[]; sources: string[]; next: { q: number; price: Decimal; time_ms: number } | null; line: { q: number; price: Decimal; time_ms: number }[] }; message?: string } }
  /** All public keys that ever signed receipts, as JWKs. Scope: `read`. */
  'GET /proof/keys': { input: object; reply: { data: { keys: ({ kty: 'OKP'; crv: 'Ed25519'; alg: 'EdDSA'; use: 'sig'; kid: string; x: string; from_ms: number; retired_ms: number | null })[] }; message?: string } }
  /** The hash at the end of each past day of the tick log, newest first. Scope: `read`. */
  'GET /proof/heads': { input: object; reply: { data: { days: { day: string; first_seq: number; last_seq: number; previous_hash: string; hash: string; is_kept: boolean }[] }; message?: string } }
  /** The register of everything that was published: its name, keys, newest state and witnesses. Scope: `read`. */
  'GET /proof/register': { input: object; reply: { data: { origin: string; mode: 'demo' | 'live'; keys: { verifier_key: string; is_retired: boolean }[]; newest: { size: number; root: string; at: string } | null; halted_since: string | null; witnesses: ({ name: string; verifier_key: string; run_by: string; is_ours: boolean; size: number | null; at: string | null })[] }; message?: string } }
  /** The proofs that the register holds the receipts of an order. Scope: `read`. */
  'GET /proof/receipts/{trx}/register': { input: { params: { trx: string } }; reply: { data: { accepted: { index: number; text: string; batch_path: ({ side: 'left' | 'right'; hash: string })[]; path: string[]; note: string } | null; result: { index: number; text: string; batch_path: ({ side: 'left' | 'right'; hash: string })[]; path: string[]; note: string } | null; amended: { index: number; text: string; batch_path: ({ side: 'left' | 'right'; hash: string })[]; path: string[]; note: string } | null; sale: { index: number; text: string; batch_path: ({ side: 'left' | 'right'; hash: string })[]; path: string[]; note: string } | null }; message?: string } }
  /** The signed receipts of the steps of a deposit, a withdrawal or an adjustment. Only its user gets amount and destination. Scope: `read`. */
  'GET /proof/money/{trx}': { input: { params: { trx: string } }; reply: { data: { receipts: ({ format: 'fairwick-receipt'; version: 1; facts: string; path: ({ side: 'left' | 'right'; hash: string })[]; signature: string; owner?: string; sale_owner?: string })[]; proofs: ({ index: number; text: string; batch_path: ({ side: 'left' | 'right'; hash: string })[]; path: string[]; note: string } | null)[] }; message?: string } }
  /** The roots of the receipt batches that an entry of the register sums up. A receipt under none of them is not in that entry. Scope: `read`. */
  'GET /proof/register/batches/{index}': { input: { params: { index: number } }; reply: { data: { roots: string[] }; message?: string } }
  /** The proof that an older state of the register is the beginning of a newer one (RFC 6962, section 2.1.2). Scope: `read`. */
  'GET /proof/register/consistency': { input: { query?: { from?: number; to?: number } }; reply: { data: { hashes: string[] }; message?: string } }
  /** Where prices come from: the configuration in force, all changes of it, and the certificates of the hosts. Scope: `read`. */
  'GET /proof/sources': { input: object; reply: { data: { in_force: { number: number; hash: string; seen_at: string; applies_at: string; text: string } | null; versions: { number: number; hash: string; seen_at: string; applies_at: string }[]; clock: { at: string; error_ms: number | null; clocks: ({ source: string; low_ms: number | null; high_ms: number | null })[] } | null; peers: { host: string; spki_sha256: string; issuer: string; subject: string; not_after: string; first_at: string; last_at: string; count: number }[] }; message?: string } }
  /** One configuration of the price sources. Scope: `read`. */
  'GET /proof/sources/{number}': { input: { params: { number: string } }; reply: { data: { number: number; hash: string; seen_at: string; applies_at: string; text: string }; message?: string } }
  /** Times with missing or suspect prices, and the number of orders refunded because of them, newest first. Scope: `read`. */
  'GET /proof/incidents': { input: { query?: { before?: string; symbol?: string } }; reply: { data: { incidents: ({ id: string; kind: 'void' | 'gap' | 'feed'; cause: 'no_tick_before_expiry' | 'no_price_after_expiry' | 'no_trade_before_expiry' | 'history_unavailable' | 'history_contradicts' | 'prices_missed' | 'outage' | 'silent' | 'late' | 'refused' | 'divergence' | 'spike' | 'switched' | 'lost'; symbol: string | null; source: string | null; from_ms: number; to_ms: number | null; orders_refunded: number | null })[]; next: string | null }; message?: string } }
  /** All announced trade terms, newest first. Its ETag is the hash of the newest one. Scope: `read`. */
  'GET /proof/terms': { input: { query?: { before?: number; limit?: number } }; reply: { data: { entries: { text: string; hash: string }[]; next: number | null }; message?: string } }
  /** The caps in force, and how many orders they refused in the last 30 days. How full a cap is stays private. Scope: `read`. */
  'GET /proof/caps': { input: object; reply: { data: { caps: ({ scope: 'expiry' | 'symbol' | 'market' | 'site'; key: string; most: Decimal; since: string })[]; refused: ({ day: string; symbol: string; direction: 'buy' | 'sell'; orders: number })[] }; message?: string } }
  /** How many accounts have measures against them, and how many of these were ahead when the measure began. Scope: `read`. */
  'GET /proof/measures': { input: object; reply: { data: { kinds: ({ kind: 'trade_off' | 'stake_limit' | 'open_limit' | 'withdrawals_off' | 'sign_in_off'; accounts: number; accounts_90_days: number; ahead: number })[]; all: { users: number; ahead: number } | null }; message?: string } }
  /** How long deposits and withdrawals of users took, how many were rejected, and how many wait. Automatic credits and bots are left out. Scope: `read`. */
  'GET /proof/service-levels': { input: object; reply: { data: { deposits: { windows: ({ days: 7 | 30 | 90; done: number; median_ms: number | null; p90_ms: number | null; rejected: number; rejected_by: Record<string, number>; cancelled: number })[]; waiting: { count: number; oldest_ms: number | null; over_24h: { count: number; sum: number }; over_72h: { count: number; sum: number }; over_7d: { count: number; sum: number } } }; withdrawals: { windows: ({ days: 7 | 30 | 90; done: number; median_ms: number | null; p90_ms: number | null; rejected: number; rejected_by: Record<string, number>; cancelled: number })[]; waiting: { count: number; oldest_ms: number | null; over_24h: { count: number; sum: number }; over_72h: { count: number; sum: number }; over_7d: { count: number; sum: number } } } }; message?: string } }
  /** How many people decide here, who admitted them, and what they changed in 90 days. No names. Scope: `read`. */
  'GET /proof/people': { input: object; reply: { data: { approvers: number; admitted_by_two: number; admitted_by_one: number; single_operator: boolean; changes: Record<string, number>; same_place: number; one_admitted_the_other: number; one_operator: number }; message?: string } }
  /** The past and future changes of the operator, newest first, as they are in the register. Scope: `read`. */
  'GET /proof/acts': { input: { query?: { before?: number; limit?: number } }; reply: { data: { acts: { index: number; text: string }[]; next: number | null }; message?: string } }
  /** Every text of the app that the operator changed, in all languages, beside the original. Scope: `read`. */
  'GET /proof/texts': { input: object; reply: { data: { texts: { language: string; key: string; ours: string; theirs: string; since: string }[] }; message?: string } }
  /** The newest orders of all users on one symbol, with masked names. `price` is accepted and ignored. Scope: `read`. */
  'POST /user/latest_trades': { input: { body: { currency: string | number; price?: number | string | null; count?: number } }; reply: { data: { trades: ({ id: string; user: string; is_bot: boolean; price: Decimal; time: number; unit: 'minute' | 'hour' | 'day'; direction: 1 | 2; opened_at: string })[]; older_id: string | null }; message?: string } }
  /** All open orders of the caller and the 50 orders that settled last, latest opening first. Scope: `read`. */
  'GET /user/trade-log/recent': { input: { query?: { account?: 'live' | 'practice' } }; reply: { data: { trades: ({ id: string; trx: string; clientOrderId: string; symbol: string; decimals: number; market_type: 'crypto' | 'us_stocks' | 'us_fx'; high_low: 1 | 2; amount: Decimal; profit_percentage: number; trade_setting: { time: number; unit: 'minute' | 'hour' | 'day' }; opened_at: string; expires_at: string; price_was: Decimal; entry: { q: number; time_ms: number }; post_trade_price: Decimal | null; result: 0 | 1 | 2 | 3 | 5; result_amount: Decimal | null; void_reason: string | null; rule_version: number; awaiting_record: string | null })[] }; message?: string } }
  /** An own order with the ticks that decide it. Unknown parts are null. Scope: `read`. */
  'GET /user/trade/{id}': { input: { params: { id: string }; query?: { account?: 'live' | 'practice' } }; reply: { data: { trade: { id: string; trx: string; clientOrderId: string; symbol: string; decimals: number; market_type: 'crypto' | 'us_stocks' | 'us_fx'; high_low: 1 | 2; amount: Decimal; profit_percentage: number; trade_setting: { time: number; unit: 'minute' | 'hour' | 'day' }; opened_at: string; expires_at: string; price_was: Decimal; entry: { q: number; time_ms: number }; post_trade_price: Decimal | null; result: 0 | 1 | 2 | 3 | 5; result_amount: Decimal | null; void_reason: string | null; rule_version: number; awaiting_record: string | null }; ticks: { entry: { q: number; price: Decimal; time_ms: number; source: string }; exit: { q: number; price: Decimal; time_ms: number; source: string } | null; next: { q: number; price: Decimal; time_ms: number; source: string } | null; around: { q: number; price: Decimal; time_ms: number; source: string }[] } }; message?: string } }
  /** Ticks around an own order, for drawing: at most ten minutes, from shortly before the order to shortly after its expiry. Scope: `read`. */
  'GET /user/trade/{id}/ticks': { input: { params: { id: string }; query?: { account?: 'live' | 'practice'; from?: number } }; reply: { data: { from_ms: number; through_ms: number; ticks: { time_ms: number; price: Decimal }[] }; message?: string } }
  /** The stored result of an own order, at an older path. A price in the request is ignored. Scope: `read`. */
  'POST /user/trade/result': { input: { body: { game_log_id: string; price?: unknown; account?: 'live' | 'practice' } }; reply: { data: { trade: { id: string; trx: string; clientOrderId: string; symbol: string; decimals: number; market_type: 'crypto' | 'us_stocks' | 'us_fx'; high_low: 1 | 2; amount: Decimal; profit_percentage: number; trade_setting: { time: number; unit: 'minute' | 'hour' | 'day' }; opened_at: string; expires_at: string; price_was: Decimal; entry: { q: number; time_ms: number }; post_trade_price: Decimal | null; result: 0 | 1 | 2 | 3 | 5; result_amount: Decimal | null; void_reason: string | null; rule_version: number; awaiting_record: string | null } }; message?: string } }
  /** The amount that selling an own open order back would bring at the newest price, and the newest request. Not the price of a sale. Scope: `read`. */
  'GET /user/trade/{id}/sale': { input: { params: { id: string }; query?: { account?: 'live' | 'practice' } }; reply: { data: { offer: { gross: Decimal; fee: Decimal; paid: Decimal; win_percent: number; fee_percent: number; left_ms: number } | null; why_not: 'sale_off' | 'sale_not_now' | 'sale_pause' | 'price_stale' | 'sale_unsure' | 'sale_after_jump' | 'sale_no_value' | 'sale_running' | null; request: { clientSaleId: string; requested_ms: number; least: Decimal; state: 'selling' | 'sold' | 'lapsed'; reason: 'sale_no_price' | 'sale_pause' | 'sale_unsure' | 'sale_after_jump' | 'sale_no_value' | 'sale_below_least' | null } | null }; message?: string } }
  /** Requests to sell an own open order back. The server sells it at the first price more than a second later, if it then brings `least`. Scope: `trade`. */
  'POST /user/trade/{id}/sell': { input: { params: { id: string }; body: { least: number | string; clientSaleId: string; account?: 'live' | 'practice' } }; reply: { data: { request: { clientSaleId: string; requested_ms: number; least: Decimal; state: 'selling' | 'sold' | 'lapsed'; reason: 'sale_no_price' | 'sale_pause' | 'sale_unsure' | 'sale_after_jump' | 'sale_no_value' | 'sale_below_least' | null } }; message?: string } }
  /** How many payments the operator made out of goodwill. They change no result. Scope: `read`. */
  'GET /proof/goodwill': { input: object; reply: { data: { payments: number; payments_90_days: number }; message?: string } }
  /** The caller's open orders, the next to expire first. Scope: `read`. */
  'GET /user/transactions/pending': { input: { query?: { page?: number; per_page?: number; account?: 'live' | 'practice' } }; reply: { data: { transactions: ({ id: string; trx: string; amount: Decimal; updated_at: string; expires_at: string; via?: 'key'; key_name?: string; remainingTime: number; trade_log: { high_low: 1 | 2; crypto_currency: { name: string; symbol: string; market_type: string; decimals: number; color: string }; price_was: Decimal; post_trade_price: Decimal | null; trade_setting: { time: number }; result: 0 | 1 | 2 | 3 | 5; result_amount: Decimal | null; profitCame: number; void_reason: string | null; made_good: { amount: Decimal; at: string } | null } })[] }; message?: string; meta?: { page?: number; per_page?: number; total?: Decimal; pages?: number } } }
  /** The caller's settled orders, newest first. Scope: `read`. */
  'GET /user/transactions': { input: { query?: { page?: number; per_page?: number; account?: 'live' | 'practice'; outcome?: 'won' | 'lost' | 'draw' | 'void' | 'sold' } }; reply: { data: { transactions: ({ id: string; trx: string; amount: Decimal; updated_at: string; expires_at: string; via?: 'key'; key_name?: string; remainingTime: number; trade_log: { high_low: 1 | 2; crypto_currency: { name: string; symbol: string; market_type: string; decimals: number; color: string }; price_was: Decimal; post_trade_price: Decimal | null; trade_setting: { time: number }; result: 0 | 1 | 2 | 3 | 5; result_amount: Decimal | null; profitCame: number; void_reason: string | null; made_good: { amount: Decimal; at: string } | null } })[] }; message?: string; meta?: { page?: number; per_page?: number; total?: Decimal; pages?: number } } }
  /** The caller's statement of a period of up to 366 days, in order of time. Its sums are compared with the ledger. Scope: `read`. */
  'GET /user/statement': { input: { query: { from: string; to?: string; zone: string; page?: number; per_page?: number } }; reply: { data: { statement: { from_ms: number; to_ms: number; zone: string; currency: string; opening: Decimal; deposits: Decimal; withdrawals: Decimal; charges: Decimal; won: Decimal; lost: Decimal; corrections: Decimal; closing: Decimal; rows: number; first_result: number | null; last_result: number | null; made_at: string }; credits: { received: Decimal; total: Decimal }; rows: ({ n: number; at: string; kind: 'order_win' | 'order_lose' | 'order_draw' | 'order_void' | 'order_sold' | 'make_good' | 'deposit' | 'withdrawal' | 'withdrawal_returned' | 'withdrawal_failed' | 'withdrawal_rejected' | 'withdrawal_cancelled' | 'correction'; reference: string; words: string; amount: Decimal; balance: Decimal; order?: { result_number: number | null; symbol: string; high_low: 1 | 2; stake: Decimal; payout_percent: number; entry: string; exit: string | null; void_reason: string | null } })[] }; message?: string; meta?: { page?: number; per_page?: number; total?: Decimal; pages?: number } } }
  /** The statement as a signed file, which the check page and `npm run check:statement` check. Scope: `read`. */
  'GET /user/statement/signed': { input: { query: { from: string; to?: string; zone: string } }; reply: string }
  /** Figures of the caller's orders that ended in a period. Cached for ten minutes, or until the next result. Scope: `read`. */
  'GET /user/figures': { input: { query: { from?: string; to?: string; zone: string; account?: 'live' | 'practice' } }; reply: { data: { figures: { from: string; to: string; zone: string; orders: number; staked: Decimal; net: Decimal; hit_rate: number | null; break_even: number | null; wins: number; losses: number; draws: number; voids: number; hit_low: number | null; hit_high: number | null; hit_by_stake: number | null; average_stake: Decimal | null; median_stake: Decimal | null; best: Decimal | null; worst: Decimal | null; longest_session_ms: number; deposits: Decimal; withdrawals: Decimal; by_day: ({ day: string; orders: number; staked: Decimal; net: Decimal; hit_rate: number | null; break_even: number | null })[]; by_market: ({ symbol: string; orders: number; staked: Decimal; net: Decimal; hit_rate: number | null; break_even: number | null })[]; by_expiry: ({ seconds: number; orders: number; staked: Decimal; net: Decimal; hit_rate: number | null; break_even: number | null })[]; by_weekday: ({ weekday: number; orders: number; staked: Decimal; net: Decimal; hit_rate: number | null; break_even: number | null })[]; line: [number, number][]; as_of: string; until_number: number } }; message?: string } }
  /** The terms of use in the language of the request: in force, announced, and what the caller agreed to. Scope: `read`. */
  'GET /user/terms': { input: object; reply: { data: { current: { version: number; title: string; text: string; summary: string; sha256: string; from: string; needs_consent: boolean }; upcoming: { version: number; title: string; text: string; summary: string; sha256: string; from: string; needs_consent: boolean } | null; agreed: { version: number; at: string; language: string; sha256: string } | null; needed: boolean; versions: { version: number; from: string }[] }; message?: string } }
  /** One version of the terms of use, also an old one. Scope: `read`. */
  'GET /user/terms/{version}': { input: { params: { version: string } }; reply: { data: { version: number; title: string; text: string; summary: string; sha256: string; from: string; needs_consent: boolean }; message?: string } }
  /** Whether the caller closes the account, what stands in the way of erasing it, and what is kept. Scope: `read`. */
  'GET /user/close': { input: object; reply: { data: { closing: { requested_at: string; erases_at: string } | null; obstacles: { open_orders: number; withdrawals: Decimal; deposits: Decimal; decisions: number; cash: Decimal }; excluded_until: string | null; kept_years: number }; message?: string } }
  /** The caller's practice account. Nothing in it is money. A demo has none: everything is practice there. Scope: `read`. */
  'GET /user/practice': { input: object; reply: { data: { exists: boolean; balance: Decimal; open_orders: number; granted: Decimal; reset_at: string | null; may_reset_at: string | null }; message?: string } }
  /** The information pages and links of the help centre. Scope: `read`. */
  'GET /user/pages': { input: object; reply: { data: { custom_pages: ({ name: string; slug: string; icon: string; content_type: 'page' | 'link'; link: string })[]; image_path: string }; message?: string } }
  /** One information page. Scope: `read`. */
  'GET /user/pages/{slug}': { input: { params: { slug: string } }; reply: { data: { page: { name: string; content: string } }; message?: string } }
  /** News posts, newest first. Scope: `read`. */
  'GET /user/posts': { input: { query?: { page?: number; per_page?: number } }; reply: { data: { posts: { slug: string; title: string; text: string; published_at: string }[] }; message?: string; meta?: { page?: number; per_page?: number; total?: Decimal; pages?: number } } }
  /** One news post. Scope: `read`. */
  'GET /user/posts/{slug}': { input: { params: { slug: string } }; reply: { data: { post: { slug: string; title: string; text: string; published_at: string } }; message?: string } }
  /** The content of the home page: banners, questions, links, and figures of the running system. Scope: `read`. */
  'GET /user/home': { input: object; reply: { data: { banners: { key: string; icon: string; title: string; text: string; link: string }[]; questions: { key: string; title: string; text: string }[]; links: { stream: string; chatroom: string; support: string }; figures: { markets: number; operating_since: string; proofs_since: string; bonus: Decimal; tasks: number } }; message?: string } }
  /** The announcements that are shown now, newest first. Scope: `read`. */
  'GET /user/announcements': { input: object; reply: { data: { announcements: ({ id: string; version: number; tone: 'info' | 'warn'; text: string; link: string; until: string })[] }; message?: string } }
  /** The total owed to all users on each day, with the root of its Merkle-sum tree. Newest day first. Scope: `read`. */
  'GET /proof/liabilities': { input: { query?: { page?: number; per_page?: number } }; reply: { data: { days: { number: number; day: string; taken_at: string; currency: string; leaves: number; total: string; root: string; previous: string; head: string }[]; since: string; next_at: string; kept_days: number; statement: string }; message?: string; meta?: { page?: number; per_page?: number; total?: Decimal; pages?: number } } }
  /** The proof that the amount owed to the caller is part of a day's total. Default: the newest day. Scope: `read`. */
  'GET /user/proof/liabilities': { input: { query?: { day?: string } }; reply: { data: { proof: { format: 'fairwick-liabilities-proof'; version: 1; record: { number: number; day: string; taken_at: string; currency: string; leaves: number; total: string; root: string; previous: string; head: string }; account: { id: string; salt: string; cash: string; staked: string; withdrawing: string }; parts: { amount: string; index: number; siblings: { hash: string; sum: string }[] }[] } | null; next_at: string }; message?: string } }
  /** How orders ended, who lost, how fast orders were accepted, and how late results and withdrawals were. Computed once an hour from stored data. Scope: `read`. */
  'GET /proof/fairness': { input: object; reply: { data: { fairness: { computed_at: string; until: string; least_users: number; expiries: { seconds: number; payout: number; break_even: number }[]; windows: ({ days: number; since: string; groups: ({ who: 'people' | 'bots'; users: number | null; losing_users: number | null; losing_share: number | null; ahead_users: number | null; orders: ({ symbol: string | null; seconds: number | null; payout: number | null; break_even: number | null; wins: number; losses: number; draws: number; voids: number })[]; acceptance: { count: number; median_ms: number; p95_ms: number; p99_ms: number; histogram: ({ up_to_ms: number | null; count: number })[] } | null; not_timed: number | null; lateness: { count: number; median_ms: number; p95_ms: number; p99_ms: number; histogram: ({ up_to_ms: number | null; count: number })[] } | null })[]; sales: { symbol: string; seconds: number; orders: number; paid: Decimal; fee: Decimal; at_expiry: number }[]; withdrawals: { decided: number; median_ms: number; p95_ms: number } | null })[]; pending_withdrawals: { count: number; oldest_ms: number | null; late: number }; queries: ({ figure: 'orders' | 'losing' | 'acceptance' | 'lateness' | 'withdrawals' | 'pending' | 'expiries' | 'sales'; sql: string })[] } | null }; message?: string } }
  /** Void orders of the last 90 days by cause or by day, how they would have ended, and what followed from them. Scope: `read`. */
  'GET /proof/voids': { input: { query?: { by?: 'cause' | 'day' } }; reply: { data: { voids: { by: 'cause' | 'day'; since: string; orders: number; late: number; lines: { of: string; orders: number; bots: number; while_down: number }[]; without_record: { days: number; would_win: number; would_lose: number; would_draw: number; missed_by_users: Decimal; kept_by_users: Decimal; against_users: number; against_site: number; chance: number }[]; pauses: ({ symbol: string; why: 'too_many_voids' | 'record_unread'; from: string; until: string | null })[]; made_good: { orders: number; amount: Decimal; unread: number; waiting: { source: string; orders: number; amount: Decimal; pays_at: string }[] } } }; message?: string } }
  /** Decided prices of the last 90 days that were compared again with the public records of their sources: one of a hundred, chosen by the hash of the log at the decision. Scope: `read`. */
  'GET /proof/audit': { input: object; reply: { data: { audit: { since: string; chosen: number; compared: number; equal: number; different: number } }; message?: string } }
}

/** The messages of a client on `/ws/app`. */
export interface ClientMessages {
  subscribe: { action: 'subscribe'; token?: string | null }
  ping: { action: 'ping'; token?: string | null }
  newTrade: { action: 'newTrade'; token?: string | null; data: { type: 'buy' | 'sell'; tradeSettingId: number; amount: number | string; symbol: string; marketType?: string | null; clientOrderId?: string | null; strikePrice?: number | string | null; profitPercentage?: number | null; time?: number | null; validUntil?: number | null; account?: 'live' | 'practice'; maxSlippage?: number | string | null } }
  watch: { action: 'watch'; symbols: string[]; every?: boolean }
  seen: { action: 'seen'; ids: string[] }
}

/** A message of the server on `/ws/app`. */
export type ServerMessage =
  | { type: 'pong'; data: { tradeStatus: 0 | 1; tradeReason: string; serverTime: number }; pingMarketStatus: { crypto: boolean; us_stocks: boolean; us_fx: boolean } }
  | { type: 'newTrade'; status: 'success'; trade_price: Decimal; data: { id: string; trx: string; clientOrderId: string; symbol: string; high_low: 1 | 2; amount: Decimal; profit_percentage: number; time: number; opened_at: string; expires_at: string; entry: { q: number; time_ms: number }; user_balance: Decimal; account: 'live' | 'practice' } }
  | { type: 'newTrade'; status: 'error'; message: string; code: string; field?: string; clientOrderId: string | null }
  | { type: 'tradeResult'; status: 'success'; data: { id: string; trx: string; clientOrderId: string; crypto: { name: string; symbol: string; market_type: 'crypto' | 'us_stocks' | 'us_fx' }; high_low: 1 | 2; price_was: Decimal; post_trade_price: Decimal | null; amount: Decimal; result: 1 | 2 | 3 | 5; result_amount: Decimal; user_balance: Decimal; void_reason?: string; account: 'live' | 'practice' } }
  | { type: 'balanceChanged' }
  | { type: 'limitsChanged' }
  | { type: 'realityCheck'; data: { id: string; from: string; minutes: number; ended: number; staked: Decimal; net: Decimal; open: Decimal; open_stake: Decimal } }
  | { type: 'notice' }
  | { type: 'alert'; data: { id: string; symbol: string; price: Decimal; q: number; time_ms: number } }
  | { type: 'newDevice'; data: { device: string } }
  | { type: 'marketsChanged'; pingMarketStatus: { crypto: boolean; us_stocks: boolean; us_fx: boolean } }
  | { type: 'error'; code: string; message: string }
  | { s: string; c: Decimal; P: number; past?: true; E?: number; t?: number; q?: number }
  | { s: string; c: Decimal; P: number; past?: true; E?: number; t?: number; q?: number }[]
