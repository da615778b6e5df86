import { AlertWatch, type SplitsOf } from '#core/markets/price-alerts/price-alert-watch.ts'
import type { WatchedAlert } from '#core/markets/price-alerts/price-alert.ts'
import { MAX_TICK_DELAY_MS } from '#core/markets/tick.ts'
import { later } from '#core/time/instant.ts'
import {
  type AlertMark,
  alertsChangedAfter,
  expireAlerts,
  lockMark,
  moveMark,
  saveAdvanced,
  tellFired,
  type NotifiedFiring,
} from '#server/price-alerts/alerts.queries.ts'
import { batchesAfter } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'
import { textToTicks } from '#server/market-data/tick-log/tick-text.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** 100 batches are some seconds of the tick log of all symbols, so a transaction is short. */
const BATCHES_PER_PORTION = 100

/**
 * This server's copy of the alerts and of the position up to which the tick log was read for alerts. All of this is
 * also in the database.
 */
interface Memory {
  readonly watch: AlertWatch
  untilSeq: number
  /**
   * The number up to which all changes of alerts were read. Only a read under the lock of the mark moves it, because a
   * transaction that sets an alert with a lower number may commit after one with a higher number.
   */
  changeN: bigint
}

interface WatcherParts {
  readonly ctx: Pick<Ctx, 'db' | 'now' | 'publish'>
  /** Null where no other server can watch the alerts. */
  readonly fence: Fence | null
  readonly splitsOf: SplitsOf
}

/**
 * Reads the tick log in order and lets alerts fire. For each portion of the log, one transaction stores the changed
 * alerts, their notices and the position in the log (the mark). It also compares the fencing token. So each firing is
 * stored once.
 */
export class AlertWatcher {
  readonly #ctx: WatcherParts['ctx']
  readonly #fence: Fence | null
  readonly #splitsOf: SplitsOf
  #memory: Memory | null = null

  constructor({ ctx, fence, splitsOf }: WatcherParts) {
    this.#ctx = ctx
    this.#splitsOf = splitsOf
    this.#fence = fence
  }

  /** Reads the next portion of the log. Returns whether there may be more. */
  async readPortion(): Promise<boolean> {
    try {
      return await this.#readPortion()
    } catch (error) {
      // The transaction failed, so this server's copy may be ahead of the database.
      this.#memory = null
      throw error
    }
  }

  /**
   * Ends expired alerts whose symbols have no later ticks, and writes the notices that were held back during a break
   * that is over. Call it after reading the log.
   */
  async tidy(): Promise<void> {
    await this.#inTransaction(async (tx) => {
      // No tick as old as this can be added to the log any more.
      await expireAlerts(tx, later(this.#ctx.now(), -2 * MAX_TICK_DELAY_MS))
      return await tellFired(tx)
    })
  }

  async #readPortion(): Promise<boolean> {
    const { db } = this.#ctx
    const memory = (this.#memory ??= await this.#load())
    await readChanges(db, memory)
    if (memory.watch.isEmpty) return false
    // The log before the first running alert is skipped.
    const from = Math.max(memory.untilSeq, memory.watch.firstSeq())
    const batches = await batchesAfter(db, from, BATCHES_PER_PORTION)
    if (batches.length === 0) return false
    await this.#inTransaction(async (tx, untilSeq) => {
      if (untilSeq !== memory.untilSeq) throw new Error('another server has read the log for alerts')
      memory.changeN = await readChanges(tx, memory)
      // A user has just set an alert that needs the skipped part of the log, so the next call reads that part.
      if (from > untilSeq && memory.watch.firstSeq() < from) return []
      return await advance(tx, memory, batches)
    })
    return true
  }

  async #load(): Promise<Memory> {
    return await this.#ctx.db.transaction().execute(async (tx) => {
      const { untilSeq, lastPlaces } = await this.#lockMark(tx)
      const memory: Memory = { watch: new AlertWatch(this.#splitsOf), untilSeq, changeN: 0n }
      memory.changeN = await readChanges(tx, memory)
      for (const [symbolId, last] of lastPlaces) memory.watch.restore(symbolId, last)
      return memory
    })
  }

  async #lockMark(tx: Tx): Promise<AlertMark> {
    const mark = await lockMark(tx, this.#fence)
    if (mark === null) throw new Error('another server has the lease of the alerts')
    return mark
  }

  /** Locks the mark, runs a write, and after the commit publishes the firings that have a notice. */
  async #inTransaction(run: (tx: Tx, untilSeq: number) => Promise<NotifiedFiring[]>): Promise<void> {
    const notified = await this.#ctx.db.transaction().execute(async (tx) => {
      const { untilSeq } = await this.#lockMark(tx)
      return await run(tx, untilSeq)
    })
    for (const { userId, alertId, tick } of notified)
      this.#ctx.publish({ kind: 'alert-fired', userId, alert: { id: alertId, ...tick } })
  }
}

/**
 * Loads the alerts that users have set, changed or ended since the last load under the lock of the mark, and the alerts
 * that this watcher has written. Returns the number of the newest change.
 */
async function readChanges(db: Db, memory: Memory): Promise<bigint> {
  let newest = memory.changeN
  for (const alert of await alertsChangedAfter(db, memory.changeN)) {
    newest = alert.changeN
    memory.watch.put(alert)
  }
  return newest
}

/** Applies the ticks of a portion to the alerts, and stores the changed alerts with their notices. */
async function advance(tx: Tx, memory: Memory, batches: readonly BatchRow[]): Promise<NotifiedFiring[]> {
  const notified: NotifiedFiring[] = []
  let changed = new Map<string, WatchedAlert>()
  const store = async () => {
    if (changed.size === 0) return
    if ((await saveAdvanced(tx, [...changed.values()])) !== changed.size)
      throw new Error('an alert was ended while its portion of the log was read')
    notified.push(...(await tellFired(tx)))
    changed = new Map()
  }
  for (const { payload } of batches) {
    for (const tick of textToTicks(payload ?? '')) {
      for (const next of memory.watch.advance(tick)) {
        // `saveAdvanced` can store only one new firing of an alert, so each firing is stored before the alert's next
        // one.
        if ((changed.get(next.id)?.round ?? next.round) !== next.round) await store()
        changed.set(next.id, next)
      }
    }
  }
  await store()
  memory.untilSeq = batches.at(-1)?.lastSeq ?? memory.untilSeq
  await moveMark(tx, { untilSeq: memory.untilSeq, lastPlaces: memory.watch.lastPlaces() })
  return notified
}
