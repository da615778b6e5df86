import type { OpenWire } from '#ui/socket/reconnecting-socket.ts'

const LONGEST_WAIT_MS = 3_000

/** The browser's own socket. */
export const openBrowserWire: OpenWire = (address, events) => {
  const socket = new WebSocket(address)
  socket.addEventListener('open', events.opened)
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.message(data)
  })
  socket.addEventListener('close', ({ code }) => events.closed(code))
  return {
    // The browser complains of what is sent to one that the server is closing.
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) return false
      socket.send(text)
      return true
    },
    close: () => closeQuietly(socket),
  }
}

/**
 * A socket that is closed before it ever opened has the browser complain of it. Screens come and go faster than that,
 * so one that is still on its way is closed as soon as it is there; a server that never answers is not waited for.
 */
function closeQuietly(socket: WebSocket): void {
  if (socket.readyState !== WebSocket.CONNECTING) {
    socket.close()
    return
  }
  const giveUp = setTimeout(() => socket.close(), LONGEST_WAIT_MS)
  socket.addEventListener('open', () => socket.close())
  socket.addEventListener('close', () => clearTimeout(giveUp))
}

/** `/ws/app` as an address on the page's own host. */
export function socketAddress(path: string): string {
  const { protocol, host } = globalThis.location
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`
}

/** Calls back when waiting for a reconnect stops making sense: the network is back, the page is looked at again. */
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
