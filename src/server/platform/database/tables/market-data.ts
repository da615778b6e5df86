import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Int8, Json, Bytes, OptionalInt8 } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/market-data`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface MarketDataTables {
  market_symbol: {
    id: number
    code: string
    name: string
    market_type: string
    decimals: number
    is_featured: Generated<boolean>
    color: Generated<string>
    image: Generated<string>
    closed_reason: string | null
    sort: number
    source: Generated<string>
    provider_symbol: Generated<string>
    version: Generated<number>
  }
  symbol_picture: { name: string; bytes: Bytes; created_ms: Int8 }
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
  maintenance: {
    id: string
    from_ms: Int8
    to_ms: OptionalInt8
    words: string
    who: string
    announced_ms: Int8
    ended_ms: OptionalInt8
  }
  trade_setting: { id: number; seconds: number }
  terms_entry: {
    n: Int8
    kind: string
    subject: string
    value: string
    announced_ms: Int8
    applies_ms: Int8
    text: string
    hash: Bytes
  }
  sale_report: {
    symbol_id: number
    scale: number
    made_ms: Int8
    from_ms: Int8
    days: number
    prices: Int8
    /** In basis points of the stake. */
    min_fee: number
    is_fair: boolean
    report: Json
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
    form: GeneratedAlways<number>
    is_late: GeneratedAlways<boolean>
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
    headers: string[] | null
    notes: string[] | null
  }
  source_version: { number: number; text: string; hash: Bytes; seen_ms: Int8; applies_ms: Int8 }
  source_peer: {
    host: string
    spki_sha256: Bytes
    issuer: string
    subject: string
    not_after_ms: Int8
    first_ms: Int8
    last_ms: Int8
    count: Int8
  }
  clock_minute: { at_ms: Int8; source: string; low_ms: Int8 | null; high_ms: Int8 | null }
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
