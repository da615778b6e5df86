// R10: a steady stream of orders at half of the server's maximum rate for SOAK_MINUTES (60), with results, receipts and
// all other work. Gate: the server's memory and the reply time each grow by at most 20 % over the run (goal 5 %). The
// growth is that of the straight line that best fits the values after the first fifth of the run. At the end the ledger
// reconciles, orders are correct, and each order has its receipts. Prints one line per minute. An order needs 1.3 KB of
// disk space, and PostgreSQL's write-ahead log up to 12 GB. SOAK_PER_SECOND sets another rate.
import { setTimeout as pause } from 'node:timers/promises'
import { costPerOrder } from './lib/orders/cost-per-order.ts'
import { startFakeExchange } from './lib/orders/fake-exchange.ts'
import { ORDERED_SYMBOLS } from './lib/orders/protocol.ts'
import { growth } from './lib/orders/growth.ts'
import { ownMetrics } from './lib/orders/own-metrics.ts'
import { startDriver } from './lib/orders/start-driver.ts'
import { openTradingSite } from './lib/orders/trading-site.ts'
import { machine, verdict } from './lib/pairs.ts'
import { processorClock, restOfMachine } from './lib/processor-time.ts'

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 60)
const SHARE = 0.5
const USERS = 1_500
const SECONDS = 7
const SPELL_MS = Math.min(60_000, (MINUTES * 60_000) / 5)
const GIVE_MS = 6_000
/** 4 ms: clients read their sockets at this interval, so measured times are up to 4 ms too long. */
const REST_MS = 4
const MB = 1_048_576
const GROWTH_AIM = { gate: 0.2, goal: 0.05, kind: 'most' } as const

console.log(`${machine()}, ${MINUTES} minutes`)
const exchange = await startFakeExchange(ORDERED_SYMBOLS, 4)
const url = process.env['BENCH_DATABASE_URL'] ?? ''
const environment = { FAIRWICK_FEEDS: exchange.feeds, FAIRWICK_METRICS_PORT: '0' }
const site = await openTradingSite({ url, users: USERS, seconds: SECONDS, environment })
const driver = await startDriver({
  address: site.server.address,
  sockets: USERS,
  tokens: site.tokens,
  hearsResults: true,
})
try {
  const metrics = ownMetrics(site)
  const fast = await driver.run({ clients: USERS, warmMs: 1_000, ms: GIVE_MS, untilResults: true })
  const perSecond = Number(process.env['SOAK_PER_SECOND'] ?? SHARE * fast.perSecond)
  console.log(`${fast.perSecond.toFixed(0)} orders/s at most just now, so ${perSecond.toFixed(0)}/s; a line a minute:`)
  await pause(SECONDS * 1_000)
  const [memory, database, answers] = [[] as number[], [] as number[], [] as number[]]
  const refusals: Record<string, number> = {}
  const processors = processorClock(site.db, site.server.pid)
  const rest = restOfMachine()
  await processors()
  for (let spell = 0; spell < Math.round((MINUTES * 60_000) / SPELL_MS); spell += 1) {
    const run = await driver.run({ clients: USERS, perSecond, restMs: REST_MS, warmMs: 0, ms: SPELL_MS })
    const now = await metrics()
    const [ofServer, ofDatabase, ofDriver] = costPerOrder(await processors(), run).map((us) => us.toFixed(0))
    memory.push(now.serverBytes / MB)
    database.push(now.databaseBytes / MB)
    answers.push(run.p99)
    const spellRefusals = Object.entries({ ...(run.held > 0 && { 'not given': run.held }), ...run.refused })
    for (const [why, count] of spellRefusals) refusals[why] = (refusals[why] ?? 0) + count
    const waiting = `orders ${now.ordersWaiting}, receipts ${now.receiptsWaiting}, expiries ${now.expiries}, statements ${now.statements}`
    console.log(
      `${String(spell + 1).padStart(4)}: ${run.perSecond.toFixed(0)}/s, answered p50 ${run.p50.toFixed(1)} p99 ${run.p99.toFixed(1)} ms, results p99 ${run.results.p99.toFixed(0)} ms after; ` +
        `server ${(now.serverBytes / MB).toFixed(0)} MB, database ${(now.databaseBytes / MB).toFixed(0)} MB; waiting: ${waiting}; event loop p99 ${(now.loopP99 * 1_000).toFixed(0)} ms; ` +
        `processor: server ${ofServer}, database ${ofDatabase}, driver ${ofDriver} µs an order, ${(rest() * 100).toFixed(0)} % at rest` +
        spellRefusals.map(([why, count]) => `, ${count} ${why}`).join(''),
    )
  }
  // Waits until all open orders are settled and their results received.
  await driver.run({ clients: 0, warmMs: 0, ms: 1, untilResults: true })
  const acknowledged = await driver.acknowledged()
  for (const [why, count] of Object.entries(refusals)) console.log(`${count} orders that were due: ${why}`)
  verdict('memory of the server, growth', [growth(memory)], GROWTH_AIM)
  verdict('memory of the database, growth', [growth(database)], GROWTH_AIM)
  verdict('p99 of answers, growth', [growth(answers)], GROWTH_AIM)
  await site.audit(acknowledged)
} catch (error) {
  console.log(`the server's last output: ${site.server.output().slice(-2_000)}`)
  throw error
} finally {
  driver.stop()
  await site.close()
  exchange.stop()
}
