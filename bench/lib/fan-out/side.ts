import type { Server } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Commands to a sending process: send this many rounds at once, or one round per interval until the next command. */
export type ToSide = { readonly rounds: number } | { readonly everyMs: number | null }
export interface FromSide {
  readonly port: number
}

/**
 * Listens, reports its port to the parent, and sends as commanded. Client messages are handled between rounds, as in a
 * server with other work.
 */
export function beSide(server: Server, round: () => void): void {
  let left = 0
  let timer: NodeJS.Timeout | undefined
  const run = (): void => {
    left -= 1
    round()
    if (left > 0) setImmediate(run)
  }
  process.on('message', (message: ToSide) => {
    if ('rounds' in message) {
      const wasIdle = left === 0
      left += message.rounds
      if (wasIdle) setImmediate(run)
      return
    }
    clearInterval(timer)
    if (message.everyMs !== null) timer = setInterval(round, message.everyMs)
  })
  process.on('disconnect', () => process.exit(0))
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
    const { port } = server.address() as AddressInfo
    process.send?.({ port } satisfies FromSide)
  })
}
