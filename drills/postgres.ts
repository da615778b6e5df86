// `npm run drill -- postgres`: the database is stopped as a lost machine would be (`pg_ctl stop -m immediate`) under orders,
// and started again. The server stays.
import { crashDrill } from './lib/crash-drill.ts'
import { roundsOr } from './lib/report.ts'

/** How long the database stays away. */
const AWAY_MS = 2_000

process.exitCode = await crashDrill(
  roundsOr(20),
  { 'orders again': { goal: 10_000, gate: 30_000 } },
  async ({ site, postgres, crowd }) => {
    const { pid } = site.running
    postgres.crash()
    await new Promise((resolve) => setTimeout(resolve, Math.random() * AWAY_MS))
    const begun = performance.now()
    postgres.start()
    const redone = performance.now()
    await crowd.trades(1)
    if (site.running.hasEnded()) throw new Error(`the server (${pid}) has ended:\n${site.running.output()}`)
    return { 'database back': redone - begun, 'orders again': performance.now() - begun }
  },
)
