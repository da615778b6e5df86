// `npm run drill -- term`: the server is stopped in order (SIGTERM) under orders, and started again. Orders that were not
// answered are sent again under the same name.
import { crashDrill } from './lib/crash-drill.ts'
import { roundsOr } from './lib/report.ts'

process.exitCode = await crashDrill(roundsOr(20), { exit: { goal: 10_000, gate: 20_000 } }, async ({ site, crowd }) => {
  const begun = performance.now()
  const code = await site.running.stop()
  const exit = performance.now() - begun
  if (code !== 0) throw new Error(`the server ended with ${code}:\n${site.running.output()}`)
  const ready = await site.start()
  await crowd.trades(1)
  return { exit, 'ready again': ready }
})
