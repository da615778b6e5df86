import { createServer } from 'node:net'
import { explainListenError } from '#server/platform/runtime/startup-error.ts'

/**
 * Checks that the port is free, before a database is created for a server that nothing could reach. Throws a clear
 * error when the port is taken. Another program may still take the port later. Listening then reports the error.
 */
export async function checkPort(place: { readonly host: string; readonly port: number }): Promise<void> {
  // Port 0 means any free port.
  if (place.port === 0) return
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(explainListenError(error, place)))
    probe.listen(place, () => probe.close(() => resolve()))
  })
}
