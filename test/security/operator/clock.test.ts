import { afterEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { money } from '#core/money/money.ts'
import { readEntry } from '#core/register/entry.ts'
import { HOUR_MS, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { clockMinutes } from '#server/market-data/clock/clock.queries.ts'
import type { FeedClocks } from '#server/market-data/feeds/base/feed-clocks.ts'
import { entriesOfKind } from '#server/register/register.queries.ts'
import type { FakeClock } from '#test/support/fake-clock.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1

const database = useTestDatabase()
let app: TestApp
let feed: ScriptedFeed
let user: TestUser
afterEach(() => app.stop())

/** Starts a server whose providers report the true time plus the given errors, in ms. */
async function start(errorsMs: readonly number[]): Promise<void> {
  feed = new ScriptedFeed(CATALOGUE)
  app = await createTestApp(database, {
    feedOn: (clock) => Object.assign(feed, { clocks: clocksOf(clock, errorsMs) }),
  })
  await app.start()
  user = await app.verifiedUser('ann')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  await measure()
}

function clocksOf(clock: FakeClock, errorsMs: readonly number[]): FeedClocks {
  const ask = (errorMs: number) => () =>
    Promise.resolve({ requestedAt: clock.now() - 10, answeredAt: clock.now() + 10, time: clock.steady() + errorMs })
  return {
    remotes: errorsMs.map((errorMs, place) => ({
      name: `provider-${place}`,
      ask: ask(errorMs),
      stop: () => undefined,
    })),
    takeShortestDelays: () => new Map(),
  }
}

/** Lets time elapse by seconds until the clocks were measured once more. */
async function measure(): Promise<void> {
  const count = async () => (await clockMinutes(database.db, instant(0))).length
  const before = await count()
  await vi.waitFor(async () => {
    app.ctx.clock.advance(SECOND_MS)
    expect(await count()).toBeGreaterThan(before)
  })
}

/**
 * Waits until the server's check of the database is between two writes. A jump during a write makes the database look
 * silent.
 */
async function untilDatabaseReplied(): Promise<void> {
  await vi.waitFor(async () => {
    const { seen } = await database.db
      .selectFrom('server_run')
      .select(({ fn }) => fn.max('seen_ms').as('seen'))
      .executeTakeFirstOrThrow()
    const isRecent = Number(seen) > app.ctx.now() - SECOND_MS
    if (!isRecent) app.ctx.clock.advance(SECOND_MS / 4)
    expect(isRecent).toBe(true)
  })
}

const sources = async () => (await app.call(calls.proofSources)).body.data
const isOff = () => app.faults.has('clock_off')

let orders = 0
async function place(): Promise<string> {
  orders += 1
  // The tick has the right time of the provider, whatever the clock of the server shows.
  const time = instant(app.ctx.clock.steady())
  feed.tick(BTC, 6_000_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
  const answer = await app.engine.place(orderRequest(user.id, `order-${orders}`, { stake: money(1_000n) }))
  return answer.ok ? 'accepted' : answer.refusal
}

it.each([-2 * SECOND_MS, 2 * SECOND_MS, 300])(
  'A90: attack: clock set two seconds back before an expiry: a step of %d ms stops new orders until the clock is right',
  async (stepMs) => {
    await start([0, 10])
    expect(await place()).toBe('accepted')

    app.ctx.clock.step(stepMs)
    await measure()
    const isFar = Math.abs(stepMs) > SECOND_MS
    await vi.waitFor(() => expect(app.faults.has(isFar ? 'clock_off' : 'clock_deviates')).toBe(true))
    const [spell] = app.faults.recent()
    expect(Math.sign(spell?.seconds ?? 0)).toBe(Math.sign(stepMs))
    // After a step back, the last measurement before the step stays the newest, until the clock is a minute past the
    // time of that measurement.
    await vi.waitFor(
      async () => {
        app.ctx.clock.advance(SECOND_MS)
        expect(Math.abs(((await sources()).clock?.error_ms ?? 0) - stepMs)).toBeLessThan(25)
      },
      { interval: 1 },
    )
    if (isFar) expect(await place()).toBe('trading_paused')

    app.ctx.clock.step(-stepMs)
    await measure()
    await vi.waitFor(() => expect(app.faults.recent().filter(({ until }) => until === null)).toEqual([]))
    expect(await place()).toBe('accepted')
  },
)

it.each([-1, 1])(
  'A91: attack: clock slewed slowly over an hour: an error over 250 ms is reported, and at a second orders stop (sign %d)',
  async (sign) => {
    await start([0, 10])
    for (let errorMs = 25; errorMs <= 1_050; errorMs += 25) {
      await untilDatabaseReplied()
      // A step of 25 ms a minute is far smaller than a step that is reported.
      app.ctx.clock.step(sign * 25)
      app.ctx.clock.jump(55 * SECOND_MS)
      await measure()
      if (errorMs <= 225) expect(app.faults.recent()).toEqual([])
      if (errorMs >= 300 && errorMs <= 950) {
        await vi.waitFor(() => expect(app.faults.has('clock_deviates')).toBe(true))
        expect(isOff()).toBe(false)
      }
    }
    await vi.waitFor(() => expect(isOff()).toBe(true))
    expect(await place()).toBe('trading_paused')

    // The register shows the deviation within the hour.
    app.ctx.clock.jump(HOUR_MS)
    await app.publishTerms()
    const entries = (await entriesOfKind(database.db, 'clock')).map(({ text }) => readEntry(text))
    expect(Math.abs(Number(entries.at(-1)?.['largest_ms']))).toBeGreaterThan(1_000)
    expect(Math.sign(Number(entries.at(-1)?.['largest_ms']))).toBe(sign)
  },
)

it('A92: attack: a provider whose clock lies: changes nothing beside two correct providers', async () => {
  await start([0, 5, 3_000])
  await measure()
  expect(app.faults.stopping).toBeNull()
  expect(await place()).toBe('accepted')
  const { clock } = await sources()
  expect(clock?.error_ms).toBe(0)
  // The public list of clocks shows the lie to everyone.
  expect(clock?.clocks.find(({ source }) => source === 'provider-2')?.high_ms).toBe(-2_990)
})

it('A92: attack: a provider whose clock lies: beside only one other, both are suspect and orders stop after five minutes', async () => {
  await start([0, 3_000])
  const startedAt = app.ctx.now()
  expect(await place()).toBe('accepted')
  expect((await sources()).clock?.error_ms).toBeNull()
  while (app.ctx.now() < later(startedAt, 4 * MINUTE_MS - 10 * SECOND_MS)) {
    expect(isOff()).toBe(false)
    app.ctx.clock.jump(50 * SECOND_MS)
    await measure()
  }
  for (let minute = 0; minute < 3 && !isOff(); minute += 1) await measure()
  await vi.waitFor(() => expect(isOff()).toBe(true))
  expect(await place()).toBe('trading_paused')
})
