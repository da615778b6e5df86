// `npm run drill -- evidence`: interrupts the server around expiries in four ways. The provider's own last trade before
// the expiry must still decide every order, as without an interruption. No order may become void.
import { setTimeout as pause } from 'node:timers/promises'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { LiveMarket } from './lib/live-market.ts'
import { roundsOr } from './lib/report.ts'
import { Site } from './lib/site.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { AppClient, post } from '#test/support/app-client.ts'
import { setDuration } from '#test/support/force-terms.ts'

/**
 * The duration of the orders, in seconds. A duration of only 10 s keeps a round at half a minute. In live mode, the
 * product allows no duration below 30 s.
 */
const SECONDS = 10
const ORDERS_PER_ROUND = 5
const AWAY_MS = 8_000
const SETTLE_WITHIN_MS = 120_000

const postgres = await startThrowAwayPostgres({ isDurable: true })
const market = await LiveMarket.start()
const site = await Site.make(postgres.url)
site.extra = { FAIRWICK_FEEDS: market.feeds }

/** The four ways to interrupt the site for `ms` milliseconds. */
const WAYS: Readonly<Record<string, (ms: number) => Promise<void>>> = {
  SIGKILL: async (ms) => {
    await site.running.kill()
    await pause(ms)
    await site.start()
  },
  SIGSTOP: async (ms) => {
    process.kill(site.running.pid, 'SIGSTOP')
    await pause(ms)
    process.kill(site.running.pid, 'SIGCONT')
  },
  'database stopped': async (ms) => {
    postgres.crash()
    await pause(ms)
    postgres.start()
  },
  'network of the provider cut': async (ms) => {
    market.cut()
    await pause(ms)
    market.join()
  },
}

async function placeOrders(round: string): Promise<void> {
  const reply = (await post(site.address, '/user/auth/login', { username: 'demo', password: 'demo1234' })) as {
    token: string
  }
  const client = await AppClient.open(site.address, reply.token)
  let placed = 0
  for (let nth = 0; placed < ORDERS_PER_ROUND; nth += 1) {
    const order = {
      type: nth % 2 === 0 ? 'buy' : 'sell',
      tradeSettingId: 1,
      amount: 10,
      symbol: 'btc',
      marketType: 'crypto',
    }
    const answer = await client.order({ clientOrderId: `${round}-${nth}`, ...order })
    if (answer.status === 'success') placed += 1
    await pause(300)
  }
  client.close()
}

async function openOrders(db: Db): Promise<number> {
  return (await db.selectFrom('open_order').select('id').execute()).length
}

/** Compares each result with the list of all trades. Returns what is wrong. */
async function audit(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('order_history')
    .select(['trx', 'expires_ms', 'exit_time_ms', 'exit_price', 'void_reason'])
    .execute()
  console.log(`${rows.length} orders ended`)
  return rows.flatMap(({ trx, expires_ms, exit_time_ms, exit_price, void_reason }) => {
    const last = market.trades.findLast(({ timeMs }) => timeMs <= Number(expires_ms))
    const isRight = last?.timeMs === Number(exit_time_ms) && Math.round(Number(last.price) * 100) === Number(exit_price)
    if (void_reason !== null) return [`${trx} is void: ${void_reason}`]
    return isRight ? [] : [`${trx} ended at ${exit_price} of ${exit_time_ms}, not at ${last?.price} of ${last?.timeMs}`]
  })
}

try {
  await site.start()
  await site.running.stop()
  await site.withDatabase((db) => setDuration(db, 1, SECONDS))
  await site.start()
  for (let round = 1; round <= roundsOr(3); round += 1) {
    for (const [name, away] of Object.entries(WAYS)) {
      await placeOrders(`${name.replaceAll(' ', '-')}-${round}`)
      // The orders expire while the site is down, at a different point of the outage in each round.
      await pause(SECONDS * 1_000 - AWAY_MS + Math.random() * 2_000)
      const awayMs = AWAY_MS * (0.5 + Math.random())
      await away(awayMs)
      const begun = performance.now()
      while ((await site.withDatabase(openOrders)) > 0 && performance.now() - begun < SETTLE_WITHIN_MS) await pause(500)
      const left = await site.withDatabase(openOrders)
      console.log(
        `round ${round}, ${name} for ${Math.round(awayMs)} ms: ${left} orders open after ${Math.round(performance.now() - begun)} ms`,
      )
    }
  }
  const wrong = await site.withDatabase(audit)
  const left = await site.withDatabase(openOrders)
  for (const line of wrong) console.log(line)
  process.exitCode = wrong.length === 0 && left === 0 ? 0 : 1
} catch (error) {
  console.log(site.server?.output().slice(-5_000))
  throw error
} finally {
  await site.remove()
  await market.stop()
  postgres.stop()
}
