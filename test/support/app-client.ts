import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** A message of the app socket, as received. */
export type SocketMessage = Record<string, unknown> & { type?: string; status?: string; data?: Record<string, unknown> }

/** Calls `POST path` like an external program and returns `data`. Throws with the refusal. */
export async function post(address: string, path: string, body: object, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(`${address}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return dataOf(path, answer)
}

export async function get(address: string, path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return dataOf(path, await fetch(`${address}/api${path}`, { headers }))
}

async function dataOf(path: string, answer: Response) {
  const reply: unknown = await answer.json()
  if (!answer.ok || typeof reply !== 'object' || reply === null || !('data' in reply))
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(reply)}`)
  return reply.data
}

/** A client of the app socket, like an external program: sends messages and waits for expected ones. */
export class AppClient {
  readonly messages: SocketMessage[] = []
  readonly #socket: WebSocket
  readonly #token: string

  private constructor(socket: WebSocket, token: string) {
    this.#socket = socket
    this.#token = token
    socket.on('message', (bytes: Buffer) => {
      const message: unknown = JSON.parse(bytes.toString())
      for (const one of Array.isArray(message) ? message : [message]) this.messages.push(one as SocketMessage)
    })
  }

  /** Opens the app socket at an address, and subscribes with the user's token. */
  static async open(address: string, token: string): Promise<AppClient> {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws/app`)
    const client = new AppClient(socket, token)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    client.say({ action: 'subscribe' })
    return client
  }

  say(message: object): void {
    this.#socket.send(JSON.stringify({ token: this.#token, ...message }))
  }

  /** Returns the first received or future message that matches. */
  async hear(fits: (message: SocketMessage) => boolean, withinMs = 90_000): Promise<SocketMessage> {
    const giveUpAt = Date.now() + withinMs
    for (;;) {
      const found = this.messages.find(fits)
      if (found !== undefined) return found
      if (Date.now() > giveUpAt)
        throw new Error(`message not received; last ones: ${JSON.stringify(this.messages.slice(-5))}`)
      await pause(10)
    }
  }

  /** Places an order and waits for its reply. */
  async order(data: { clientOrderId: string } & Record<string, unknown>): Promise<SocketMessage> {
    this.say({ action: 'newTrade', data })
    return this.hear(
      (message) =>
        message.type === 'newTrade' &&
        [message.data?.['clientOrderId'], message['clientOrderId']].includes(data.clientOrderId),
    )
  }

  /** Waits until the server has closed the socket. */
  async closed(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    await new Promise((resolve) => this.#socket.once('close', resolve))
  }

  close(): void {
    this.#socket.terminate()
  }
}
