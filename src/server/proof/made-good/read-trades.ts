import {
  compareEntry,
  type ContradictedEntry,
  type NumberedEntry,
  readingOf,
  type RecordReading,
} from '#core/orders/rules/made-good.ts'
import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import { type Instant, later, SECOND_MS } from '#core/time/instant.ts'
import { splitByTime } from '#core/time/split-by-time.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { listOrdersOf } from '#server/proof/made-good/made-good.queries.ts'
import { type DecisionKey, findDecision } from '#server/proof/records/decisions.queries.ts'
import { MAX_QUESTION_MS } from '#server/trading/evidence/split-questions.ts'

interface Parts {
  readonly ctx: Ctx
  readonly ticks: Pick<TickService, 'record'>
}

/**
 * Reading starts 10 s before the oldest trade that counts. With the earlier prices, the server recognises a single
 * price that is far from the others.
 */
const BEFORE_MS = 10 * SECOND_MS

/**
 * Reads the record of a source around expiries at most a minute apart, and around the entries of their orders. The
 * result has no reading for an expiry while the record cannot be read, or may still get an earlier trade.
 */
export async function readTrades<Key extends DecisionKey>(
  parts: Parts,
  question: readonly Key[],
): Promise<ReadonlyMap<Key, RecordReading>> {
  const readings = new Map<Key, RecordReading>()
  const [first] = question
  const last = question.at(-1)
  if (first === undefined || last === undefined) return readings
  const oldestMs = Math.max(...question.map(({ maxTickAgeMs }) => maxTickAgeMs))
  const record = await ask(parts, first, {
    from: later(first.expiresAt, -oldestMs),
    through: last.expiresAt,
  })
  if (record === null) return readings
  const entriesOf = new Map<Key, readonly NumberedEntry[]>()
  for (const key of question) entriesOf.set(key, await listEntries(parts.ctx, key))
  const compared = await compareEntries(parts, first, [...entriesOf.values()].flat())
  for (const [key, entries] of entriesOf) {
    const reading = readingOf(record, key.expiresAt)
    const found = entries.map(({ ref }) => compared.get(ref) ?? null)
    if (reading === null || found.includes(null)) continue
    readings.set(key, { ...reading, entries: found.filter((one) => one !== null && one !== 'agrees') })
  }
  return readings
}

/** Returns the entry trades of a decision's orders, each once, by ascending trade number. */
async function listEntries({ db }: Ctx, key: DecisionKey): Promise<NumberedEntry[]> {
  if (key.evidence !== 'ids') return []
  const { decidedAt } = await findDecision(db, key)
  const orders = await listOrdersOf(db, key, decidedAt)
  const entries = new Map(orders.flatMap(({ entry }) => (entry === null ? [] : [[entry.ref, entry] as const])))
  return [...entries.values()].toSorted((a, b) => a.ref - b.ref)
}

/**
 * Compares entry trades with the record by their trade number. Entries close to each other in time need only one
 * request. The value is null where the record could not be read.
 */
async function compareEntries(
  parts: Parts,
  source: DecisionKey,
  entries: readonly NumberedEntry[],
): Promise<ReadonlyMap<number, ContradictedEntry | 'agrees' | null>> {
  const compared = new Map<number, ContradictedEntry | 'agrees' | null>()
  const byTime = entries.toSorted((a, b) => a.time - b.time)
  for (const near of splitByTime(byTime, ({ time }) => time, MAX_QUESTION_MS)) {
    const [first] = near
    const last = near.at(-1)
    if (first === undefined || last === undefined) continue
    const record = await ask(parts, source, { from: first.time, through: last.time })
    for (const entry of near) compared.set(entry.ref, record && compareEntry(record, entry))
  }
  return compared
}

/** Requests the record for a range of time. Null without a reply. */
async function ask(
  { ctx, ticks }: Parts,
  { symbolId, source }: DecisionKey,
  { from, through }: { readonly from: Instant; readonly through: Instant },
): Promise<JudgedRecord | null> {
  try {
    return await ticks.record({ symbolId, source, from: { time: later(from, -BEFORE_MS) }, through })
  } catch (error) {
    ctx.log.warn({ err: error, symbolId, source }, 'the record of a price source could not be read again')
    return null
  }
}
