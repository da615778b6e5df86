import { isCanonicalUuid } from '#core/ids/uuid.ts'
import { TICK_AGE_MS } from '#core/markets/tick.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { factsText, type OwnerFacts, ownerText, type ReceiptFacts } from '#core/proof/receipt-facts.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value)
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
/** 8.64e15 ms is the end of the range of a `Date`. */
const isMoment = (value: unknown): boolean => isCount(value) && Number(value) <= 8.64e15
const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isTick = (value: unknown): boolean =>
  isObject(value) &&
  isCount(value['q']) &&
  isCount(value['price']) &&
  value['price'] !== 0 &&
  isMoment(value['time_ms']) &&
  value['time_ms'] !== 0
const isHead = (value: unknown): boolean => isObject(value) && isCount(value['q']) && isHash(value['hash'])
const isOneOf =
  (...known: readonly unknown[]) =>
  (value: unknown): boolean =>
    known.includes(value)
const orNull =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || is(value)

const ACCEPTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  v: isOneOf(1),
  kind: isOneOf('accepted', 'result'),
  trx: isText,
  symbol: isText,
  symbol_id: isCount,
  market: isOneOf(...MARKET_TYPES),
  decimals: (value) => isCount(value) && Number(value) <= 18,
  direction: isOneOf('buy', 'sell'),
  payout_bp: isCount,
  rule: isOneOf(1),
  opened_ms: isMoment,
  expires_ms: isMoment,
  entry: isTick,
  head: isHead,
  owner: isHash,
}

const RESULT: typeof ACCEPTED = {
  result: isOneOf('win', 'lose', 'draw'),
  void: isOneOf(null, 'no_tick_before_expiry', 'no_price_after_expiry'),
  max_tick_age_ms: (value) => isCount(value) && Number(value) >= TICK_AGE_MS.min && Number(value) <= TICK_AGE_MS.max,
  exit: orNull(isTick),
  next: orNull(isTick),
  watermark_ms: isMoment,
  decided_ms: isMoment,
  decided_head: isHead,
}

/** Parses facts from their text. Returns null when the text is not exactly the canonical text of the facts. */
export function readFacts(text: string): ReceiptFacts | null {
  const value = parse(text)
  if (!isObject(value)) return null
  const rules = value['kind'] === 'result' ? { ...ACCEPTED, ...RESULT } : ACCEPTED
  if (!Object.entries(rules).every(([key, is]) => is(value[key]))) return null
  const facts = value as Record<string, unknown> & ReceiptFacts
  return factsText(facts) === text ? facts : null
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
