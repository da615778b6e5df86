import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

export interface Shot {
  readonly method: 'GET' | 'POST'
  /** The path of the request, from `/api` on. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Hit {
  readonly status: number
  readonly body: { readonly code?: string; readonly data?: Readonly<Record<string, unknown>> }
}

/**
 * Sends requests at the same instant, each on its own connection. Each request is first sent without its last byte.
 * When the server has read these parts, all last bytes are sent together. This corresponds to several HTTP/2 frames in
 * one packet. The server leaves HTTP/2 to its proxy.
 */
export async function sendAtOnce(port: number, shots: readonly Shot[]): Promise<Hit[]> {
  const lines = await Promise.all(shots.map((shot) => loadedLine(port, textOf(shot, port))))
  // Lets the server read the data sent so far. Each request then lacks only its last byte.
  await new Promise((resolve) => setImmediate(resolve))
  const hits = lines.map(({ socket }) => hitOn(socket))
  for (const { socket, last } of lines) socket.write(last)
  return await Promise.all(hits)
}

function textOf({ method, path, headers, body }: Shot, port: number): string {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const all = {
    ...headers,
    host: `127.0.0.1:${port}`,
    connection: 'close',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
    }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} /api${path} HTTP/1.1\r\n${lines.join('')}\r\n${payload}`
}

async function loadedLine(port: number, text: string): Promise<{ socket: Socket; last: string }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(text.slice(0, -1), resolve))
  return { socket, last: text.slice(-1) }
}

async function hitOn(socket: Socket): Promise<Hit> {
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  const [head = '', payload = ''] = text.split(/\r\n\r\n(.*)/s)
  return { status: Number(head.split(' ')[1]), body: JSON.parse(payload) }
}
