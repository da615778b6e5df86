import type { WebSocket } from 'ws'

/** Resolves when a socket is open. Rejects when it cannot be opened. */
export function socketOpened(ws: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    ws.once('open', resolve)
    ws.once('error', reject)
  })
}
