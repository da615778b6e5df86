import type { ColumnType, Generated, Transaction as KyselyTransaction, Kysely } from 'kysely'

/** The database handle: for reads, or to open a transaction. */
export type Db = Kysely<Tables>
/** Inside a transaction use only this handle, and await nothing but the database. */
export type Tx = KyselyTransaction<Tables>

/** Both drivers return int8 as bigint, and accept numbers. */
type Int8 = ColumnType<bigint, bigint | number, bigint | number>
type Int8OrNull = ColumnType<bigint | null, bigint | number | null, bigint | number | null>
/** The database's default when no value is given. */
type Int8WithDefault = ColumnType<bigint, bigint | number | undefined, bigint | number>
/** Null when no value is given. */
type OptionalInt8 = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
/** jsonb goes in as JSON text and comes back parsed. */
type Json = ColumnType<unknown, string, string>
type JsonOrNull = ColumnType<unknown, string | null, string | null>
type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>

/** The schema as the code sees it: by the room that owns each table, and alone writes it. Row types stay inside the queries files. */
export interface Tables
  extends PlatformTables,
    AuditTables,
    SettingsTables,
    MarketDataTables,
    LedgerTables,
    UsersTables,
    TradingTables,
    ProofTables,
    PaymentsTables,
    SiteTables,
    SocketsTables,
    BackOfficeTables {}

interface PlatformTables {
  attempt: {
    key: string
    count: number
    window_start_ms: Int8
    locked_until_ms: ColumnType<bigint, bigint | number | undefined, bigint | number>
  }
  bus_key: { id: number; secret: Bytes }
  day_total_mark: { source: string; counted_until_ms: Int8; closed_until_ms: Int8 }
  lease: { name: string; owner: string; token: Int8; until_ms: Int8 }
  outbox_message: { id: string; sent_to: string; kind: string; code: string; text: string; sent_ms: Int8 }
  server_node: { run: string; name: string; roles: string[]; is_on_bus: boolean; seen_ms: Int8 }
  server_run: { run: string; name: string; started_ms: Int8; seen_ms: Int8; stopped_ms: OptionalInt8 }
  upload: {
    user_id: string
    name: string
    purpose: string
    media_type: string
    size: number
    in_use: Generated<boolean>
    changed_ms: Int8
  }
}

interface AuditTables {
  admin_action: {
    id: string
    at_ms: Int8
    who: string
    what: string
    target: string
    reason: string
    outcome: string
    before: JsonOrNull
    after: JsonOrNull
    staff_id: string | null
    request_id: Generated<string>
    address: Generated<string>
    /** Number and hashes are the database's own: null until the line's transaction commits. */
    seq: ColumnType<bigint | null, never, never>
    previous_hash: ColumnType<Uint8Array | null, never, never>
    hash: ColumnType<Uint8Array | null, never, never>
  }
  first_approval: { kind: string; subject: string; content_hash: string; staff_id: string; at_ms: Int8 }
  staff_remark: { kind: string; subject: string; id: string; staff_id: string; text: string; at_ms: Int8 }
}

interface SettingsTables {
  setting: { key: string; value: Json; updated_ms: Int8; version: Generated<number> }
}

interface MarketDataTables {
  market_symbol: {
    id: number
    code: string
    name: string
    market_type: string
    decimals: number
    max_tick_age_ms: number
    is_featured: Generated<boolean>
    color: Generated<string>
    image: Generated<string>
    is_listed: Generated<boolean>
    closed_reason: string | null
    sort: number
    source: Generated<string>
    provider_symbol: Generated<string>
    version: Generated<number>
  }
  symbol_picture: { name: string; bytes: Bytes; created_ms: Int8 }
  tick_age_before: { symbol_id: number; until_ms: Int8; max_tick_age_ms: number }
  market_closure: { market_type: string; reason: string | null; since_ms: Int8; version: Generated<number> }
  market_exception: {
    id: string
    market_type: string
    from_ms: Int8
    to_ms: Int8
    reason: string
    who: string
    created_ms: Int8
  }
  trade_setting: {
    id: number
    seconds: number
    unit: string
    min_amount: Int8
    max_amount: Int8
    is_offered: Generated<boolean>
    version: Generated<number>
  }
  payout_version: {
    trade_setting_id: number
    version: number
    profit_basis_points: number
    applies_from_ms: Int8
    announced_ms: Int8
    who: Generated<string>
  }
  stock_split: {
    symbol_id: number
    trading_day: number
    version: number
    new_shares: number
    old_shares: number
    effective_ms: Int8
    announced_ms: Int8
    source: string
    who: string
  }
  quick_amount: { id: number; amount: Int8; version: Generated<number> }
  feed_incident: {
    id: string
    symbol_id: number | null
    kind: string
    source: string | null
    at_ms: Int8
    lasts: boolean
    detail: string
  }
  feed_incident_end: { incident_id: string; at_ms: Int8 }
  tick_stream: {
    id: number
    token: Int8
    head_seq: Int8
    symbol_ids: number[]
    heard_ms: ColumnType<bigint[], (bigint | number)[], (bigint | number)[]>
    doubts: Json
  }
  tick_batch: {
    first_seq: Int8
    last_seq: Int8
    first_time_ms: Int8
    last_time_ms: Int8
    written_ms: Int8
    payload: string
    previous_hash: Bytes
    hash: Bytes
  }
  tick_pack: {
    first_seq: Int8
    last_seq: Int8
    first_time_ms: Int8
    last_time_ms: Int8
    written_ms: Int8
    previous_hash: Bytes
    hash: Bytes
    series: string[]
    heads: Bytes
    body: Bytes
    hashes: Uint8Array | null
  }
  tick_hole: { symbol_id: number; from_ms: Int8; to_ms: Int8 }
  candle: {
    symbol_id: number
    interval: string
    open_ms: Int8
    open: Int8
    high: Int8
    low: Int8
    close: Int8
    volume: Int8
  }
  provider_candle: {
    symbol_id: number
    interval: string
    open_ms: Int8
    open: Int8
    high: Int8
    low: Int8
    close: Int8
    volume: Int8
    source: string
    fetched_ms: Int8
  }
  provider_history: { symbol_id: number; interval: string; from_ms: Int8; to_ms: Int8 }
  provider_start: { symbol_id: number; first_ms: Int8; source: string; asked_ms: Int8 }
  price_gap: { symbol_id: number; from_ms: Int8; to_ms: Int8; noticed_ms: Int8 }
}

interface LedgerTables {
  balance: {
    user_id: string
    currency: string
    cash: Int8
    staked: Int8
    withdrawing: Int8
    credits: Int8
    open_orders: Generated<number>
    /** How many results of this user have a number. */
    results: Generated<bigint>
    /** Copied from the account by database triggers: whether the user is verified and may trade. */
    may_trade: ColumnType<boolean, never, never>
    verified: ColumnType<boolean, never, never>
    trade_reason: ColumnType<string, never, never>
    max_stake: ColumnType<bigint | null, never, never>
    max_open_stake: ColumnType<bigint | null, never, never>
  }
  transfer: {
    user_id: string
    ref: string
    step: string
    kind: string
    from_account: string
    to_account: string
    currency: string
    amount: Int8
    created_ms: Int8
  }
  ledger_check: { id: number; checked_ms: Int8; took_ms: number; report: Json }
  ledger_run: {
    id: number
    run: Int8WithDefault
    until_ms: Int8WithDefault
    whole_ms: Int8WithDefault
    whole_took_ms: Int8WithDefault
    recount_run: Int8WithDefault
    recount_until_ms: Int8WithDefault
    recount_started_ms: Int8WithDefault
    recount_worked_ms: Int8WithDefault
    recount_next_ms: Int8WithDefault
    recount_portion: Int8WithDefault
  }
  ledger_sum: {
    run: Int8
    user_id: string
    currency: string
    from_account: string
    to_account: string
    amount: Int8
    transfers: Int8
  }
  ledger_order_sum: { run: Int8; user_id: string; staked: Int8; won: Int8; lost: Int8 }
}

interface UsersTables {
  app_user: AppUserTable
  session: {
    token_hash: Bytes
    user_id: string
    created_ms: Int8
    expires_ms: Int8
    user_agent: Generated<string>
    ip: Generated<string>
    seen_ms: ColumnType<bigint, bigint | number | undefined, bigint | number>
    confirmed_ms: ColumnType<bigint, bigint | number | undefined, bigint | number>
  }
  user_authenticator: {
    user_id: string
    secret: string
    last_step: ColumnType<bigint, bigint | number | undefined, bigint | number>
    is_on: Generated<boolean>
    created_ms: Int8
  }
  user_passkey: {
    user_id: string
    id: string
    credential_id: string
    public_key: Bytes
    counter: Int8
    transports: string[]
    name: string
    created_ms: Int8
    used_ms: OptionalInt8
  }
  user_recovery_code: { user_id: string; code_hash: Bytes }
  user_ticket: { token_hash: Bytes; user_id: string | null; kind: string; challenge: string | null; expires_ms: Int8 }
  known_device: { user_id: string; token_hash: Bytes; created_ms: Int8; seen_ms: Int8 }
  sign_in: {
    id: string
    user_id: string | null
    at_ms: Int8
    how: string
    went_in: boolean
    is_new_device: Generated<boolean>
    is_noticed: Generated<boolean>
    user_agent: string
    address: string
  }
  one_time_code: {
    user_id: string
    kind: string
    code_hash: string
    sent_to: string
    created_ms: Int8
    expires_ms: Int8
  }
  code_sent: { user_id: string; id: string; kind: string; sent_to: string; sent_ms: Int8 }
  password_reset: {
    id: string
    request_hash: Bytes
    link_hash: Bytes
    address: string
    code_hash: string
    created_ms: Int8
    code_expires_ms: Int8
    expires_ms: Int8
  }
  user_note: { user_id: string; id: string; staff_id: string; text: string; written_ms: Int8 }
}

interface TradingTables {
  favorite: { user_id: string; symbol_id: number }
  open_order: OrderColumns
  order_history: OrderColumns & {
    result: number
    result_amount: Int8
    balance_after: Int8
    exit_seq: Int8OrNull
    exit_price: Int8OrNull
    exit_time_ms: Int8OrNull
    void_reason: string | null
    settled_ms: Int8
    /** The number among all results of its user; null for results older than numbering. */
    result_number: Int8OrNull
  }
  settlement_price: {
    symbol_id: number
    expires_ms: Int8
    exit_seq: Int8OrNull
    exit_price: Int8OrNull
    exit_time_ms: Int8OrNull
    next_seq: Int8OrNull
    next_price: Int8OrNull
    next_time_ms: Int8OrNull
    watermark_ms: Int8
    void_reason: string | null
    decided_ms: Int8
    head_seq: Int8OrNull
    max_tick_age_ms: number | null
  }
}

interface ProofTables {
  receipt_batch: {
    id: string
    kind: string
    first_ms: Int8
    last_ms: Int8
    keys: Uint8Array
    signature: string
    made_ms: Int8
  }
  signing_key: { kid: string; event: string; public_x: string; at_ms: Int8 }
  log_day: {
    day: number
    first_seq: Int8
    last_seq: Int8
    previous_hash: Uint8Array
    hash: Uint8Array
    noted_ms: Int8
  }
  liability_day: {
    number: number
    day: number
    taken_ms: Int8
    currency: string
    leaves: number
    total: Int8
    root: Bytes
    previous_head: Bytes
    head: Bytes
  }
  liability_account: {
    day: number
    user_id: string
    cash: Int8
    staked: Int8
    withdrawing: Int8
    salt: Bytes
    parts: Bytes
  }
  liability_node: { day: number; level: number; chunk: number; places: Bytes }
  fairness_figures: { id: number; computed_ms: Int8; figures: Json }
  fairness_line: {
    day: number
    is_bot: boolean
    symbol_id: number
    seconds: number
    profit_basis_points: number
    wins: Int8
    losses: Int8
    draws: Int8
    voids: Int8
    some_users: string[]
  }
  fairness_user: { day: number; user_id: string; is_bot: boolean; result: Int8; timed: Int8 }
  fairness_time: { day: number; is_bot: boolean; kind: string; ms: Int8; count: Int8 }
}

interface PaymentsTables {
  gateway: GatewayTable
  deposit: DepositTable
  user_withdrawal_method: { user_id: string; gateway_id: number; details: Json; updated_ms: Int8 }
  withdrawal: WithdrawalTable
  correction: {
    user_id: string
    id: string
    amount: Int8
    reason: string
    content_hash: string
    state: string
    asked_by: string
    asked_ms: Int8
    decided_by: string | null
    decided_ms: Int8OrNull
    words: Generated<string>
  }
  first_check: { user_id: string; order_id: string; checked_ms: Int8 }
}

interface SiteTables {
  content_entry: {
    kind: string
    key: string
    icon: Generated<string>
    link: Generated<string>
    sort: Generated<number>
    is_published: Generated<boolean>
    published_ms: Int8
    texts: ColumnType<unknown, string | undefined, string>
    version: Generated<number>
    updated_ms: Int8
  }
  announcement: {
    id: string
    tone: string
    link: Generated<string>
    from_ms: Int8
    until_ms: Int8
    texts: ColumnType<unknown, string | undefined, string>
    version: Generated<number>
    updated_ms: Int8
  }
  text_override: { language: string; key: string; text: string | null; version: Generated<number>; updated_ms: Int8 }
}

interface SocketsTables {
  result_seen: { user_id: string; until_number: Int8; beyond: Int8[] }
}

interface BackOfficeTables {
  staff: {
    id: string
    name: string
    role: string
    password_hash: string | null
    totp_secret: string | null
    totp_last_step: ColumnType<bigint, bigint | number | undefined, bigint | number>
    is_blocked: Generated<boolean>
    is_demo: Generated<boolean>
    version: Generated<number>
    created_ms: Int8
  }
  staff_session: {
    token_hash: Bytes
    id: string
    staff_id: string
    created_ms: Int8
    seen_ms: Int8
    expires_ms: Int8
    user_agent: Generated<string>
    address: Generated<string>
  }
  staff_ticket: {
    token_hash: Bytes
    staff_id: string
    kind: string
    totp_secret: string | null
    expires_ms: Int8
  }
  staff_device: { staff_id: string; token_hash: Bytes; seen_ms: Int8 }
  day_total: { day: number; kind: string; is_bot: boolean; count: Int8; amount: Int8; result: Int8 }
}

export interface AppUserTable {
  id: string
  username: string
  email: string | null
  mobile: string
  mobile_code: Generated<string>
  country_code: Generated<string>
  firstname: Generated<string>
  lastname: Generated<string>
  address: ColumnType<unknown, string | undefined, string>
  password_hash: string
  pin_hash: string | null
  pin_changed_ms: Int8OrNull
  security_changed_ms: OptionalInt8
  image_path: string | null
  language: Generated<string>
  invitation_code: string | null
  verified: Generated<boolean>
  /** The addresses that this account verified: the email in lower case, the phone number as digits with country code. */
  proven_email: Generated<string | null>
  proven_mobile: Generated<string | null>
  trade_allowed: Generated<boolean>
  trade_reason: Generated<string>
  is_bot: Generated<boolean>
  version: Generated<number>
  sign_in_blocked: Generated<boolean>
  sign_in_reason: Generated<string>
  verification_reason: Generated<string>
  withdrawals_allowed: Generated<boolean>
  withdrawals_reason: Generated<string>
  max_stake: OptionalInt8
  max_open_stake: OptionalInt8
  created_ms: Int8
}

interface OrderColumns {
  user_id: string
  id: string
  client_order_id: string
  trx: string
  symbol_id: number
  trade_setting_id: number
  seconds: number
  direction: number
  stake: Int8
  profit_basis_points: number
  rule_version: number
  entry_seq: Int8
  entry_price: Int8
  entry_time_ms: Int8
  entry_source: string
  opened_ms: Int8
  expires_ms: Int8
  head_seq: OptionalInt8
  received_ms: OptionalInt8
}

export interface GatewayTable {
  id: number
  kind: string
  name: string
  image: Generated<string>
  currency: string
  min_amount: Int8
  max_amount: Int8
  fixed_charge: Int8
  percent_charge_basis_points: number
  rate_millionths: Int8
  wallet_address: Generated<string>
  description: Generated<string>
  form: ColumnType<unknown, string | undefined, string>
  is_automatic: Generated<boolean>
  is_offered: Generated<boolean>
  sort: number
  version: Generated<number>
}

export interface DepositTable {
  user_id: string
  id: string
  trx: string
  gateway_id: number
  status: number
  currency: string
  amount: Int8
  percent_charge: Int8
  fixed_charge: Int8
  total: Int8
  rate_millionths: Int8
  credited: Int8
  fields: ColumnType<unknown, string | undefined, string>
  files: ColumnType<unknown, string | undefined, string>
  client_request_id: string | null
  /** A hash of the whole request, to recognise a repeated one. */
  request_fingerprint: ColumnType<Uint8Array | null, Uint8Array | null | undefined, never>
  feedback: Generated<string>
  created_ms: Int8
  decided_ms: Int8OrNull
}

export interface WithdrawalTable {
  user_id: string
  id: string
  trx: string
  client_request_id: string | null
  /** A hash of the whole request, to recognise a repeated one. */
  request_fingerprint: ColumnType<Uint8Array | null, Uint8Array | null | undefined, never>
  gateway_id: number
  status: number
  currency: string
  amount: Int8
  percent_charge: Int8
  fixed_charge: Int8
  rate_millionths: Int8
  paid_out: Int8
  details: Json
  /** A hash of the payment details, to recognise equal ones. */
  destination: ColumnType<Uint8Array | null, Uint8Array | undefined, Uint8Array>
  review_version: Generated<number>
  feedback: Generated<string>
  is_cancelled: Generated<boolean>
  created_ms: Int8
  decided_ms: Int8OrNull
}
