import { isResult, receiptResult } from '#core/proof/receipt-facts.ts'
import { MAX_CLOCK_SKEW_MS, TICK_AGE_MS, type Tick } from '#core/markets/tick.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { MAX_ENTRY_LATE_MS } from '#core/orders/place-order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import type { SettlementPrice } from '#core/orders/settle-order.ts'
import { WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import { decideSettlementPrice } from '#core/orders/rules/rule-1.ts'
import type { Sha256 } from '#core/proof/bytes.ts'
import type { LogTick } from '#core/markets/log-text.ts'
import { checkComputation, checkLine, contradictsLine, type GroupResult, isOfGroup } from '#core/proof/check-line.ts'
import { findFork, findImpossible, type LogBatch, type LogFault, readLines, readLog } from '#core/proof/log-evidence.ts'
import { isUnderRoot, ownerHash, type Receipt, type SignedRoot } from '#core/proof/receipt.ts'
import type { HeadFacts, ReceiptFacts, ResultFacts, TickFacts } from '#core/proof/receipt-facts.ts'
import { isOwnerText, readFacts } from '#core/proof/read-facts.ts'
import { instant } from '#core/time/instant.ts'

/**
 * The faults of a receipt, the most important first:
 * - `form`: the receipt is malformed.
 * - `root`: its facts are not the signed facts.
 * - `owner`: the owner's part belongs to another order.
 * - `times`: its times contradict each other.
 * - `clock`: its opening time does not match the log around it.
 * - `log`: the pieces of the log are inconsistent, or contain a tick that no log accepts.
 * - `log_short`: a piece does not show all required ticks.
 * - `head`: the log is not the log that the receipt names.
 * - `entry`, `exit`, `next`: at the sequence number that the receipt names, the log has a different tick.
 * - `price`: by the rule, another price or none settles the order.
 * - `result`: by the rule, the order has another result.
 * - `hole`, `line`, `withheld`: see `LineFault`.
 */
export type ReceiptFault =
  | 'form'
  | 'root'
  | 'owner'
  | 'times'
  | 'clock'
  | 'log'
  | 'log_short'
  | 'head'
  | 'entry'
  | 'exit'
  | 'next'
  | 'price'
  | 'result'
  | 'hole'
  | 'line'
  | 'withheld'

export interface ReceiptCheck {
  readonly facts: ReceiptFacts | null
  readonly faults: readonly ReceiptFault[]
  /** The first fault in the parts of the log. Null when they are consistent. */
  readonly logFault: LogFault | null
  /** The result by the rules on these ticks. Null when it cannot be computed. */
  readonly recomputed: ResultFacts['result'] | null
  /** The ticks of the order's symbol in the parts of the log. */
  readonly ticks: readonly LogTick[]
}

export interface Evidence {
  /** The root covered by the verified signature. Null when the signature is not valid. */
  readonly signed: SignedRoot | null
  /** Batches from the entry or earlier, to the log head at the time the order was accepted. */
  readonly entryLog: readonly LogBatch[]
  /**
   * Batches from the exit or earlier, to the log head at the time the price was decided. For a void order: from the
   * start of the period that must be empty.
   */
  readonly exitLog: readonly LogBatch[]
  /** Known ticks of the symbol after `entryLog` and `exitLog`. They can contradict the receipt. */
  readonly later?: readonly LogTick[]
}

/** Recomputes a receipt from the log with the same rules that settle orders. The caller verifies the signature. */
export function checkReceipt(sha256: Sha256, receipt: Receipt, evidence: Evidence): ReceiptCheck {
  const facts = readFacts(receipt.facts)
  if (facts === null) return { facts, faults: ['form'], logFault: null, recomputed: null, ticks: [] }
  const faults = new Set<ReceiptFault>()
  const { signed } = evidence
  if (signed !== null && (!isUnderRoot(sha256, receipt, signed) || signed.kind !== facts.kind)) faults.add('root')
  if (receipt.owner !== undefined && !isOwnersPart(sha256, receipt.owner, facts)) faults.add('owner')
  if (!areTimesInOrder(facts, signed)) faults.add('times')

  const exitLog = isResult(facts) ? evidence.exitLog : []
  const entryTicks = readLog(sha256, evidence.entryLog)
  const exitTicks = isResult(facts) ? readLog(sha256, exitLog) : []
  if (!isRead(entryTicks)) return withLogFault(facts, faults, entryTicks)
  if (!isRead(exitTicks)) return withLogFault(facts, faults, exitTicks)
  const after = exitTicks.filter(({ q }) => q > (entryTicks.at(-1)?.q ?? 0))
  const torn = findFork(evidence.entryLog, exitLog) ?? findImpossible([...entryTicks, ...after])
  if (torn !== null) return withLogFault(facts, faults, torn)
  for (const fault of entryFaults(facts, entryTicks, evidence.entryLog)) faults.add(fault)
  if (!isByLogClock(facts, entryTicks, after)) faults.add('clock')
  const exitCheck = isResult(facts) ? checkEnd(facts, exitTicks, evidence.exitLog) : null
  for (const fault of exitCheck?.faults ?? []) faults.add(fault)
  for (const tick of [...after, ...(evidence.later ?? [])]) {
    const fault = faultOfLater(facts, tick)
    if (fault !== null) faults.add(fault)
  }
  const own = [...entryTicks, ...exitTicks].filter(({ symbolId }) => symbolId === facts.symbol_id)
  return { facts, faults: [...faults], logFault: null, recomputed: exitCheck?.recomputed ?? null, ticks: own }
}

function isRead(read: readonly LogTick[] | LogFault): read is readonly LogTick[] {
  return Array.isArray(read)
}

function withLogFault(facts: ReceiptFacts, faults: ReadonlySet<ReceiptFault>, logFault: LogFault): ReceiptCheck {
  return { facts, faults: [...faults, 'log'], logFault, recomputed: null, ticks: [] }
}

/** Whether the facts contain the hash of `owner`, the part of the receipt that only the order's user receives. */
export function isOwnersPart(sha256: Sha256, owner: string, facts: Pick<ReceiptFacts, 'owner'>): boolean {
  return isOwnerText(owner) && ownerHash(sha256, owner) === facts.owner
}

/**
 * Checks that an order expires after it opens, is decided no earlier than its expiry, and is signed after the events it
 * records. A late signature proves nothing, because receipts are created late after a crash.
 */
function areTimesInOrder(facts: ReceiptFacts, signed: SignedRoot | null): boolean {
  const { opened_ms: openedMs, expires_ms: expiresMs } = facts
  if (openedMs >= expiresMs) return false
  if (!isResult(facts)) return signed === null || signed.made_ms >= openedMs
  const { decided_ms: decidedMs, watermark_ms: watermarkMs } = facts
  if (decidedMs < expiresMs || watermarkMs > decidedMs + MAX_CLOCK_SKEW_MS) return false
  return signed === null || signed.made_ms >= decidedMs
}

/**
 * Returns the fault that a later tick proves: the server should have had this tick when it accepted or decided the
 * order, or should have rejected the tick. Null when there is no contradiction.
 */
export function faultOfLater(facts: ReceiptFacts, tick: LogTick): ReceiptFault | null {
  const { q, symbolId, timeMs, receivedMs } = tick
  if (symbolId !== facts.symbol_id || q <= facts.head.q) return null
  if (receivedMs <= facts.opened_ms - MAX_UNLOGGED_MS) return 'entry'
  if (!isResult(facts) || q <= facts.decided_head.q) return null
  if (isOfGroup(facts) && facts.evidence === 'ids') return contradictsLine(facts, tick) ? 'line' : null
  if (!decides(facts, tick)) return null
  // One server's clock measures the deadline, another's the receipt time of a price, so their largest difference is
  // allowed.
  const isTooLate =
    facts.void === 'no_price_after_expiry'
      ? receivedMs <= facts.expires_ms + WATERMARK_LIMIT_MS - MAX_CLOCK_DIFFERENCE_MS
      : timeMs <= facts.expires_ms
  return isTooLate ? 'price' : null
}

/**
 * 1.5 s: an order is refused when a newer price has waited 1 s for the log. The other 0.5 s allow for clock differences
 * between servers.
 */
const MAX_UNLOGGED_MS = 1_500
/**
 * 15 s: the clock of each trading server is within 5 s of the database's clock. The other 5 s allow for messages in
 * transit.
 */
const MAX_CLOCK_DIFFERENCE_MS = 15_000

/**
 * Checks that the entry is the newest tick of its symbol in the log when the order was accepted, and that it was
 * acceptable.
 */
function entryFaults(facts: ReceiptFacts, ticks: readonly LogTick[], log: readonly LogBatch[]): ReceiptFault[] {
  const faults: ReceiptFault[] = []
  if (!endsAt(log, facts.head)) faults.push('head')
  const newest = ticks.findLast(({ symbolId, q }) => symbolId === facts.symbol_id && q <= facts.head.q)
  const isOfSource = facts.v === 1 || newest?.source === facts.source
  if (newest === undefined || !isOfSource || !isSame(newest, facts.entry) || !isFresh(facts, newest))
    faults.push('entry')
  return faults
}

/**
 * Whether a tick is neither too old, nor ahead of the clock, nor received late. A receipt without a maximum age is held
 * to the largest allowed age.
 */
function isFresh(facts: ReceiptFacts, { timeMs, receivedMs }: LogTick): boolean {
  const maxAgeMs = facts.max_tick_age_ms ?? TICK_AGE_MS.max
  const ageMs = facts.opened_ms - timeMs
  return ageMs <= maxAgeMs && ageMs >= -MAX_CLOCK_SKEW_MS && receivedMs - timeMs <= MAX_ENTRY_LATE_MS
}

/**
 * Whether the log around the head that the receipt names confirms the opening time. A single price can wait before it
 * enters the log. After the head, therefore, only a tick that was received after all ticks before the head shows the
 * time.
 */
function isByLogClock({ opened_ms: openedMs }: ReceiptFacts, before: readonly LogTick[], after: readonly LogTick[]) {
  const newestMs = before.reduce((newest, { receivedMs }) => Math.max(newest, receivedMs), 0)
  const following = after.find(({ receivedMs }) => receivedMs > newestMs)
  return newestMs <= openedMs + MAX_CLOCK_SKEW_MS && openedMs <= (following?.receivedMs ?? openedMs) + MAX_CLOCK_SKEW_MS
}

function checkEnd(
  facts: ResultFacts,
  ticks: readonly LogTick[],
  log: readonly LogBatch[],
): { readonly faults: ReceiptFault[]; readonly recomputed: ResultFacts['result'] | null } {
  const faults: ReceiptFault[] = []
  // The log only grows, so the head at the decision is not before the head at acceptance.
  if (!endsAt(log, facts.decided_head) || facts.decided_head.q < facts.head.q) faults.push('head')
  if (isOfGroup(facts)) {
    const check = checkByGroup(facts, log)
    if (check !== null) return { ...check, faults: [...faults, ...check.faults] }
  }
  const own = ticks.filter((tick) => decides(facts, tick) && tick.q <= facts.decided_head.q)
  const last = own.findLast(({ timeMs }) => timeMs <= facts.expires_ms) ?? null
  const next = own.find(({ timeMs }) => timeMs > facts.expires_ms) ?? null
  if (!reachesBack(facts, ticks, log)) faults.push('log_short')
  if (facts.exit !== null && (last === null || !isSame(last, facts.exit))) faults.push('exit')
  if (facts.next !== null && (next === null || !isSame(next, facts.next))) faults.push('next')
  const deciding = [facts.exit && last, facts.next && next]
  if (deciding.some((tick) => tick !== null && tick.receivedMs > facts.decided_ms)) faults.push('times')

  const decision = decideSettlementPrice({
    expiresAt: instant(facts.expires_ms),
    last: last === null ? null : toTick(last),
    next: next === null ? null : toTick(next),
    watermark: instant(facts.watermark_ms),
    maxTickAgeMs: facts.max_tick_age_ms,
    now: instant(facts.decided_ms),
  })
  if (decision.kind === 'wait') return { faults: [...faults, 'price'], recomputed: null }
  const decidedQ = decision.kind === 'price' ? decision.exit.seq : null
  const decidedVoid = decision.kind === 'void' ? decision.reason : null
  // An order that ticks in time decided must not be marked as late.
  if (decidedQ !== (facts.exit?.q ?? null) || decidedVoid !== facts.void || facts.late === true) faults.push('price')
  const recomputed = resultBy(
    facts,
    decision.kind === 'price' ? { kind: 'price', exitPrice: decision.exit.price } : decision,
  )
  if (recomputed !== facts.result) faults.push('result')
  return { faults, recomputed }
}

/**
 * Whether a tick may decide an order by its time. Prices of another source never decide an order of a computed source.
 */
function decides(facts: ResultFacts, { symbolId, source }: LogTick): boolean {
  return symbolId === facts.symbol_id && (facts.evidence !== 'computed' || source === facts.source)
}

/**
 * Decides again by the numbered trades of the source, or by its computed prices. Null when the ticks that came in time
 * decided.
 */
function checkByGroup(facts: GroupResult, log: readonly LogBatch[]): ReturnType<typeof checkEnd> | null {
  const isByLine = facts.evidence === 'ids'
  if (!isByLine && (facts.evidence !== 'computed' || facts.late !== true)) return null
  const lines = readLines(log)
  const check = isByLine ? checkLine(facts, lines) : checkComputation(facts, lines)
  const recomputed = check.settledBy === null ? null : resultBy(facts, check.settledBy)
  const faults: ReceiptFault[] = [...check.faults]
  if (recomputed !== null && recomputed !== facts.result) faults.push('result')
  return { faults, recomputed }
}

/** The result of an order by a price. */
export function resultBy(facts: Omit<ResultFacts, 'kind'>, by: SettlementPrice): ResultFacts['result'] {
  const { result } = settleOrder(
    {
      ruleVersion: facts.rule,
      direction: facts.direction === 'buy' ? BUY : SELL,
      stake: money(100n),
      payout: basisPoints(facts.payout_bp),
      entryPrice: price(facts.entry.price),
      expiresAt: instant(facts.expires_ms),
    },
    by,
  )
  return receiptResult(result)
}

function endsAt(log: readonly LogBatch[], { q, hash }: HeadFacts): boolean {
  const last = log.at(-1)
  return last?.last_seq === q && last.hash === hash
}

function isSame({ q, price: units, timeMs, ref }: LogTick, tickFacts: TickFacts): boolean {
  if (tickFacts.ref !== undefined && tickFacts.ref !== ref) return false
  return q === tickFacts.q && units === tickFacts.price && timeMs === tickFacts.time_ms
}

/**
 * Whether the part of the log starts early enough. If the receipt has an exit tick, the part must start at or before
 * that tick. Otherwise it must start before the first moment whose ticks could have been the exit, or at the beginning
 * of the log.
 */
function reachesBack(facts: ResultFacts, ticks: readonly LogTick[], log: readonly LogBatch[]): boolean {
  const first = ticks[0]
  if (first === undefined || log[0] === undefined) return false
  if (facts.exit !== null) return first.q <= facts.exit.q
  const mustBeSeenFrom = facts.expires_ms - facts.max_tick_age_ms - MAX_CLOCK_SKEW_MS
  return first.q === 1 || first.receivedMs < mustBeSeenFrom
}

function toTick({ q, symbolId, price: units, volume: millionths, timeMs, receivedMs, source }: LogTick): Tick {
  return {
    seq: q,
    symbolId,
    price: price(units),
    volume: volume(millionths),
    time: instant(timeMs),
    receivedAt: instant(receivedMs),
    source,
  }
}
