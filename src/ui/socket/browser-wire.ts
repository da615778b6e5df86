import type { OpenWire } from '#ui/socket/reconnecting-socket.ts'

const MAX_WAIT_MS = 3_000

/** Opens a browser WebSocket as a `Wire`. */
export const openBrowserWire: OpenWire = (address, events) => {
  const socket = new WebSocket(address)
  socket.addEventListener('open', events.opened)
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.message(data)
  })
  socket.addEventListener('close', ({ code }) => events.closed(code))
  return {
    // Browsers log an error for messages sent while the server closes the socket.
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) return false
      socket.send(text)
      return true
    },
    close: () => closeQuietly(socket),
  }
}

/**
 * Closes a socket without a browser error. Browsers log an error when a socket is closed before it opened, and screens
 * change faster than sockets open. A connecting socket is therefore closed as soon as it opens. A server that never
 * responds is not waited for.
 */
function closeQuietly(socket: WebSocket): void {
  if (socket.readyState !== WebSocket.CONNECTING) {
    socket.close()
    return
  }
  const giveUp = setTimeout(() => socket.close(), MAX_WAIT_MS)
  socket.addEventListener('open', () => socket.close())
  socket.addEventListener('close', () => clearTimeout(giveUp))
}

/** Returns a path such as `/ws/app` as an address on the page's own host. */
export function socketAddress(path: string): string {
  const { protocol, host } = globalThis.location
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`
}

/** Calls the listener when a reconnect should not wait any longer: the network is back, or the page became visible. */
export function onWakeUp(listener: () => void): () => void {
  const visible = () => {
    if (document.visibilityState === 'visible') listener()
  }
  globalThis.addEventListener('online', listener)
  document.addEventListener('visibilitychange', visible)
  return () => {
    globalThis.removeEventListener('online', listener)
    document.removeEventListener('visibilitychange', visible)
  }
}
