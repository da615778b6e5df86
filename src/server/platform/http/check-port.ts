import { createServer } from 'node:net'
import { explainListenError } from '#server/platform/runtime/startup-error.ts'

/**
 * Finds out whether the port can be had, before a database is made for a server that could not be reached. Throws in plain
 * words when it cannot. Another program may still take it afterwards; listening says so then.
 */
export async function checkPort(place: { readonly host: string; readonly port: number }): Promise<void> {
  // Any free port: there is one.
  if (place.port === 0) return
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(explainListenError(error, place)))
    probe.listen(place, () => probe.close(() => resolve()))
  })
}
