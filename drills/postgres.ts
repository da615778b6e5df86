// `npm run drill -- postgres`: stops the database under load like a crash (`pg_ctl stop -m immediate`) and restarts it.
// The server keeps running.
import { crashDrill } from './lib/crash-drill.ts'
import { roundsOr } from './lib/report.ts'

/** 2 s: how long the database is down. */
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
    if (site.running.hasExited()) throw new Error(`the server (${pid}) exited:\n${site.running.output()}`)
    return { 'database back': redone - begun, 'orders again': performance.now() - begun }
  },
)
