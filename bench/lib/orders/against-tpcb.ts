import { type Aim, machine, pairs, verdict } from '../pairs.ts'
import { openTpcB, pgbench } from '../pgbench.ts'
import type { RunFigures } from './protocol.ts'
import { startDriver } from './start-driver.ts'
import { openTradingSite } from './trading-site.ts'

const SCALE = Number(process.env['BENCH_SCALE'] ?? 50)
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 5)
const MS = Number(process.env['BENCH_SECONDS'] ?? 6) * 1_000
const WARM_MS = 1_500
const PGBENCH_CLIENTS = 32
/** Of orders; nothing ends while it is measured. */
const SECONDS = 7_000
const USERS = 12_000

/**
 * Orders a second that the server takes over its sockets and acknowledges after commit, against transactions a second
 * of TPC-B on the same PostgreSQL, by turns. Each client gives its next order when the last one is answered.
 */
export async function againstTpcB(clients: number, ratio: Aim, mostP99: Aim | null): Promise<void> {
  const url = process.env['BENCH_DATABASE_URL'] ?? ''
  console.log(machine())
  const tpcB = await openTpcB(url, SCALE)
  const site = await openTradingSite({ url, users: USERS, seconds: SECONDS })
  const driver = await startDriver({ address: site.server.address, sockets: clients, tokens: site.tokens })
  const rounds: RunFigures[] = []
  try {
    const trade = async (): Promise<number> => {
      const figures = await driver.run({ clients, warmMs: WARM_MS, ms: MS })
      rounds.push(figures)
      return figures.perSecond
    }
    await driver.run({ clients, warmMs: 0, ms: 2 * WARM_MS })
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
    const refused = rounds.flatMap((round) => Object.entries(round.refused))
    if (refused.length > 0) console.log(`refused: ${JSON.stringify(refused)}`)
    verdict('orders : TPC-B', ratios, ratio)
    if (mostP99)
      verdict(
        'acknowledged, p99 ms',
        rounds.map(({ p99 }) => p99),
        mostP99,
      )
    await site.audit(await driver.acknowledged())
  } finally {
    driver.stop()
    await site.close()
    await tpcB.drop()
  }
}
