import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import { insertBatch, readHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import type { PriceRow } from '#server/trading/engine/due-order.ts'
import { writeSettlementPrices } from '#server/trading/engine/settlement-prices.queries.ts'
import { SETTLE_SHARDS } from '#server/trading/engine/settle-shards.ts'

const STALE_TRIES = 10

/** Counts how often the database refused the writes of a server whose lease is outdated. */
export class StaleWrites {
  tried = 0
  refused = 0

  async try(db: Db, fence: Fence): Promise<void> {
    for (let tries = 0; tries < STALE_TRIES; tries += 1) {
      this.tried += 1
      if (!(await (fence.lease === 'ticks' ? writesBatch(db, fence) : writesPrice(db, fence)))) this.refused += 1
    }
  }
}

async function writesBatch(db: Db, fence: Fence): Promise<boolean> {
  const head = await readHead(db)
  const firstSeq = head.lastSeq + 1
  const now = systemClock.now()
  const payload = `${firstSeq} 1 666 0 ${now} ${now} stale\n`
  const times = { firstTime: now, lastTime: now, writtenAt: now }
  const batch = { firstSeq, lastSeq: firstSeq, ...times, payload, previousHash: head.hash, hash: head.hash }
  return await insertBatch(db, batch, fence)
}

/** Writes a price for an expiry without orders, so that an accepted write changes nothing. */
async function writesPrice(db: Db, fence: Fence): Promise<boolean> {
  const head = await readHead(db)
  const tick = { seq: 1, symbolId: SETTLE_SHARDS, price: price(1), volume: volume(0), source: 'stale' }
  const at = (ms: number) => ({ ...tick, time: instant(ms), receivedAt: instant(ms) })
  const row: PriceRow = {
    symbolId: SETTLE_SHARDS,
    expiresAt: instant(1_000),
    exit: at(999),
    next: at(1_001),
    watermark: instant(1_001),
    voidReason: null,
    maxTickAgeMs: 5_000,
    head,
    writerToken: null,
  }
  const guard = { shards: SETTLE_SHARDS, held: [{ ...fence, shard: 0 }] }
  return (await writeSettlementPrices(db, [row], systemClock.now(), guard)).length > 0
}
