import type { OpenWire } from '#web/live/reconnecting-socket.ts'

/** The browser's own socket. */
export const openBrowserWire: OpenWire = (address, events) => {
  const socket = new WebSocket(address)
  socket.addEventListener('open', events.opened)
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.message(data)
  })
  socket.addEventListener('close', events.closed)
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(),
  }
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
