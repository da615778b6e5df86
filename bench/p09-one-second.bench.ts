// P9: 10,000 orders that expire within one second, with a real clock and a fake feed: time from the last expiry until
// the last result is stored and pushed to its user. Gate 2 s, goal 0.75 s, for the 99th percentile of the rounds. With
// up to 100 rounds this is the slowest round. BENCH_ROUNDS (8) and BENCH_ORDERS (10,000) change its size; 12 rounds
// take about a minute.
import { setTimeout as pause } from 'node:timers/promises'
import { machine, spread, verdict } from './lib/pairs.ts'
import { startFakeExchange } from './lib/orders/fake-exchange.ts'
import { ORDERED_SYMBOLS, type RunFigures } from './lib/orders/protocol.ts'
import { startDriver } from './lib/orders/start-driver.ts'
import { openTradingSite } from './lib/orders/trading-site.ts'

const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 10_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 8)
const SOCKETS = 400
/**
 * 7 s: longer than placing 10,000 orders takes on a slow machine, so that no order expires before the last one is
 * accepted.
 */
const SECONDS = 7
const PRICES_A_SECOND = 10
const AIM = { gate: 2, goal: 0.75, kind: 'most' } as const
const GIVE_WITHIN_MS = 30_000

console.log(`${machine()}, ${ORDERS} orders`)
const exchange = await startFakeExchange(ORDERED_SYMBOLS, PRICES_A_SECOND)
const url = process.env['BENCH_DATABASE_URL'] ?? ''
const environment = { FAIRWICK_FEEDS: exchange.feeds }
const site = await openTradingSite({ url, users: SOCKETS, seconds: SECONDS, environment })
const { server, tokens } = site
const driver = await startDriver({ address: server.address, sockets: SOCKETS, tokens, hearsResults: true })
try {
  const rounds: RunFigures[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const figures = await driver.run({
      clients: SOCKETS,
      warmMs: 0,
      ms: GIVE_WITHIN_MS,
      maxOrders: ORDERS,
      untilResults: true,
    })
    const { acknowledged, expirySpan, lastResult, results, refused } = figures
    console.log(
      `round ${round}: ${acknowledged} orders ended within ${expirySpan} ms; the last result ${lastResult} ms after, p99 of all ${results.p99.toFixed(0)} ms ${JSON.stringify(refused)}`,
    )
    // The first round is a warm-up.
    if (round > 0) rounds.push(figures)
    await pause(500)
  }
  console.log(`orders taken in, ms ${spread(rounds.map(({ expirySpan }) => expirySpan))}`)
  verdict(
    'all results: p99 after their expiries, s',
    rounds.map(({ results }) => results.p99 / 1_000),
    AIM,
  )
  const last = rounds.map(({ lastResult }) => lastResult / 1_000).toSorted((a, b) => a - b)
  verdict('last result after last expiry, s, p99', [last[Math.floor(last.length * 0.99)] ?? Number.NaN], AIM)
  await site.audit(await driver.acknowledged())
} finally {
  driver.stop()
  await site.close()
  exchange.stop()
}
