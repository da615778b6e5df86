import { type Aim, machine, pairs, spread, verdict } from '../pairs.ts'
import { openTpcB, pgbench } from '../pgbench.ts'
import { processorClock } from '../processor-time.ts'
import { costPerOrder } from './cost-per-order.ts'
import type { RunFigures } from './protocol.ts'
import { startDriver } from './start-driver.ts'
import { LONG_SECONDS, MANY_USERS, START_WARM_MS } from './steady.ts'
import { openTradingSite } from './trading-site.ts'

const SCALE = Number(process.env['BENCH_SCALE'] ?? 50)
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const MS = Number(process.env['BENCH_SECONDS'] ?? 6) * 1_000
const WARM_MS = 1_500
const PGBENCH_CLIENTS = 32

/**
 * Compares orders per second, acknowledged after commit over sockets, with TPC-B transactions per second on the same
 * PostgreSQL, alternating. Each client places its next order after the reply to the previous order.
 */
export async function againstTpcB(clients: number, ratio: Aim, maxP99: Aim | null): Promise<void> {
  const url = process.env['BENCH_DATABASE_URL'] ?? ''
  console.log(machine())
  const tpcB = await openTpcB(url, SCALE)
  const site = await openTradingSite({ url, users: MANY_USERS, seconds: LONG_SECONDS })
  const driver = await startDriver({ address: site.server.address, sockets: clients, tokens: site.tokens })
  const rounds: RunFigures[] = []
  const processors = processorClock(site.db, site.server.pid)
  const costs: number[][] = []
  try {
    const trade = async (): Promise<number> => {
      await processors()
      const figures = await driver.run({ clients, warmMs: WARM_MS, ms: MS })
      costs.push(costPerOrder(await processors(), figures))
      rounds.push(figures)
      return figures.perSecond
    }
    await driver.run({ clients, warmMs: 0, ms: START_WARM_MS })
    const ratios = await pairs(
      PAIRS,
      [`orders/s, ${clients} clients`, trade],
      [
        `pgbench TPC-B, scale ${SCALE}, c${PGBENCH_CLIENTS}`,
        () => pgbench(tpcB.url, { clients: PGBENCH_CLIENTS, seconds: Math.round((MS + WARM_MS) / 1_000) }),
      ],
    )
    for (const name of ['p50', 'p99', 'max', 'processor'] as const)
      console.log(`${name.padEnd(12)} ${rounds.map((round) => round[name].toFixed(2).padStart(8)).join(' ')}`)
    for (const [nth, name] of ['server', 'database', 'driver'].entries())
      console.log(`processor time of the ${name}: ${spread(costs.map((cost) => cost[nth] ?? Number.NaN))} µs an order`)
    const refused = rounds.flatMap((round) => Object.entries(round.refused))
    if (refused.length > 0) console.log(`refused: ${JSON.stringify(refused)}`)
    verdict('orders : TPC-B', ratios, ratio)
    if (maxP99)
      verdict(
        'acknowledged, p99 ms',
        rounds.map(({ p99 }) => p99),
        maxP99,
      )
    await site.audit(await driver.acknowledged())
  } finally {
    driver.stop()
    await site.close()
    await tpcB.drop()
  }
}
