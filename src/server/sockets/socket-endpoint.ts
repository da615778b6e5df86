import type { IncomingMessage } from 'node:http'
import type { Connection } from '#server/sockets/connection.ts'

/** A socket at a separate address, such as the back office's, which another part of the server serves. */
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
