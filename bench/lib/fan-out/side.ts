import type { Server } from 'node:net'
import type { AddressInfo } from 'node:net'

/** What a sending process is told: to send so many more rounds at once, or one every so often until told otherwise. */
export type ToSide = { readonly rounds: number } | { readonly everyMs: number | null }
export interface FromSide {
  readonly port: number
}

/**
 * Listens, tells its parent where, and sends as it is told. What the clients may do comes between any two rounds, as in a
 * server that has other things to do as well.
 */
export function beSide(server: Server, round: () => void): void {
  let left = 0
  let timer: NodeJS.Timeout | undefined
  const run = (): void => {
    left -= 1
    round()
    if (left > 0) setImmediate(run)
  }
  process.on('message', (told: ToSide) => {
    if ('rounds' in told) {
      const wasIdle = left === 0
      left += told.rounds
      if (wasIdle) setImmediate(run)
      return
    }
    clearInterval(timer)
    if (told.everyMs !== null) timer = setInterval(round, told.everyMs)
  })
  process.on('disconnect', () => process.exit(0))
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
    const { port } = server.address() as AddressInfo
    process.send?.({ port } satisfies FromSide)
  })
}
