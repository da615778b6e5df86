// `npm run drill -- files`: under load, clients open every connection that the limit of open files allows, then close
// them.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Site } from './lib/site.ts'
import { startThrowAwayPostgres } from '../scripts/lib/throw-away-postgres.mjs'
import { faultDrill, type FaultRound } from './lib/fault-drill.ts'
import { roundsOr, seconds } from './lib/report.ts'

const OPEN_FILES = 512
const CONNECTIONS = 2 * OPEN_FILES
const OCCUPIED_MS = 10_000

const postgres = await startThrowAwayPostgres({ isDurable: true })
try {
  const site = await Site.make(postgres.url)
  site.program = { before: ['sh', '-c', `ulimit -n ${OPEN_FILES}; exec "$@"`, 'sh'] }
  const rounds = Array.from(
    { length: roundsOr(3) },
    (): FaultRound => ({
      what: `no connection is left of ${OPEN_FILES} open files for ${seconds(OCCUPIED_MS)}`,
      faults: ['connections_full'],
      blow: async () => {
        const { hostname, port } = new URL(site.address)
        const sockets = Array.from({ length: CONNECTIONS }, (): Socket => connect(Number(port), hostname))
        for (const socket of sockets) socket.on('error', () => {})
        await pause(OCCUPIED_MS)
        for (const socket of sockets) socket.destroy()
      },
    }),
  )
  process.exitCode = (await faultDrill({ site, rounds })) ? 0 : 1
} finally {
  postgres.stop()
}
