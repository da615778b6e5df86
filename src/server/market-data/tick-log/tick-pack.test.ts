import fc from 'fast-check'
import { newestLoggedTime } from '#server/market-data/tick-log/log-times.queries.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { DAY_MS, instant, later, type Instant } from '#core/time/instant.ts'
import { BatchWriter } from '#server/market-data/tick-log/batch-writer.ts'
import { keepTickLog } from '#server/market-data/tick-log/tick-log-retention.ts'
import { dropTicks, packTicks } from '#server/market-data/tick-log/pack-ticks.queries.ts'
import {
  batchesAfter,
  batchPages,
  insertBatch,
  loggedTicks,
  readHead,
} from '#server/market-data/tick-log/tick-batch.queries.ts'
import { batchHash } from '#server/market-data/tick-log/tick-text.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { createTestContext, TEST_START } from '#test/support/test-context.ts'
import { numberTicks, tickSteps, toTicks, writeTickLog } from '#test/support/tick-log.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })

const EVER = instant(9_000_000_000_000)
const pair = [
  { symbolId: 1, wait: 1 },
  { symbolId: 2, wait: 2 },
]

async function writeLog(all: Tick[][], text2From?: number): Promise<void> {
  await database.truncateAll()
  await writeTickLog(database.db, all, text2From)
}

async function packAll(maxTicks = 1_000, before = EVER): Promise<number> {
  let packed = 0
  for (let count = -1; count !== 0; packed += count) count = await packTicks(database.db, before, maxTicks)
  return packed
}

async function dropAll(before: Instant): Promise<number> {
  let dropped = 0
  for (;;) {
    const count = await dropTicks(database.db, before)
    if (count === null) return dropped
    dropped += count
  }
}

describe('packing the tick log', () => {
  it("changes no reader's result, however far it has progressed", async () => {
    await fc.assert(
      fc.asyncProperty(tickSteps, fc.integer({ min: 6, max: 40 }), fc.nat(), async (steps, maxTicks, from) => {
        const text2From = from % (steps.length + 1)
        const all = numberTicks(toTicks(steps), text2From)
        await writeLog(all, text2From)
        const { db } = database
        const after = from % all.flat().length
        const at = all.flat()[after]?.time ?? TEST_START
        const read = async () => ({
          ticks: await loggedTicks(db, TEST_START, EVER),
          part: await loggedTicks(db, at, later(at, 1), 1),
          batches: await batchesAfter(db, 0, 500),
          some: await batchesAfter(db, after, 2),
          chain: await verifyTickChain(db),
          newest: await newestLoggedTime(db),
          head: await readHead(db),
        })
        const before = await read()
        expect(before.ticks).toEqual(all.flat())
        while ((await packTicks(db, EVER, maxTicks)) > 0) expect(await read()).toEqual(before)
        expect(before.chain).toMatchObject({ ok: true, dropped: 0, batches: all.length })
        const loose = await db.selectFrom('tick_batch').select('first_seq').execute()
        expect(loose, 'the newest stays where the log goes on').toHaveLength(1)
      }),
      { numRuns: 4 },
    )
  })

  it('leaves no gap for a reader of the whole log during packing', async () => {
    const all = toTicks(Array.from({ length: 30 }, () => pair))
    await writeLog(all)
    await packTicks(database.db, EVER, 4)
    const seen: number[] = []
    for await (const page of batchPages(database.db, 0)) {
      seen.push(...page.map(({ firstSeq }) => firstSeq))
      await packTicks(database.db, EVER, 4)
    }
    expect(seen).toEqual(all.map(([first]) => first?.seq))
  })

  it('waits until a batch is old enough', async () => {
    await writeLog(toTicks([pair, pair, pair, pair], 60_000))
    expect(await packAll(1_000, later(TEST_START, 90_000))).toBe(2)
    expect(await packAll()).toBe(1)
  })

  it.each([
    ['a changed price', sql`update tick_batch set payload = replace(payload, ' 9 ', ' 8 ') where first_seq = 3`],
    ['a changed time', sql`update tick_batch set first_time_ms = first_time_ms - 1 where first_seq = 3`],
    ['a missing batch', sql`delete from tick_batch where first_seq = 3`],
    ['a text in another form', sql`update tick_batch set payload = payload || E'\n' where first_seq = 3`],
  ])('refuses a log with %s, and leaves it unchanged', async (_, change) => {
    await writeLog(toTicks([pair, pair, pair, pair]))
    await database.asOwner((owner) => change.execute(owner))
    await expect(packAll()).rejects.toThrow('is not as it was written')
    expect(await database.db.selectFrom('tick_pack').select('first_seq').execute()).toEqual([])
  })
})

/** Inserts a row that refers to a tick, without the user or order behind it. */
async function insertReference(kind: string, tick: Tick, n: number): Promise<void> {
  const { db } = database
  const id = `0195a000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
  const entry = [tick.seq, tick.price, tick.time, tick.source] as const
  // A time far from every tick, so that only the sequence number can protect the tick.
  const farAway = 1
  if (kind === 'settled') {
    await sql`insert into settlement_price values (1, ${tick.time}, null, null, null, null, null, null, 1, 'stale', 1)
      on conflict do nothing`.execute(db)
  } else if (kind === 'exit' || kind === 'next') {
    const [exit, next] = kind === 'exit' ? [tick.seq, null] : [1, tick.seq]
    await sql`insert into settlement_price values (1, ${farAway + n}, ${exit}, 1, 1, ${next}, 1, 1, 1, null, 1)`.execute(
      db,
    )
  } else if (kind === 'open') {
    await sql`insert into open_order values (${id}, ${id}, ${id}, ${id}, 1, 1, 60, 1, 1, 1, 1,
      ${entry[0]}, ${entry[1]}, ${entry[2]}, ${entry[3]}, ${farAway}, ${farAway + 1})`.execute(db)
  } else {
    const [from, exit] = kind === 'history entry' ? [tick.seq, null] : [0, tick.seq]
    await sql`insert into order_history values (${id}, ${id}, ${id}, ${id}, 1, 1, 60, 1, 1, 1, 1,
      ${from}, ${entry[1]}, ${entry[2]}, ${entry[3]}, 1, 2, 1, 0, 0, ${exit}, 1, 1, null, 1)`.execute(db)
  }
}

const references = fc.array(
  fc.tuple(fc.constantFrom('open', 'history entry', 'history exit', 'exit', 'next', 'settled'), fc.nat()),
  { maxLength: 6 },
)

/** Writes a log of one batch and appends a late batch with two missing trades. One of these trades made no price. */
async function appendLate(): Promise<string> {
  const { lastSeq, hash } = await readHead(database.db)
  const payload = [
    `2 late ${'a'.repeat(64)} 0195a000-0000-7000-8000-000000000001`,
    'x 1 test 3 3 back',
    `e ${lastSeq + 1} 1 1000 0 ${TEST_START} ${TEST_START + 60_000} test 4\n`,
  ].join('\n')
  await insertBatch(database.db, {
    firstSeq: lastSeq + 1,
    lastSeq: lastSeq + 1,
    firstTime: TEST_START,
    lastTime: TEST_START,
    writtenAt: later(TEST_START, 60_000),
    payload,
    previousHash: hash,
    hash: batchHash(hash, payload),
  })
  return payload
}

describe('late evidence', () => {
  it('belongs to the chain but is not a price, also after packing and retention', async () => {
    const all = numberTicks(toTicks([pair, pair]), 0)
    await writeLog(all, 0)
    const payload = await appendLate()
    const stored = await database.db.selectFrom('tick_batch').select(['form', 'is_late']).orderBy('first_seq').execute()
    expect(stored.map(({ form, is_late }) => [form, is_late])).toEqual([
      [2, false],
      [2, false],
      [2, true],
    ])
    const after = numberTicks(toTicks([pair]), 0)
      .flat()
      .map((tick) => ({
        ...tick,
        seq: tick.seq + 5,
        time: later(tick.time, 3 * DAY_MS),
        receivedAt: later(tick.time, 3 * DAY_MS),
      }))
    const read = async () => ({
      ticks: await loggedTicks(database.db, TEST_START, EVER),
      late: (await batchesAfter(database.db, 4, 1)).map((batch) => batch.payload),
      chain: await verifyTickChain(database.db),
    })
    const { hash } = await readHead(database.db)
    const draft = new BatchWriter().draft(
      after.map((tick) => ({ ...tick, sources: 'b'.repeat(64), notes: [] })),
      6,
    )
    const lastTime = after.at(-1)?.time ?? EVER
    await insertBatch(database.db, {
      firstSeq: 6,
      lastSeq: 7,
      firstTime: after[0]?.time ?? EVER,
      lastTime,
      writtenAt: lastTime,
      payload: draft.payload,
      previousHash: hash,
      hash: batchHash(hash, draft.payload),
    })
    const expected = { ticks: [...all.flat(), ...after], late: [payload], chain: { ok: true, batches: 4 } }
    expect(await read()).toMatchObject(expected)
    await packAll()
    expect(await read()).toMatchObject(expected)
    expect(await dropAll(EVER)).toBe(2)
    expect(await read()).toMatchObject({ ...expected, ticks: after })
  })
})

describe('retention of the tick log', () => {
  it('keeps every tick that an order refers to, and the chain still verifies', async () => {
    await fc.assert(
      fc.asyncProperty(
        tickSteps,
        references,
        fc.constantFrom(20_000, DAY_MS / 2, DAY_MS),
        fc.integer({ min: -1, max: 9 }),
        async (steps, wanted, gapMs, days) => {
          const text2From = wanted.length % 3
          const all = numberTicks(toTicks(steps, gapMs), text2From)
          await writeLog(all, text2From)
          const flat = all.flat()
          const named: Tick[] = []
          for (const [n, [kind, place]] of wanted.entries()) {
            const tick = flat[place % flat.length]
            if (tick === undefined) continue
            await insertReference(kind, tick, n)
            named.push(tick)
          }
          await packAll(6)
          const dropped = await dropAll(later(TEST_START, days * DAY_MS))
          const left = await loggedTicks(database.db, TEST_START, EVER)
          expect(left).toEqual(expect.arrayContaining(named))
          expect(flat).toEqual(expect.arrayContaining(left))
          const newest = all.at(-1)?.at(-1)?.time ?? 0
          const young = flat.filter((tick) => tick.time > newest - 2 * DAY_MS + 60_000)
          expect(left).toEqual(expect.arrayContaining(young))
          expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, dropped, batches: all.length })
        },
      ),
      { numRuns: 8 },
    )
  })

  /** Writes these batches, and then dates the last batch 3 days later, so that retention may remove the others. */
  async function writeOld(all: Tick[][]): Promise<void> {
    await writeLog(all)
    const last = all.at(-1)?.[0]?.seq ?? 0
    const change = sql`update tick_batch set written_ms = written_ms + ${3 * DAY_MS} where first_seq = ${last}`
    await database.asOwner((owner) => change.execute(owner))
  }
  const days = () => toTicks([pair, pair, pair, pair, pair], DAY_MS)

  it('removes old ticks, and keeps numbers, times and hash of every batch', async () => {
    await writeLog(days())
    const heads = async () => (await batchesAfter(database.db, 0, 99)).map((batch) => ({ ...batch, payload: null }))
    const before = await heads()
    await packAll(1)
    expect(await dropAll(later(TEST_START, DAY_MS + 1_000))).toBe(2)
    expect(await heads()).toEqual(before)
    expect(await loggedTicks(database.db, TEST_START, EVER)).toHaveLength(6)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, batches: 5, dropped: 2, lastSeq: 10 })
  })

  it('keeps 10 s around an expiry, for later views of the result', async () => {
    const steps = Array.from({ length: 12 }, () => pair)
    await writeOld(toTicks(steps, 4_000))
    const [tick] = toTicks(steps, 4_000)[5] ?? []
    if (tick) await insertReference('settled', tick, 1)
    await packAll()
    await dropAll(EVER)
    const left = await loggedTicks(database.db, TEST_START, EVER)
    expect([...new Set(left.map(({ seq }) => Math.floor((seq - 1) / 2)))]).toEqual([3, 4, 5, 6, 7, 11])
  })

  it.each([
    [
      'the head of a batch that is gone',
      sql`update tick_pack set hashes = set_byte(hashes, 70, 1) where first_seq = 1`,
    ],
    ['the end of a pack', sql`update tick_pack set hash = set_byte(hash, 7, 1) where first_seq = 1`],
    ['a number of ticks', sql`update tick_pack set heads = set_byte(heads, 0, 58) where first_seq = 1`],
    [
      'a tick that is left',
      sql`update tick_pack set body = set_byte(body, 4, get_byte(body, 4) # 16) where first_seq = 1`,
    ],
    ['a pack that is away', sql`delete from tick_pack where first_seq = 1`],
    [
      'a payload that was needed',
      sql`insert into settlement_price values (1, 1, 2, 1, 1, null, null, null, 1, null, 1)`,
    ],
  ])('keeps the rest of the chain verifiable: %s is noticed', async (_, change) => {
    const all = toTicks([pair, pair, pair, pair, pair, pair], 1_000)
    await writeOld(all)
    const [tick] = all[3] ?? []
    if (tick) await insertReference('exit', tick, 1)
    await packAll()
    expect(await dropAll(EVER)).toBe(4)
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, dropped: 4, batches: 6 })
    await database.asOwner((owner) => change.execute(owner))
    expect(await verifyTickChain(database.db)).toMatchObject({ ok: false })
  })

  it('the server can change the log only by retention and by adding', async () => {
    await writeLog(days())
    await packAll(2)
    const { db } = database
    for (const statement of [
      sql`update tick_batch set payload = ''`,
      sql`delete from tick_batch`,
      sql`update tick_pack set body = ''::bytea`,
      sql`delete from tick_pack`,
      sql`insert into tick_pack select * from tick_pack`,
      sql`truncate tick_pack`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow('permission denied')
    }
    expect(await dropAll(EVER), 'what is younger than two days stays').toBe(2)
  })
})

it('packing runs as a job over the whole log, in steps', async () => {
  await writeLog(toTicks([pair, pair, pair, pair, pair], DAY_MS))
  const ctx = createTestContext(database.db, later(TEST_START, 5 * DAY_MS))
  const stop = keepTickLog(ctx, 3)
  await expect
    .poll(async () => {
      ctx.clock.advance(60_000)
      return verifyTickChain(database.db)
    })
    .toMatchObject({ ok: true, dropped: 2 })
  await stop()
  expect(ctx.lines).toEqual([])
})
