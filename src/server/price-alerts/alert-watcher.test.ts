import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { AlertWatcher } from '#server/price-alerts/alert-watcher.ts'
import {
  endRunningAlert,
  insertAlert,
  readMark,
  shareMark,
  type StoredAlert,
} from '#server/price-alerts/alerts.queries.ts'
import { changeAlert, setAlert } from '#server/price-alerts/set-alert.ts'
import { watchAlerts } from '#server/price-alerts/watch-alerts.ts'
import { insertBatch } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { batchHash, GENESIS_HASH, ticksToText } from '#server/market-data/tick-log/tick-text.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { withoutRules } from '#test/support/bare-rows.ts'
import { onOtherSessions } from '#test/support/one-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
const SYMBOLS = ['BTC', 'ETH']
let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
})
afterAll(() => app.stop())

type Step =
  | { do: 'log'; ticks: { symbol: number; units: number; wait: number }[] }
  | { do: 'set' | 'edit'; at: number; symbol: number; kind: 'above' | 'below' | 'move'; by: number; repeats: boolean }
  | { do: 'end'; at: number }
  | { do: 'read'; server: number }
  | { do: 'failover'; server: number }

const aRule = {
  at: fc.nat(5),
  symbol: fc.nat(1),
  kind: fc.constantFrom('above' as const, 'below' as const, 'move' as const),
  by: fc.integer({ min: 1, max: 6 }),
  repeats: fc.boolean(),
}
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('log' as const),
      ticks: fc.array(
        fc.record({
          symbol: fc.nat(1),
          units: fc.integer({ min: 92, max: 108 }),
          wait: fc.constantFrom(0, 1_000, 3 * MINUTE_MS),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), ...aRule }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), ...aRule }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), at: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), server: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failover' as const), server: fc.nat(2) }) },
)

/**
 * The time between two decisions of the user about an alert. In this time, only ticks after the alert's `fromSeq` and
 * up to `until` can make it fire.
 */
interface Life {
  readonly alert: StoredAlert
  until: number
}

function watcher(token: bigint): AlertWatcher {
  return new AlertWatcher({ ctx: app.ctx, fence: { lease: 'price-alerts', token }, splitsOf: () => [] })
}

/** One installation with a tick log, a user and three servers, of which one has the lease. */
class World {
  readonly log: Tick[] = []
  readonly lives: Life[] = []
  readonly running = new Map<string, StoredAlert>()
  #hash: Uint8Array = GENESIS_HASH
  #time: number = TEST_START
  #token = 1n
  readonly #watchers = [1n, 0n, 0n].map(watcher)
  #holder = 0

  get #parts() {
    const { log } = this
    const lastSeq = log.length
    return {
      ...app,
      ticks: {
        ...app.ticks,
        waitUntilCaughtUp: () => Promise.resolve(),
        latest: (symbolId: number) => log.findLast((tick) => tick.symbolId === symbolId) ?? null,
        head: () => ({ lastSeq, hash: GENESIS_HASH }),
      },
    }
  }

  async begin(): Promise<void> {
    await withoutRules(database, async (tx) => {
      for (const table of ['tick_batch', 'price_alert', 'alert_mark', 'notice', 'notice_delivery', 'lease'])
        await sql.raw(`delete from ${table}`).execute(tx)
    })
    await database.db
      .insertInto('lease')
      .values({ name: 'price-alerts', owner: 'test', token: 1n, until_ms: 0 })
      .execute()
    await this.run({ do: 'log', ticks: [0, 1].map((symbol) => ({ symbol, units: 100, wait: 0 })) })
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'log':
        return await this.#append(step.ticks)
      case 'set':
      case 'edit':
        return await this.#decide(step)
      case 'end': {
        const alert = this.#pick(step.at)
        if (alert !== null) await this.#finish(alert, await endRunningAlert(app.ctx.db, alert))
        return
      }
      case 'read': {
        const reading = this.#watchers[step.server]?.readPortion()
        // If the server does not have the lease, the database refuses its write, and its reading has no effect.
        if (step.server === this.#holder) await reading
        else await reading?.catch(() => false)
        return
      }
      case 'failover':
        this.#token += 1n
        this.#holder = step.server
        await database.db.updateTable('lease').set({ token: this.#token }).execute()
        this.#watchers[step.server] = watcher(this.#token)
    }
  }

  async readAll(): Promise<void> {
    while (await this.#watchers[this.#holder]?.readPortion());
  }

  async #append(ticks: readonly { symbol: number; units: number; wait: number }[]): Promise<void> {
    const batch = ticks.map(({ symbol, units, wait }, at): Tick => {
      this.#time += wait
      const listed = app.catalogue.find(SYMBOLS[symbol] ?? '')
      assert(listed, 'the symbols are listed')
      const time = instant(this.#time)
      const seq = this.log.length + at + 1
      return {
        seq,
        symbolId: listed.id,
        price: price(units),
        volume: volume(0),
        time,
        receivedAt: time,
        source: 'test',
      }
    })
    const payload = ticksToText(batch)
    const hash = batchHash(this.#hash, payload)
    const [first, last] = [batch[0], batch.at(-1)]
    assert(first && last, 'a batch has ticks')
    const times = { firstTime: first.time, lastTime: last.time, writtenAt: last.time }
    await insertBatch(database.db, {
      firstSeq: first.seq,
      lastSeq: last.seq,
      ...times,
      payload,
      previousHash: this.#hash,
      hash,
    })
    this.#hash = hash
    this.log.push(...batch)
  }

  async #decide({ do: what, at, symbol, kind, by, repeats }: Extract<Step, { do: 'set' | 'edit' }>): Promise<void> {
    const code = SYMBOLS[symbol] ?? ''
    const edited = what === 'edit' ? this.#pick(at) : null
    if (what === 'edit' && edited === null) return
    const listed = edited === null ? app.catalogue.find(code) : app.catalogue.byId(edited.symbolId)
    assert(listed, 'the symbols are listed')
    const newest = this.log.findLast((tick) => tick.symbolId === listed.id)?.price ?? 0
    const level = ((newest + (kind === 'above' ? by : -by)) / 10 ** listed.decimals).toFixed(listed.decimals)
    const settings = {
      kind,
      repeats,
      cool_minutes: 5,
      note: '',
      ...(kind === 'move' ? { percent: by } : { level }),
    }
    const result =
      edited === null
        ? await setAlert(this.#parts, user.id, { ...settings, symbol: code })
        : await changeAlert(this.#parts, edited, settings)
    assert(result.ok || edited !== null || result.refusal === 'too_many_alerts', 'a new alert needs only room')
    const alert = result.ok ? result.value : null
    if (edited !== null) await this.#finish(edited, alert)
    if (alert === null) return
    this.running.set(alert.id, alert)
    this.lives.push({ alert, until: Number.POSITIVE_INFINITY })
  }

  /**
   * Ends the current life of an alert after a decision of its user. This life then covers exactly the ticks that were
   * read for alerts.
   */
  async #finish(alert: StoredAlert, changed: StoredAlert | null): Promise<void> {
    this.running.delete(alert.id)
    // The database refused the decision because the alert fired before. So this life continues, or it is over already.
    if (changed === null) return
    const life = this.lives.findLast((one) => one.alert.id === alert.id)
    if (life) life.until = (await readMark(database.db)).untilSeq
  }

  #pick(at: number): StoredAlert | null {
    const all = [...this.running.values()]
    return all[at % Math.max(1, all.length)] ?? null
  }
}

/** Returns the ticks at which an alert fires by its definition, each with the preceding tick of the same symbol. */
function naiveFirings({ alert, until }: Life, log: readonly Tick[]): { seq: number; previous: number }[] {
  const { rule, basis, repeats, coolMs, fromSeq } = alert
  const firings: { seq: number; previous: number }[] = []
  let [before, from, restUntil, previous] = [basis.price as number, basis.price as number, 0, basis.seq]
  for (const tick of log.filter(({ symbolId, seq }) => symbolId === alert.symbolId && seq > fromSeq && seq <= until)) {
    const crosses =
      rule.kind === 'move'
        ? Math.abs(tick.price - from) * 10_000 >= rule.move * from
        : rule.kind === 'above'
          ? before < rule.level && tick.price >= rule.level
          : before > rule.level && tick.price <= rule.level
    if (crosses && tick.time >= restUntil) {
      firings.push({ seq: tick.seq, previous })
      if (!repeats) break
      restUntil = tick.time + coolMs
      from = tick.price
    }
    before = tick.price
    previous = tick.seq
  }
  return firings
}

it('fires exactly the alerts that a simple loop over the tick log fires, each once, for any log, edits and failovers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      const world = new World()
      await world.begin()
      for (const step of steps) await world.run(step)
      await world.readAll()
      const naive = world.lives.flatMap((life) =>
        naiveFirings(life, world.log).map(({ seq }) => `${life.alert.id} ${seq}`),
      )
      const notices = await database.db.selectFrom('notice').select(['subject', 'data']).execute()
      const notified = notices.map(({ subject, data }) => `${subject.split(' ')[0]} ${(data as { tick: number }).tick}`)
      expect(notified.toSorted()).toEqual(naive.toSorted())
      for (const row of await database.db.selectFrom('price_alert').selectAll().execute()) {
        const lives = world.lives.filter(({ alert }) => alert.id === row.id)
        const newest = lives.flatMap((life) => naiveFirings(life, world.log)).at(-1)
        const firing = row.fired_seq === null ? undefined : [Number(row.fired_seq), Number(row.previous_seq)]
        expect(firing).toEqual(newest && [newest.seq, newest.previous])
      }
    }),
    { numRuns: 40, endOnFailure: true },
  )
}, 120_000)

it('refuses the write of a server that was suspended while another server took the lease', async () => {
  const world = new World()
  await world.begin()
  await world.run({ do: 'set', at: 0, symbol: 0, kind: 'above', by: 2, repeats: false })
  await world.run({ do: 'read', server: 0 })
  const frozen = watcher(1n)
  await frozen.readPortion()
  await world.run({ do: 'log', ticks: [{ symbol: 0, units: 105, wait: 1 }] })
  await world.run({ do: 'failover', server: 1 })
  await expect(frozen.readPortion()).rejects.toThrow('another server has the lease')
  await world.readAll()
  expect(await database.db.selectFrom('notice').select('kind').execute()).toEqual([{ kind: 'price_alert' }])
})

it('fires an alert whose number is lower than that of an alert that was committed earlier', async () => {
  const world = new World()
  await world.begin()
  await world.run({ do: 'set', at: 0, symbol: 1, kind: 'above', by: 5, repeats: false })
  await world.run({ do: 'read', server: 0 })
  const { alert } = world.lives[0] ?? {}
  assert(alert, 'an alert is set')
  const newest = world.log.at(-2)
  assert(newest, 'the log has a price of each symbol')
  const bob = await app.verifiedUser('bob')
  const insert = (tx: Tx, userId: string) =>
    insertAlert(tx, {
      ...alert,
      userId,
      id: app.ctx.newId(),
      symbolId: newest.symbolId,
      rule: { kind: 'above', level: price(102) },
      basis: newest,
      fromSeq: world.log.length,
    })
  await database.db.transaction().execute((tx) =>
    onOtherSessions(async () => {
      await shareMark(tx)
      const first = await insert(tx, user.id)
      const second = await database.db.transaction().execute(async (other) => {
        await shareMark(other)
        return await insert(other, bob.id)
      })
      expect(second.changeN).toBeGreaterThan(first.changeN)
      await world.run({ do: 'read', server: 0 })
    }),
  )
  await world.run({ do: 'log', ticks: [{ symbol: 0, units: 103, wait: 1 }] })
  await world.readAll()
  const notices = await database.db.selectFrom('notice').select('kind').execute()
  expect(notices).toEqual([{ kind: 'price_alert' }, { kind: 'price_alert' }])
})

it('after a downtime, an alert fires by a tick before its expiry, although the expiry is past when the tick is read', async () => {
  const world = new World()
  await world.begin()
  await world.run({ do: 'set', at: 0, symbol: 0, kind: 'above', by: 5, repeats: false })
  // Two portions of the log, of which only the last batch lets the alert fire.
  for (let batch = 0; batch < 100; batch += 1)
    await world.run({ do: 'log', ticks: [{ symbol: 0, units: 101, wait: 1 }] })
  await world.run({ do: 'log', ticks: [{ symbol: 0, units: 106, wait: 1 }] })
  app.ctx.clock.jump(60 * DAY_MS)
  const stop = watchAlerts(
    { ctx: app.ctx, ticks: { onBatch: () => () => undefined }, catalogue: { byId: () => null } },
    { lease: 'price-alerts', token: 1n },
  )
  app.ctx.clock.advance(30 * SECOND_MS)
  await vi.waitFor(async () => {
    app.ctx.clock.advance(SECOND_MS)
    const rows = await database.db.selectFrom('price_alert').select('state').execute()
    expect(rows).not.toEqual([{ state: 'running' }])
  })
  await stop()
  expect(await database.db.selectFrom('price_alert').select('state').execute()).toEqual([{ state: 'fired' }])
})
