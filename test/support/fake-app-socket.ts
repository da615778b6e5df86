/** The messages that the page has sent to the app socket. */
export const sentMessages: { readonly action: string; readonly data?: { readonly clientOrderId: string } }[] = []
/** Whether the socket is open. A test may close it. */
export const network = { isUp: true }
const sockets = new Set<FakeSocket>()

class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1

  get readyState(): number {
    return network.isUp ? FakeSocket.OPEN : FakeSocket.CONNECTING
  }

  constructor() {
    super()
    sockets.add(this)
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }

  send(text: string): void {
    sentMessages.push(JSON.parse(text))
  }

  close(): void {
    sockets.delete(this)
    this.dispatchEvent(new Event('close'))
  }
}

/** Sends a message of the server to the page. */
export function sayToPage(message: object): void {
  for (const socket of sockets) socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
}

/** Ends the page's connection, as a server that restarts does. */
export function dropConnections(): void {
  for (const socket of sockets) socket.close()
}

// The live client opens its socket when it is imported. A test therefore imports this file before the live client.
Object.assign(globalThis, { WebSocket: FakeSocket })
