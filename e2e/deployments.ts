import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'

/** A site in front of a server, on which a test deploys another version of the app. */
export interface Deployments {
  readonly address: string
  /** From now on passes requests to another server. */
  moveTo(server: string): void
  /** From now on serves this text in place of the service worker. Null serves the worker of the server. */
  replaceWorker(change: ((script: string) => string) | null): void
  /** Replies to these paths with 404, as after a deployment that removed the files. */
  removeFiles(paths: readonly string[]): void
  close(): Promise<void>
}

/** Starts a proxy in front of a server. The proxy passes HTTP on and refuses sockets. */
export async function createDeployments(server: string): Promise<Deployments> {
  let target = server
  let change: ((script: string) => string) | null = null
  const removed = new Set<string>()
  const proxy = createServer((incoming, reply) => {
    if (removed.has(incoming.url ?? '')) {
      reply.writeHead(404).end()
      return
    }
    passOn(incoming, reply, target, incoming.url === '/sw.js' ? change : null)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const place = proxy.address()
  if (place === null || typeof place === 'string') throw new Error('the proxy has no port')
  return {
    address: `http://127.0.0.1:${place.port}`,
    moveTo: (next) => {
      target = next
    },
    replaceWorker: (next) => {
      change = next
    },
    removeFiles: (paths) => {
      for (const path of paths) removed.add(path)
    },
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

function passOn(
  incoming: IncomingMessage,
  reply: ServerResponse,
  target: string,
  change: ((script: string) => string) | null,
): void {
  const { method, url, headers } = incoming
  // The proxy requests a script that it changes without compression, because it changes the text of the script.
  const { 'accept-encoding': _, ...plain } = headers
  const outgoing = request(new URL(url ?? '/', target), { method, headers: change === null ? headers : plain })
  outgoing.on('response', (answer) => {
    if (change === null) {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
      return
    }
    const parts: Buffer[] = []
    answer.on('data', (part: Buffer) => parts.push(part))
    answer.on('end', () => {
      const { 'content-length': _length, ...rest } = answer.headers
      reply.writeHead(answer.statusCode ?? 502, rest).end(change(Buffer.concat(parts).toString()))
    })
  })
  outgoing.on('error', () => reply.destroy())
  incoming.pipe(outgoing)
}
