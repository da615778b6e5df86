// P26: log-in time of 200 users, ten per second, each from a different network, while one network makes all public
// calls at its allowed rate, compared with no flood. Each log-in must succeed within 2 s. Gate 2, goal 1.5, for the
// 99th percentiles. BENCH_PAIRS sets the number of pairs (default 3).
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { assert } from '#core/result.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'
import { duringFlood } from './lib/network-flood.ts'
import { openTradingSite } from './lib/orders/trading-site.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'

const PEOPLE = 200
const PER_SECOND = 10
const MAX_P99_MS = 2_000
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 3)

console.log(machine())
const url = process.env['BENCH_DATABASE_URL'] ?? ''
// The server trusts this address as a proxy, so the driver can set the client addresses.
const environment = { TRUSTED_PROXIES: '127.0.0.1' }
const site = await openTradingSite({ url, users: PEOPLE, seconds: 60, environment })
const { address } = site.server
const names = site.userNames(PEOPLE)
const password = randomBytes(9).toString('base64url')
let turn = 0
try {
  const hash = await createPasswords((count) => randomBytes(count)).hash(password, SERVER_ASKER)
  await site.db.updateTable('app_user').set({ password_hash: hash }).where('username', 'in', names).execute()
  const flooded = async () => {
    const { value, answers } = await duringFlood({ address, network: `203.0.113.${turn + 1}` }, logInAll)
    console.log(`replies to the flood: ${[...answers].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
    return value
  }
  await logInAll()
  const ratios = await pairs(PAIRS, ['p99 ms during the flood', flooded], ['p99 ms', logInAll])
  verdict('p99 with : without', ratios, { gate: 2, goal: 1.5, kind: 'most' })
} finally {
  await site.close()
}

/** Logs in all users and returns the 99th percentile of the times. */
async function logInAll(): Promise<number> {
  turn += 1
  const times = await Promise.all(
    names.map(async (username, nth) => {
      await pause((nth * 1_000) / PER_SECOND)
      const started = performance.now()
      const { status } = await fetch(`${address}/api/user/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${turn}.${nth >> 8}.${nth & 255}` },
        body: JSON.stringify({ username, password }),
      })
      assert(status === 200, `${username} logs in, and is not answered ${status}`)
      return performance.now() - started
    }),
  )
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(PEOPLE * 0.99) - 1] ?? Number.NaN
  assert(p99 <= MAX_P99_MS, `200 people log in within ${MAX_P99_MS} ms, and not within ${p99.toFixed(0)} ms`)
  return p99
}
