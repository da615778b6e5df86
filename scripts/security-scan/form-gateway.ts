import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { addressOf, type Target } from './targets.ts'

/**
 * The path of a page with links to all pages and forms, from which scanners start. They cannot follow links that the
 * app creates by script.
 */
export const MAP_PATH = '/scan-map'

export interface Gateway {
  readonly address: string
  /** Replies with status 500 or higher, by method and path. Scanners do not report such replies. */
  readonly failures: ReadonlyMap<string, number>
  readonly passed: () => number
  close(): Promise<void>
}

interface Options {
  readonly address: string
  /** Headers of the session for all requests. */
  readonly headers: Readonly<Record<string, string>>
  readonly pages: readonly string[]
  readonly targets: readonly Target[]
}

/**
 * Starts a proxy between a scanner and the product. The proxy adds the session and converts forms to JSON, as scanners
 * submit forms and the product accepts none. It also encodes cursors, so that scanners change the content of a cursor
 * and not only the encoding. Replies pass unchanged.
 */
export async function startFormGateway(options: Options): Promise<Gateway> {
  const failures = new Map<string, number>()
  let passed = 0
  const map = mapPage(options)
  const server = createServer((request, response) => {
    if (request.url === MAP_PATH) {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" }).end(map)
      return
    }
    void pass(request, options).then(
      (answer) => {
        const { statusCode: status = 502, headers } = answer
        passed += 1
        const name = `${request.method} ${request.url?.split('?')[0]}`
        if (status >= 500) failures.set(name, (failures.get(name) ?? 0) + 1)
        return answer.pipe(response.writeHead(status, headers))
      },
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    failures,
    passed: () => passed,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function pass(request: IncomingMessage, { address, headers }: Options): Promise<IncomingMessage> {
  const given = request.headers['content-type'] ?? ''
  const {
    'content-length': _length,
    host: _host,
    connection: _connection,
    origin: _origin,
    ...others
  } = request.headers
  const raw = request.method === 'GET' || request.method === 'HEAD' ? '' : await text(request)
  const isForm = given.startsWith('application/x-www-form-urlencoded')
  const body = isForm ? JSON.stringify(Object.fromEntries(new URLSearchParams(raw))) : raw
  const type = isForm || raw.startsWith('{') ? { 'content-type': 'application/json' } : {}
  const outgoing = ask(`${address}${withCursor(request.url ?? '/')}`, {
    method: request.method ?? 'GET',
    headers: { ...others, ...headers, ...type, 'content-length': String(Buffer.byteLength(body)) },
  })
  outgoing.end(body)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return answer
}

/** Replaces `after=x` by a cursor with the content x. */
function withCursor(url: string): string {
  const [path = '', search] = url.split('?', 2)
  const query = new URLSearchParams(search ?? '')
  const after = query.get('after')
  if (after === null) return url
  query.set('after', Buffer.from(JSON.stringify([1, after])).toString('base64url'))
  return `${path}?${query.toString()}`
}

function mapPage({ pages, targets }: Options): string {
  const links = [...pages, ...targets.filter(({ method }) => method === 'GET').map((target) => addressOf(target))]
  const forms = targets.filter(({ body }) => body !== null)
  return [
    '<!doctype html><title>map</title>',
    ...links.map((link) => `<a href="${escaped(link)}">${escaped(link)}</a>`),
    ...forms.map((target) => formOf(target)),
  ].join('\n')
}

function formOf(target: Target): string {
  const fields = Object.entries(target.body ?? {})
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `<input name="${escaped(name)}" value="${escaped(String(value))}">`)
  return `<form method="post" action="${escaped(addressOf(target))}">${fields.join('')}<button>send</button></form>`
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
