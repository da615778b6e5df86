import type { LogLine, LogTick } from '#core/markets/log-text.ts'
import { price } from '#core/money/price.ts'
import { isWithoutHistory } from '#core/orders/order.ts'
import type { SettlementPrice } from '#core/orders/settle-order.ts'
import { decideByComputation } from '#core/orders/rules/computed-line.ts'
import { decideByLine, type HistoryAnswer, type LineDecision } from '#core/orders/rules/rule-2.ts'
import { type SourceLine, sourceLine } from '#core/orders/rules/source-line.ts'
import type { GroupFacts, ResultFacts, TickFacts } from '#core/proof/receipt-facts.ts'
import { instant, later } from '#core/time/instant.ts'

/** The time for which a demo requests a provider's history. `isVoidedEarly` checks the day of a live site. */
const HISTORY_WAIT_MS = 60_000

/** The facts of a result of rule 2 or later. */
export type GroupResult = ResultFacts & GroupFacts

export function isOfGroup(facts: ResultFacts): facts is GroupResult {
  return facts.v === 2
}

/**
 * - `hole`: numbers of the source are missing between the exit and the next price.
 * - `line`: a later trade of the source shows that a different trade was the last before the expiry.
 * - `withheld`: the order is void although the log decides it, or was voided too early for lack of a history.
 */
export type LineFault = 'exit' | 'next' | 'price' | 'hole' | 'withheld'

interface LineCheck {
  readonly faults: readonly LineFault[]
  /** The price or void reason that settles the order. Null when the log does not decide. */
  readonly settledBy: SettlementPrice | null
}

/** Decides an expiry again by the numbered trades of its source, and compares the decision with the receipt. */
export function checkLine(facts: GroupResult, lines: readonly LogLine[]): LineCheck {
  const { symbol_id: symbolId, source } = facts
  const line = sourceLine(lines, { symbolId, source })
  const { void: reason } = facts
  if (isWithoutHistory(reason)) {
    return { faults: faultsOfVoid(facts, line), settledBy: { kind: 'void', reason } }
  }
  const decision = decide(facts, line, facts.next === null ? endsWith(facts, line) : { kind: 'none' })
  if (decision.kind === 'wait') return { faults: ['hole'], settledBy: null }
  const faults: LineFault[] = []
  const exit = decision.kind === 'price' ? decision.exit : null
  if (!isSame(exit, facts.exit)) faults.push('exit')
  if (!isSame(decision.next, facts.next)) faults.push('next')
  const isLate = exit?.isLate === true || decision.next?.isLate === true
  const decided = decision.kind === 'void' ? decision.reason : null
  if (decided !== reason || isLate !== facts.late) faults.push('price')
  return { faults, settledBy: exit === null ? toVoid(decided) : { kind: 'price', exitPrice: exit.price } }
}

/** Checks an order that is void because the history of its source did not decide it. */
function faultsOfVoid(facts: GroupResult, line: SourceLine): LineFault[] {
  const faults: LineFault[] = []
  const isDecided = decide(facts, line, { kind: 'none' }).kind !== 'wait'
  if (isDecided || facts.decided_ms < facts.expires_ms + HISTORY_WAIT_MS) faults.push('withheld')
  if (facts.exit !== null) faults.push('exit')
  if (facts.next !== null) faults.push('next')
  if (facts.late === true) faults.push('price')
  return faults
}

function decide(facts: GroupResult, line: SourceLine, history: HistoryAnswer): LineDecision {
  return decideByLine(line, { expiresAt: instant(facts.expires_ms), maxTickAgeMs: facts.max_tick_age_ms, history })
}

/**
 * A receipt without a next price states that the source had no later trade. The source's next trade proves or disproves
 * this statement.
 */
function endsWith({ expires_ms: expiresMs }: GroupResult, { prices, leftOut }: SourceLine): HistoryAnswer {
  const newestRef = Math.max(0, ...prices.map(({ ref }) => ref), ...leftOut.map(({ to }) => to))
  return { kind: 'quiet', newestRef, coveredUntil: later(instant(expiresMs), 1) }
}

/**
 * Decides an expiry of a computed source again by all its prices, late evidence included, and compares the decision
 * with the receipt.
 */
export function checkComputation(facts: GroupResult, lines: readonly LogLine[]): LineCheck {
  const { symbol_id: symbolId, source, expires_ms: expiresMs, max_tick_age_ms: maxTickAgeMs } = facts
  const { exit, next } = decideByComputation(lines, { symbolId, source, expiresMs, maxTickAgeMs })
  const faults: LineFault[] = []
  if (exit?.q !== facts.exit?.q || exit?.price !== facts.exit?.price || exit?.timeMs !== facts.exit?.time_ms)
    faults.push('exit')
  if (next?.q !== facts.next?.q || next?.price !== facts.next?.price || next?.timeMs !== facts.next?.time_ms)
    faults.push('next')
  const isLate = exit?.kind === 'e' || next?.kind === 'e'
  if (!isLate || exit === null || facts.void !== null) faults.push('price')
  return { faults, settledBy: exit === null ? null : { kind: 'price', exitPrice: price(exit.price) } }
}

function toVoid(reason: ResultFacts['void']): SettlementPrice | null {
  return reason === null ? null : { kind: 'void', reason }
}

function isSame(
  found: { readonly q: number; readonly price: number; readonly time: number; readonly ref: number } | null,
  facts: TickFacts | null,
): boolean {
  if (found === null || facts === null) return found === facts
  return found.q === facts.q && found.price === facts.price && found.time === facts.time_ms && found.ref === facts.ref
}

/**
 * Whether a later tick of the source shows that another trade was the last before the expiry. Such a tick is newer than
 * the exit. If there is no exit, the tick is recent enough to be the exit.
 */
export function contradictsLine(facts: GroupResult, { source, ref, timeMs }: LogTick): boolean {
  const { exit, next, expires_ms: expiresMs } = facts
  if (source !== facts.source || ref === null || next !== null || timeMs > expiresMs) return false
  if (exit !== null) return ref > (exit.ref ?? ref)
  return facts.void === 'no_trade_before_expiry' && timeMs >= expiresMs - facts.max_tick_age_ms
}
