import type { SourceClass } from '#core/markets/source-class.ts'
import { ALL } from '#core/markets/terms/terms-entry.ts'
import { WATERMARK_LIMIT_MS } from '#core/markets/tick.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { ownerHash } from '#core/proof/receipt.ts'
import { type AcceptedFacts, ownerText, type ResultFacts } from '#core/proof/receipt-facts.ts'
import { DAY_MS, HOUR_MS, instant } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { below, between, isLikely, oneOf } from './chance.ts'
import { LogWriter } from './log-writer.ts'
import { DURATIONS, entryHashOf, type RandomTerms, sourcesText } from './published-texts.ts'
import {
  endByLine,
  endByTicks,
  type Market,
  type Opened,
  ownTicks,
  type Step,
  tickFacts,
  writeUntil,
} from './random-end.ts'
import { BEGINS_MS, otherTicks, randomTrades, type Silence, SYMBOL, type Trade } from './random-market.ts'

/** 20 s: the log reaches back far enough for every maximum age. */
const OPENS_MS = 20_000
const MAX_ENTRY_LATE_MS = 5_000

/** An order as the server would have recorded it, with the log of its time. */
export interface RandomOrder {
  readonly accepted: AcceptedFacts
  readonly result: ResultFacts
  readonly owner: string
  /** The log from the first needed batch to some time after the decision. */
  readonly log: readonly LogBatch[]
  readonly terms: readonly string[]
  readonly sources: readonly string[]
}

/**
 * Simulates a random market, and accepts and decides one order on it. Null when no order would have been accepted.
 * `left`: how many of a hundred trades make no tick.
 */
export function randomOrder(terms: RandomTerms, left = oneOf([0, 10, 30])): RandomOrder | null {
  const version = isLikely(35) ? 1 : 2
  const evidence: SourceClass = version === 1 ? 'none' : oneOf(['ids', 'ids', 'ids', 'computed', 'none'])
  const text = version === 2 && evidence !== 'none' ? 2 : oneOf([1, 2] as const)
  const source = text === 1 ? 'feed' : oneOf(['binance', 'coinbase', 'own:feed.example.com'])
  const sources = text === 2 && (evidence !== 'none' || isLikely(50)) ? [sourcesText(source, evidence)] : []
  const seconds = oneOf(DURATIONS)
  const expectedMs = BEGINS_MS + OPENS_MS + seconds * 1_000
  const writer = new LogWriter({
    text,
    sources: sources.map(entryHashOf)[0] ?? 'c'.repeat(64),
    after: isLikely(50) ? 0 : between(1, 10_000),
  })
  const market: Market = {
    writer,
    trades: randomTrades({
      source,
      hasNumbers: evidence === 'ids' || (text === 2 && isLikely(30)),
      untilMs: expectedMs + oneOf([5_000, 70_000, 70_000]),
      silences: silencesAround(expectedMs, evidence),
      left,
    }),
    source,
    evidence,
    version,
  }
  const steps = stepsOf(market)
  const opened = accept(market, steps, { seconds, terms })
  if (opened === null) return null
  const end = market.evidence === 'ids' ? endByLine(market, steps, opened) : endByTicks(market, steps, opened)
  for (const step of steps) step.write()
  writer.flush()
  const change = end.exit === null ? 0 : end.exit.price - opened.facts.entry.price
  const gain = opened.facts.direction === 'buy' ? change : -change
  const age = version === 1 ? { max_tick_age_ms: opened.maxTickAgeMs } : {}
  const result = gain === 0 ? 'draw' : gain > 0 ? 'win' : 'lose'
  return {
    accepted: opened.facts,
    result: { ...opened.facts, ...age, max_tick_age_ms: opened.maxTickAgeMs, ...end, kind: 'result', result },
    owner: opened.owner,
    log: writer.batches,
    terms: version === 2 ? terms.texts : [],
    sources: version === 2 ? sources : [],
  }
}

/**
 * Periods without trades: none, before the expiry, after it, or around it. Either there were no trades, or the log did
 * not receive them.
 */
function silencesAround(expiryMs: number, evidence: SourceClass): Silence[] {
  const isLost = evidence === 'ids' ? isLikely(60) : evidence === 'computed'
  const [longMs, shortMs] = [between(16_000, 20_000), between(500, 9_000)]
  // Often there is no trade at the expiry and for a while after it.
  const quiet = {
    fromMs: expiryMs - between(0, 4_000),
    toMs: expiryMs + oneOf([30_000, 100_000]),
    isLost: isLost && evidence === 'computed',
  }
  return oneOf<Silence[]>([
    [],
    [{ fromMs: expiryMs - longMs, toMs: expiryMs + between(-500, 1_500), isLost }],
    [{ fromMs: expiryMs - shortMs, toMs: expiryMs + shortMs, isLost }],
    [quiet],
    [quiet],
  ])
}

/** Lists the writes of the log in order of receipt. The caller takes steps from the beginning. */
function stepsOf({ writer, trades, source }: Market): Step[] {
  const hasSecond = isLikely(50)
  const own = trades.flatMap((trade): Step[] => {
    const { price: one, fate } = trade
    if (fate === 'missing') return hasSecond ? secondSource(trade, writer) : []
    if (fate === 'tick') return [{ atMs: one.receivedMs, write: () => writer.tick(one) }]
    const ref = one.ref ?? 0
    const note = { kind: 'x', symbolId: one.symbolId, source, from: ref, to: ref, why: fate } as const
    return [{ atMs: one.receivedMs, write: () => writer.leaveOut(note) }]
  })
  const untilMs = trades.at(-1)?.price.receivedMs ?? 0
  const other = otherTicks(untilMs).map((tick) => ({ atMs: tick.receivedMs, write: () => writer.tick(tick) }))
  writer.use(SYMBOL.symbol_id, source)
  const steps = [...own, ...other].toSorted((a, b) => a.atMs - b.atMs)
  const size = oneOf([1, 3, 8])
  return steps.map((step, at) => ({ ...step, write: () => writeThen(step, at % size === 0 ? writer : null) }))
}

/**
 * Returns a write of a tick from a second source, which is used while a trade of the first is missing. Before the entry
 * there is no such tick.
 */
function secondSource({ price: one }: Trade, writer: LogWriter): Step[] {
  const isAfterEntry = one.receivedMs > BEGINS_MS + OPENS_MS + 1_000
  if (!isAfterEntry || one.timeMs > one.receivedMs + 20) return []
  const tick = { ...one, price: one.price + 1_000, source: 'second', ref: null }
  return [{ atMs: one.receivedMs, write: () => writer.tick(tick) }]
}

function writeThen(step: Step, writer: LogWriter | null): void {
  step.write()
  writer?.flush()
}

/** Accepts an order on the newest tick. */
function accept(
  market: Market,
  steps: Step[],
  { seconds, terms: { texts, history } }: { readonly seconds: number; readonly terms: RandomTerms },
): Opened | null {
  const { writer, version, evidence, source } = market
  const { nowMs: writtenMs } = writeUntil(steps, BEGINS_MS + OPENS_MS)
  writer.flush()
  const openedMs = writtenMs + below(900)
  const entry = ownTicks(writer.lines()).at(-1)
  if (entry === undefined) return null
  const at = instant(openedMs)
  const payout = history.inForce('payout', String(seconds), at)
  const age = history.inForce('max_tick_age', SYMBOL.symbol, at)
  const maxTickAgeMs = Number(age?.value)
  const isFresh = openedMs - entry.timeMs <= maxTickAgeMs && entry.receivedMs - entry.timeMs <= MAX_ENTRY_LATE_MS
  if (payout === null || !isFresh) return null
  const owner = ownerText({ order: crypto.randomUUID(), stake: String(between(1, 99_999)), currency: 'USDT' })
  const named = { n: payout.n, hash: entryHashOf(texts[payout.n - 1] ?? '') }
  const group = { terms: named, evidence, max_tick_age_ms: maxTickAgeMs, source }
  const facts: AcceptedFacts = {
    v: version,
    kind: 'accepted',
    trx: `T${between(1_000_000, 9_999_999)}`,
    ...SYMBOL,
    direction: oneOf(['buy', 'sell']),
    payout_bp: Number(payout.value),
    rule: version,
    ...(version === 2 && group),
    opened_ms: openedMs,
    expires_ms: openedMs + seconds * 1_000,
    entry: tickFacts(market, entry),
    head: writer.head,
    owner: ownerHash(sha256, owner),
  }
  const isLive = Number(history.inForce('notice', ALL, at)?.value) >= HOUR_MS
  return { facts, owner, maxTickAgeMs, historyWaitMs: isLive ? DAY_MS : WATERMARK_LIMIT_MS }
}
