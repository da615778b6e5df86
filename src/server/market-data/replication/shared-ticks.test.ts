import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { later } from '#core/time/instant.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { SharedTicks, TickMessage } from '#server/market-data/replication/shared-ticks.ts'
import { readStream } from '#server/market-data/replication/tick-stream.queries.ts'
import { sameHash } from '#server/market-data/tick-log/tick-text.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: Server[] = []
/** Transfers messages between servers, unchanged unless a test replaces this function. */
let carry: (word: TickMessage) => TickMessage[] = (word) => [word]
beforeEach(async () => {
  carry = (word) => [word]
})
afterEach(async () => {
  for (const { ticks } of running.splice(0)) await ticks.stop()
})

interface Server {
  ctx: TestContext
  feed: ScriptedFeed
  ticks: TickService
  lead(): Promise<Fence>
  follow(): Promise<void>
  hear(word: TickMessage): void
}

async function server(name: string, startAt = TEST_START): Promise<Server> {
  const ctx = createTestContext(database.db, startAt)
  const feed = new ScriptedFeed([BTC, AAPL])
  const listeners = new Set<(word: TickMessage) => void>()
  let turns: Parameters<SharedTicks['seek']>[0] | null = null
  const hear = (word: TickMessage) => {
    for (const listener of listeners) listener(word)
  }
  const shared: SharedTicks = {
    mayLead: true,
    seek: (given) => {
      turns = given
    },
    publish(word) {
      for (const one of carry(word)) for (const other of running) if (other.ctx !== ctx) other.hear(one)
    },
    onMessage(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isConnected: () => true,
    hasOthers: () => true,
  }
  const ticks = createTicks({ ctx, feed, shared, symbols: [BTC, AAPL], flushMs: 100 })
  await ticks.start()
  const instance: Server = {
    ctx,
    feed,
    ticks,
    hear,
    async lead() {
      const fence = await takeLease(name)
      await turns?.lead(fence)
      return fence
    },
    async follow() {
      await turns?.follow()
    },
  }
  running.push(instance)
  return instance
}

async function takeLease(owner: string): Promise<Fence> {
  const before = await database.db.selectFrom('lease').select('token').executeTakeFirst()
  const token = (before?.token ?? 0n) + 1n
  const row = { name: 'ticks', owner, token, until_ms: 0 }
  await database.db
    .insertInto('lease')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
  return { lease: 'ticks', token }
}

const at = (ms: number) => later(TEST_START, ms)
const waitFor = (isSo: () => boolean) =>
  vi.waitFor(
    () => {
      for (const { ctx } of running) ctx.clock.advance(50)
      expect(isSo()).toBe(true)
    },
    { interval: 2 },
  )
const newest = ({ ticks }: Server) => ticks.latest(BTC.id)?.price

describe('a log that several servers share', () => {
  it("P11: is complete on other servers up to the last time that its writer confirmed, by the writer's clock", async () => {
    const leader = await server('a')
    const other = await server('b', later(TEST_START, 700))
    await leader.lead()
    leader.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => newest(other) === 100_00)
    const known = other.ticks.waitingSince(BTC.id) ?? 0
    expect(known).toBeLessThanOrEqual(leader.ctx.now())
    expect(known).toBeGreaterThanOrEqual(at(0))
    carry = () => []
    leader.feed.tick(BTC.id, 101_00, at(1_000))
    leader.ctx.clock.advance(2_000)
    expect(other.ticks.waitingSince(BTC.id)).toBe(known)
    // The follower finds new ticks in the log but received no message. So it does not know which prices still wait at
    // the writer.
    await waitFor(() => newest(other) === 101_00)
    expect(other.ticks.waitingSince(BTC.id)).toBeNull()
  })

  it('lets one server write, and the other servers know its ticks, heartbeats and suspect flags', async () => {
    const leader = await server('a')
    const other = await server('b')
    await leader.lead()
    other.feed.tick(BTC.id, 77_00, at(0))
    leader.feed.tick(BTC.id, 100_00, at(0))
    leader.feed.tick(AAPL.id, 50_00, at(1))
    await waitFor(() => newest(other) === 100_00)
    expect(other.ticks.head().lastSeq).toBe(2)
    expect(sameHash(other.ticks.head().hash, leader.ticks.head().hash)).toBe(true)
    expect(other.ticks.isLeader()).toBe(false)

    leader.feed.heartbeat(BTC.id, at(40))
    await waitFor(() => other.ticks.watermark(BTC.id) === at(40))
    leader.feed.doubt(BTC.id, 'spike')
    expect(other.ticks.doubt(BTC.id)).toBe('spike')
    leader.feed.doubt(BTC.id, null)
    await waitFor(() => other.ticks.doubt(BTC.id) === null)
    expect(other.ticks.openCandle(BTC.id, '1m')).toEqual(leader.ticks.openCandle(BTC.id, '1m'))
  })

  it('P7: keeps a suspect flag that is newer than the stored state when a follower reads the log', async () => {
    const leader = await server('a')
    const other = await server('b')
    await leader.lead()
    leader.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => newest(other) === 100_00)
    await vi.waitFor(async () => expect(await readStream(database.db)).toMatchObject({ headSeq: 1 }))
    leader.feed.doubt(BTC.id, 'spike')
    await other.ticks.waitUntilCaughtUp()
    expect(other.ticks.doubt(BTC.id)).toBe('spike')
  })

  it('reports sources and unused trades to followers, as the listening server sees them', async () => {
    const leader = await server('a')
    const other = await server('b')
    const source = { symbolId: BTC.id, provider: 'one', providerSymbol: 'B', state: 'well', isUsed: true } as const
    const sources = [{ ...source, newestAt: null, heardAt: null, unused: { spike: 2 } }]
    const unplaced = [{ provider: 'one', unused: { unreadable: 1 } }]
    Object.assign(leader.feed, { sources: () => sources, unplaced: () => unplaced })
    await leader.lead()
    leader.feed.tick(BTC.id, 100_00, at(10_000))
    leader.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => other.ticks.sources().keptOut.ahead === 1)
    expect(other.ticks.sources()).toMatchObject({ sources, unplaced, keptOut: { ahead: 1, runs_back: 0 } })
    expect(other.ticks.sources()).toEqual(leader.ticks.sources())
  })

  it('lets followers read the missing part when a message was lost, and no heartbeat overtakes earlier ticks', async () => {
    const leader = await server('a')
    const other = await server('b')
    await leader.lead()
    leader.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => newest(other) === 100_00)
    carry = () => []
    leader.feed.tick(BTC.id, 101_00, at(10))
    await waitFor(() => newest(leader) === 101_00)
    expect(newest(other)).toBe(100_00)

    // The next message reports a heartbeat after the lost tick.
    carry = (word) => [word]
    const seen: (number | undefined)[] = []
    other.ticks.onBatch(() => seen.push(newest(other)))
    leader.feed.heartbeat(BTC.id, at(60))
    await waitFor(() => other.ticks.watermark(BTC.id) === at(60))
    expect(newest(other)).toBe(101_00)
    expect(seen.every((price) => price === 101_00)).toBe(true)
  })

  it('lets followers read it several times a second when no messages arrive', async () => {
    const leader = await server('a')
    const other = await server('b')
    carry = () => []
    await leader.lead()
    leader.feed.tick(BTC.id, 100_00, at(0))
    leader.feed.heartbeat(BTC.id, at(30))
    await waitFor(() => other.ticks.watermark(BTC.id) === at(30))
    expect(newest(other)).toBe(100_00)
  })

  it('ignores messages with a wrong hash, repeated messages, and messages of an earlier writer', async () => {
    const leader = await server('a')
    const other = await server('b')
    const messages: TickMessage[] = []
    carry = (word) => {
      messages.push(word)
      return [{ ...word, payload: word.payload.replace(' 10000 ', ' 99999 ') }]
    }
    await leader.lead()
    leader.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => newest(other) === 100_00)
    carry = () => []
    const word = messages.find(({ payload }) => payload !== '')
    if (word === undefined) throw new Error('it was told')
    other.hear(word)
    other.hear({ ...word, token: 0n, payload: '', heard: [[BTC.id, at(500)]] })
    expect(other.ticks.watermark(BTC.id)).toBe(at(0))
    expect(other.ticks.head().lastSeq).toBe(1)
  })

  it('changes writers: refuses late batches of the old writer, and the new writer continues', async () => {
    const late = await server('a')
    const next = await server('b')
    await late.lead()
    late.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => newest(next) === 100_00)

    // The first server does not know yet that another has replaced it.
    await next.lead()
    late.feed.tick(BTC.id, 666_00, at(20))
    next.feed.tick(BTC.id, 101_00, at(10))
    await waitFor(() => newest(next) === 101_00)
    await waitFor(() => late.ctx.lines.some(({ message }) => message.includes('another server writes the log')))
    await late.follow()
    await waitFor(() => newest(late) === 101_00)
    next.feed.tick(BTC.id, 102_00, at(30))
    await waitFor(() => newest(late) === 102_00)

    // The first server becomes the writer again.
    await late.lead()
    await next.follow()
    late.feed.tick(BTC.id, 103_00, at(40))
    await waitFor(() => newest(next) === 103_00)
    expect(late.ticks.head().lastSeq).toBe(4)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true })
    const log = await database.db.selectFrom('tick_batch').select('payload').orderBy('first_seq').execute()
    expect(log.map(({ payload }) => /^t \d+ \d+ (\d+)/m.exec(payload)?.[1])).toEqual([
      '10000',
      '10100',
      '10200',
      '10300',
    ])
  })

  it('rejects a tick from before the watermark under the next writer too', async () => {
    const first = await server('a')
    const next = await server('b')
    await first.lead()
    first.feed.tick(BTC.id, 100_00, at(0))
    first.feed.heartbeat(BTC.id, at(50))
    await waitFor(() => next.ticks.watermark(BTC.id) === at(50))
    await first.follow()
    await next.lead()
    next.feed.tick(BTC.id, 99_00, at(40))
    next.feed.tick(BTC.id, 101_00, at(60))
    await waitFor(() => newest(first) === 101_00)
    expect(next.ticks.head().lastSeq).toBe(2)
  })

  it.each([
    ['by its words', (word: TickMessage) => [word]],
    ['by the log, as no word arrives', () => []],
  ])('P9: marks the bar of a takeover as partial on every server, sent %s', async (_, passOn) => {
    const first = await server('a')
    const next = await server('b')
    const third = await server('c')
    const closed: number[] = []
    for (const { ticks } of [next, third])
      ticks.onCandleClosed(({ interval, candle }) => interval === '1m' && closed.push(candle.openTime))
    await first.lead()
    first.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => [next, third].every((one) => newest(one) === 100_00))
    carry = passOn
    for (const { ctx } of running) ctx.clock.advance(20_000)
    await first.follow()
    await next.lead()
    next.feed.tick(BTC.id, 101_00, at(25_000))
    await waitFor(() => newest(third) === 101_00)
    for (const { ctx } of running) ctx.clock.advance(60_000)
    next.feed.tick(BTC.id, 102_00, at(61_000))
    next.feed.tick(BTC.id, 103_00, at(62_000))
    await waitFor(() => newest(third) === 103_00)
    for (const { ctx } of running) ctx.clock.advance(60_000)
    next.feed.tick(BTC.id, 104_00, at(121_000))
    await waitFor(() => [first, third].every((one) => newest(one) === 104_00))
    for (const { ticks } of running) {
      const shown = await ticks.shownCandles({ symbolId: BTC.id, interval: '1m', limit: 3 })
      const marks = shown.map(({ candle, isPartial }) => [candle.openTime, candle.close, isPartial])
      expect(marks.slice(0, 2)).toEqual([
        [at(0), 101_00, true],
        [at(60_000), 103_00, false],
      ])
    }
    expect(closed.toSorted((a, b) => a - b)).toEqual([at(0), at(0), at(60_000), at(60_000)])
  })

  it('P9: does not close a bar to which the writer still adds ticks while another server starts', async () => {
    const leader = await server('a')
    await leader.lead()
    leader.ctx.clock.advance(59_000)
    leader.feed.tick(BTC.id, 100_00, at(59_000), 5)
    await waitFor(() => newest(leader) === 100_00)
    leader.ctx.clock.advance(2_000)
    const other = await server('b', at(61_500))
    leader.feed.tick(BTC.id, 101_00, at(59_900), 5)
    leader.feed.tick(BTC.id, 102_00, at(61_000), 5)
    await waitFor(() => newest(other) === 102_00)
    const bars = async ({ ticks }: Server) =>
      (await ticks.shownCandles({ symbolId: BTC.id, interval: '1m', limit: 2 })).map(({ candle }) => candle)
    expect((await bars(other))[0]).toMatchObject({ openTime: at(0), close: 101_00, volume: 10 })
    expect(await bars(other)).toEqual(await bars(leader))
    await other.ticks.stop()
    await leader.ticks.stop()
    running.splice(0)
    const rows = await database.db
      .selectFrom('candle')
      .select(['open_ms', 'volume'])
      .where('interval', '=', '1m')
      .execute()
    expect(rows).toEqual([{ open_ms: BigInt(at(0)), volume: 10n }])
  })

  it('lets the next writer store a candle that closed without a writer', async () => {
    const first = await server('a')
    const next = await server('b')
    await first.lead()
    first.feed.tick(BTC.id, 100_00, at(0))
    await waitFor(() => newest(next) === 100_00)
    for (const { ctx } of running) ctx.clock.advance(60_000)
    first.feed.tick(BTC.id, 101_00, at(60_000))
    await waitFor(() => newest(next) === 101_00)
    await next.lead()
    await next.ticks.stop()
    const rows = await database.db
      .selectFrom('candle')
      .select(['open_ms', 'close'])
      .where('symbol_id', '=', BTC.id)
      .where('interval', '=', '1m')
      .execute()
    expect(rows).toContainEqual({ open_ms: BigInt(at(0)), close: 100_00n })
  })
})
