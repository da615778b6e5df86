import type { IncomingMessage } from 'node:http'
import type { Connection } from '#server/sockets/connection.ts'

/** A socket that another room serves, at an address of its own. */
export interface SocketEndpoint {
  readonly path: string
  /** Asked before the upgrade is answered: what serves the socket once it is open, or null when this caller may not open it. */
  admit(request: IncomingMessage): Promise<ServeSocket | null>
  /** Ends what the endpoint does by itself and waits for what is under way. */
  stop(): Promise<void>
}

export type ServeSocket = (connection: Connection) => void
