// `npm run drill -- crash`: kills the server (SIGKILL) under load and restarts it.
import { crashDrill } from './lib/crash-drill.ts'
import { roundsOr } from './lib/report.ts'

process.exitCode = await crashDrill(
  roundsOr(50),
  { 'ready again': { goal: 5_000, gate: 15_000 } },
  async ({ site, crowd }) => {
    await site.running.kill()
    const ready = await site.start()
    const started = performance.now()
    await crowd.trades(1)
    return { 'ready again': ready, 'first order after that': performance.now() - started }
  },
)
