import { connect, type Socket } from 'node:net'

export interface LoadOptions {
  /** `http://127.0.0.1:3000` */
  readonly address: string
  readonly path: string
  /** Headers of each caller. With several callers, requests alternate between them. */
  readonly headers?: Headers | readonly Headers[]
  readonly connections: number
  readonly ms: number
}

type Headers = Readonly<Record<string, string>>

/**
 * Requests one address repeatedly on persistent connections, one request at a time on each, and returns the number of
 * replies. A reply is parsed only to find its end, so the client needs less time than any server. Each reply must be a
 * 200 with the same length as its caller's first.
 */
export async function load(options: LoadOptions): Promise<{ perSecond: number; replies: number }> {
  const { hostname, port, host } = new URL(options.address)
  const callers: { request: Buffer; length: number }[] = []
  for (const own of [options.headers ?? {}].flat()) {
    const lines = Object.entries({ host, ...own }).map(([name, value]) => `${name}: ${value}\r\n`)
    const request = Buffer.from(`GET ${options.path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    callers.push({ request, length: await lengthOfReply(hostname, Number(port), request) })
  }
  let replies = 0
  let isOver = false
  const started = performance.now()
  const sockets: Socket[] = []
  const failed = new Promise<never>((_, reject) => {
    for (let count = 0; count < options.connections; count += 1) {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      sockets.push(socket)
      let turn = Math.floor((count * callers.length) / options.connections)
      let length = 0
      const ask = () => {
        const caller = callers[(turn += 1) % callers.length]
        if (caller === undefined) throw new Error('somebody asks')
        length = caller.length
        read = 0
        socket.write(caller.request)
      }
      let read = 0
      socket.on('error', reject)
      socket.on('close', () => isOver || reject(new Error('the server closed a connection')))
      socket.on('connect', ask)
      socket.on('data', (chunk) => {
        if (read === 0 && chunk.toString('latin1', 0, 12) !== 'HTTP/1.1 200') reject(new Error('a reply is no 200'))
        read += chunk.length
        if (read < length) return
        if (read > length) reject(new Error('a reply is longer than its first'))
        replies += 1
        if (!isOver) ask()
      })
    }
  })
  await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, options.ms))])
  isOver = true
  const seconds = (performance.now() - started) / 1_000
  for (const socket of sockets) socket.destroy()
  return { perSecond: replies / seconds, replies }
}

/** Returns the length of a whole reply with its headers. Only the digits of the date vary. */
function lengthOfReply(host: string, port: number, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    let text = ''
    socket.on('error', reject)
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const body = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1])
      if (!text.startsWith('HTTP/1.1 200') || Number.isNaN(body)) reject(new Error(text.slice(0, head)))
      if (text.length < head + 4 + body) return
      socket.destroy()
      resolve(head + 4 + body)
    })
  })
}
