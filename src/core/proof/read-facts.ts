import { isInstant } from '#core/time/instant.ts'
import { isCanonicalUuid } from '#core/ids/uuid.ts'
import { TICK_AGE_MS } from '#core/markets/tick.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { VOID_REASONS } from '#core/orders/order.ts'
import {
  type AmendedFacts,
  amendedText,
  factsText,
  type OwnerFacts,
  ownerText,
  type ReceiptFacts,
} from '#core/proof/receipt-facts.ts'
import { type SaleFacts, type SaleOwnerFacts, saleOwnerText, saleText } from '#core/proof/sale-facts.ts'
import { SALE_FEES, SALE_SCALES } from '#core/orders/sale/sale-terms.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value)
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isTickOf =
  (version: 1 | 2) =>
  (value: unknown): boolean =>
    isObject(value) &&
    isCount(value['q']) &&
    isCount(value['price']) &&
    value['price'] !== 0 &&
    isInstant(value['time_ms']) &&
    value['time_ms'] !== 0 &&
    (version === 1 ? !('ref' in value) : value['ref'] === null || isCount(value['ref']))
const isRecordTrade = (value: unknown): boolean =>
  isObject(value) &&
  isCount(value['price']) &&
  value['price'] !== 0 &&
  isInstant(value['time_ms']) &&
  (value['ref'] === null || isCount(value['ref']))
const isHead = (value: unknown): boolean => isObject(value) && isCount(value['q']) && isHash(value['hash'])
const isOneOf =
  (...known: readonly unknown[]) =>
  (value: unknown): boolean =>
    known.includes(value)
const orNull =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || is(value)

type Checks = Readonly<Record<string, (value: unknown) => boolean>>

const isAge = (value: unknown): boolean =>
  isCount(value) && Number(value) >= TICK_AGE_MS.min && Number(value) <= TICK_AGE_MS.max

const ACCEPTED: Checks = {
  v: isOneOf(1),
  kind: isOneOf('accepted', 'result', 'practice_accepted', 'practice_result'),
  trx: isText,
  symbol: isText,
  symbol_id: isCount,
  market: isOneOf(...MARKET_TYPES),
  decimals: (value) => isCount(value) && Number(value) <= 18,
  direction: isOneOf('buy', 'sell'),
  payout_bp: isCount,
  rule: isOneOf(1),
  opened_ms: isInstant,
  expires_ms: isInstant,
  entry: isTickOf(1),
  head: isHead,
  owner: isHash,
}

const RESULT: Checks = {
  result: isOneOf('win', 'lose', 'draw'),
  void: isOneOf(null, 'no_tick_before_expiry', 'no_price_after_expiry'),
  max_tick_age_ms: isAge,
  exit: orNull(isTickOf(1)),
  next: orNull(isTickOf(1)),
  watermark_ms: isInstant,
  decided_ms: isInstant,
  decided_head: isHead,
}

/** Facts that version 2 changes or adds. */
const ACCEPTED_2: Checks = {
  v: isOneOf(2),
  rule: isOneOf(2),
  terms: (value) => isObject(value) && isCount(value['n']) && value['n'] !== 0 && isHash(value['hash']),
  evidence: isOneOf('ids', 'computed', 'none'),
  max_tick_age_ms: isAge,
  source: isText,
  entry: isTickOf(2),
}

const RESULT_2: Checks = {
  void: isOneOf(null, ...VOID_REASONS),
  exit: orNull(isTickOf(2)),
  next: orNull(isTickOf(2)),
  late: isOneOf(true, false),
}

/** Facts that an amended result adds. Amended results exist from version 2 on. */
const AMENDED: Checks = {
  ...ACCEPTED,
  ...RESULT,
  ...ACCEPTED_2,
  ...RESULT_2,
  kind: isOneOf('amended', 'practice_amended'),
  by: isOneOf('record'),
  amended: isOneOf('win', 'draw'),
  record: (value) =>
    isObject(value) &&
    (value['entry'] === undefined || isRecordTrade(value['entry'])) &&
    [value['last'], value['next']].every(orNull(isRecordTrade)),
  paid: (value) => isCount(value) && value !== 0,
  amended_ms: isInstant,
}

function checksOf({ v, kind }: Readonly<Record<string, unknown>>): Checks {
  const isOfResult = kind === 'result' || kind === 'practice_result'
  if (v === 2) {
    return isOfResult ? { ...ACCEPTED, ...RESULT, ...ACCEPTED_2, ...RESULT_2 } : { ...ACCEPTED, ...ACCEPTED_2 }
  }
  return isOfResult ? { ...ACCEPTED, ...RESULT } : ACCEPTED
}

/** Parses facts from their text. Returns null when the text is not exactly the canonical text of the facts. */
export function readFacts(text: string): ReceiptFacts | null {
  const value = parse(text)
  if (!isObject(value)) return null
  if (!Object.entries(checksOf(value)).every(([key, is]) => is(value[key]))) return null
  const facts = value as Record<string, unknown> & ReceiptFacts
  return factsText(facts) === text ? facts : null
}

/** Parses the facts of an amended result. Returns null when the text is not exactly their canonical text. */
export function readAmendedFacts(text: string): AmendedFacts | null {
  const value = parse(text)
  if (!isObject(value)) return null
  if (!Object.entries(AMENDED).every(([key, is]) => is(value[key]))) return null
  const facts = value as Record<string, unknown> & AmendedFacts
  return amendedText(facts) === text ? facts : null
}

/** Facts that a sale adds. Sales exist from version 2 on. */
const SALE: Checks = {
  ...ACCEPTED,
  ...ACCEPTED_2,
  kind: isOneOf('sale', 'practice_sale'),
  model: isOneOf(1),
  c: (value) => isCount(value) && Number(value) >= SALE_SCALES.min && Number(value) <= SALE_SCALES.max,
  fee_bp: (value) => isCount(value) && Number(value) >= SALE_FEES.min && Number(value) <= SALE_FEES.max,
  sale_terms: (value) => isObject(value) && isCount(value['n']) && value['n'] !== 0 && isHash(value['hash']),
  requested_ms: isInstant,
  requested_head: isHead,
  tick: isTickOf(2),
  received_ms: isInstant,
  movement: (value) => typeof value === 'string' && /^[1-9]\d{0,39}$/.test(value),
  win: isCount,
  same: isCount,
  decided_ms: isInstant,
  decided_head: isHead,
  sale_owner: isHash,
}

/** Parses the facts of a sale. Returns null when the text is not exactly their canonical text. */
export function readSaleFacts(text: string): SaleFacts | null {
  const value = parse(text)
  if (!isObject(value)) return null
  if (!Object.entries(SALE).every(([key, is]) => is(value[key]))) return null
  const facts = value as Record<string, unknown> & SaleFacts
  return saleText(facts) === text ? facts : null
}

const isAmount = (value: unknown): value is string => typeof value === 'string' && /^(0|[1-9]\d{0,18})$/.test(value)

/** Parses the amounts of a sale. Returns null when the text is not exactly their canonical text. */
export function readSaleOwner(text: string): SaleOwnerFacts | null {
  const value = parse(text)
  if (!isObject(value)) return null
  const { order, stake, currency, least, gross, fee, paid } = value
  if (typeof order !== 'string' || !isCanonicalUuid(order) || typeof currency !== 'string') return null
  if (!isAmount(stake) || !isAmount(least) || !isAmount(gross) || !isAmount(fee) || !isAmount(paid)) return null
  const facts = { order, stake, currency, least, gross, fee, paid }
  return /^[A-Z]{3,8}$/.test(currency) && saleOwnerText(facts) === text ? facts : null
}

/** Whether a text is an owner's part in its canonical form. */
export function isOwnerText(text: string): boolean {
  const value = parse(text)
  if (!isObject(value)) return false
  const { order, stake, currency } = value
  const isOwner =
    typeof order === 'string' &&
    isCanonicalUuid(order) &&
    typeof stake === 'string' &&
    /^[1-9]\d{0,18}$/.test(stake) &&
    typeof currency === 'string' &&
    /^[A-Z]{3,8}$/.test(currency)
  return isOwner && ownerText(value as Readonly<Record<string, unknown>> & OwnerFacts) === text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Text that is not JSON contains no facts.
    return null
  }
}
