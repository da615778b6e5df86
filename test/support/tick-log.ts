import fc from 'fast-check'
import type { SourceTick, Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { BATCH_SPAN_MS, insertBatch } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { BatchWriter } from '#server/market-data/tick-log/batch-writer.ts'
import { batchHash, GENESIS_HASH, ticksToText } from '#server/market-data/tick-log/tick-text.ts'
import { TEST_START } from '#test/support/test-context.ts'

export interface TickStep {
  readonly symbolId: number
  readonly wait: number
}

/** Generates batches of ticks of two symbols with ascending times per symbol, many within the same millisecond. */
export const tickSteps = fc.array(
  fc.array(fc.record({ symbolId: fc.constantFrom(1, 2), wait: fc.constantFrom(0, 0, 0, 1, 2, 40_000) }), {
    minLength: 1,
    maxLength: 8,
  }),
  { minLength: 1, maxLength: 8 },
)

/** Returns the ticks of each batch, split where the writer would split. `gapMs` elapses between two batches. */
export function toTicks(steps: readonly (readonly TickStep[])[], gapMs = 0): Tick[][] {
  const newest = new Map<number, number>()
  let seq = 0
  return steps.flatMap((batch, index) => {
    const ticks = batch.map(({ symbolId, wait }) => {
      seq += 1
      const time = instant(Math.max(newest.get(symbolId) ?? 0, TEST_START + index * gapMs) + wait)
      newest.set(symbolId, time)
      const tick: SourceTick = {
        symbolId,
        price: price(1_000 + ((seq * 37) % 101)),
        volume: volume(seq * 3),
        time,
        source: symbolId === 1 ? 'test' : `test-${seq % 2}`,
      }
      return { ...tick, seq, receivedAt: instant(time + (seq % 3)) }
    })
    return cutBySpan(ticks)
  })
}

function cutBySpan(ticks: readonly Tick[]): Tick[][] {
  const batches: Tick[][] = []
  let times: number[] = []
  for (const tick of ticks) {
    times.push(tick.time)
    const isSpanned = Math.max(...times) - Math.min(...times) <= BATCH_SPAN_MS
    const batch = isSpanned ? batches.at(-1) : undefined
    if (batch === undefined) {
      batches.push([tick])
      times = [tick.time]
    } else batch.push(tick)
  }
  return batches
}

/** Gives ticks of symbol 1 numbers of a provider, some of them missing. Batches before `from` stay as they are. */
export function numberTicks(all: readonly Tick[][], from: number): Tick[][] {
  return all.map((ticks, at) =>
    at < from
      ? ticks
      : ticks.map((tick) => (tick.symbolId === 1 ? { ...tick, ref: tick.seq + Math.floor(tick.seq / 3) } : tick)),
  )
}

/**
 * Returns a function that formats the next batch: before batch `from` in version 1 of the log's text format, then in
 * version 2. Every third batch has another configuration.
 */
function batchTexts(from: number): (ticks: readonly Tick[]) => string {
  const writer = new BatchWriter()
  let count = 0
  return (ticks) => {
    count += 1
    if (count <= from) return ticksToText(ticks)
    const sources = String(Math.floor(count / 3) % 10).repeat(64)
    const draft = writer.draft(
      ticks.map((tick) => ({ ...tick, sources, notes: [] })),
      ticks[0]?.seq ?? 0,
    )
    draft.commit()
    return draft.payload
  }
}

/**
 * Writes these batches, each shortly after its last tick. Batches before `text2From` are in version 1 of the log's text
 * format, and later batches in version 2.
 */
export async function writeTickLog(
  db: Db,
  all: readonly Tick[][],
  text2From = Number.POSITIVE_INFINITY,
): Promise<void> {
  let previousHash = GENESIS_HASH
  const textOf = batchTexts(text2From)
  for (const ticks of all) {
    const payload = textOf(ticks)
    const hash = batchHash(previousHash, payload)
    const times = ticks.map((tick) => tick.time)
    const lastTime = instant(Math.max(...times))
    await insertBatch(db, {
      firstSeq: ticks[0]?.seq ?? 0,
      lastSeq: ticks.at(-1)?.seq ?? 0,
      firstTime: instant(Math.min(...times)),
      lastTime,
      writtenAt: instant(lastTime + 50),
      payload,
      previousHash,
      hash,
    })
    previousHash = hash
  }
}
