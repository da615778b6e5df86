// `npm run drill -- graceful-stop`: stops the server cleanly (SIGTERM) under load and restarts it. Unanswered orders
// are sent again under the same client id.
import { crashDrill } from './lib/crash-drill.ts'
import { roundsOr } from './lib/report.ts'

process.exitCode = await crashDrill(roundsOr(20), { exit: { goal: 10_000, gate: 20_000 } }, async ({ site, crowd }) => {
  const begun = performance.now()
  const code = await site.running.stop()
  const exit = performance.now() - begun
  if (code !== 0) throw new Error(`the server exited with ${code}:\n${site.running.output()}`)
  const ready = await site.start()
  await crowd.trades(1)
  return { exit, 'ready again': ready }
})
