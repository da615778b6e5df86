// P24: reply time of orders (as in P4) while 50 users per second log in with correct passwords, each from a different
// address, compared with no log-ins. Gate 3, goal at most 1.5, for the 99th percentiles. BENCH_SECONDS is the
// duration of a turn (default 5).
import { floodOfSignIns } from './lib/orders/sign-in-flood.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { startDriver } from './lib/orders/start-driver.ts'
import { CLIENTS, LONG_SECONDS, MANY_USERS, measureMaxRate } from './lib/orders/steady.ts'
import { openTradingSite } from './lib/orders/trading-site.ts'

const SHARE = 0.3
const SIGN_INS_A_SECOND = 50
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const MS = Number(process.env['BENCH_SECONDS'] ?? 5) * 1_000
const WARM_MS = 1_000

console.log(machine())
const url = process.env['BENCH_DATABASE_URL'] ?? ''
// The server trusts this address as a proxy, so the driver can set the client addresses.
const environment = { TRUSTED_PROXIES: '127.0.0.1' }
const site = await openTradingSite({ url, users: MANY_USERS, seconds: LONG_SECONDS, environment })
const driver = await startDriver({ address: site.server.address, sockets: CLIENTS, tokens: site.tokens })
try {
  const perSecond = SHARE * (await measureMaxRate(driver))
  const steady = async () => (await driver.run({ clients: CLIENTS, perSecond, warmMs: WARM_MS, ms: MS })).p99
  const flood = await floodOfSignIns(site)
  const ratios = await pairs(
    PAIRS,
    ['p99 ms while people sign in', () => flood.during(SIGN_INS_A_SECOND, steady)],
    ['p99 ms', steady],
  )
  console.log(`${perSecond.toFixed(0)} orders/s; log-ins by status: ${flood.answers()}`)
  verdict('p99 with : without', ratios, { gate: 3, goal: 1.5, kind: 'most' })
  await site.audit(await driver.acknowledged())
} finally {
  driver.stop()
  await site.close()
}
