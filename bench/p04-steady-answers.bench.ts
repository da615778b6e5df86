// P4: reply time of orders at 30 % of the server's maximum rate, placed independently of replies. Gate 100 ms, goal 25
// ms, for the 99th percentile. BENCH_SECONDS sets the duration of a round (default 5).
import { machine, verdict } from './lib/pairs.ts'
import { startDriver } from './lib/orders/start-driver.ts'
import { CLIENTS, LONG_SECONDS, MANY_USERS, measureMaxRate } from './lib/orders/steady.ts'
import { openTradingSite } from './lib/orders/trading-site.ts'

const SHARE = 0.3
const ROUNDS = 5
const MS = Number(process.env['BENCH_SECONDS'] ?? 5) * 1_000
const WARM_MS = 1_000

console.log(machine())
const url = process.env['BENCH_DATABASE_URL'] ?? ''
const site = await openTradingSite({ url, users: MANY_USERS, seconds: LONG_SECONDS })
const driver = await startDriver({ address: site.server.address, sockets: CLIENTS, tokens: site.tokens })
try {
  const perSecond = SHARE * (await measureMaxRate(driver))
  const p99s: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { p50, p99, max, counted } = await driver.run({ clients: CLIENTS, perSecond, warmMs: WARM_MS, ms: MS })
    p99s.push(p99)
    console.log(
      `${counted} orders, ${perSecond.toFixed(0)}/s: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)} ms`,
    )
  }
  verdict('answered, p99 ms', p99s, { gate: 100, goal: 25, kind: 'most' })
  await site.audit(await driver.acknowledged())
} finally {
  driver.stop()
  await site.close()
}
