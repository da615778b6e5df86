import type { IncomingMessage } from 'node:http'
import type { Connection } from '#server/sockets/connection.ts'

/** A socket that another room serves, at an address of its own. */
export interface SocketEndpoint {
  readonly path: string
  /**
   * Called before the upgrade is answered. Returns the function that serves the open socket, or null when the caller
   * may not open it.
   */
  admit(request: IncomingMessage): Promise<ServeSocket | null>
  /** Stops the endpoint's own work and waits for running work. */
  stop(): Promise<void>
}

export type ServeSocket = (connection: Connection) => void
