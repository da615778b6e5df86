import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * When a header is repeated, Node keeps the first value and drops the others, or joins all values. A proxy before Node
 * may choose differently.
 */
const ONCE = new Set(['host', 'content-length', 'transfer-encoding', 'content-type', 'authorization', 'origin'])
/** A host name, an IPv4 address or a bracketed IPv6 address, with or without a port. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i
const MAX_PORT = 65_535
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Whether a request is unambiguous: it names one valid host, and repeats no header that decides its destination, its
 * end or its user.
 */
export function hasSoundHead({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): boolean {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!ONCE.has(name)) continue
    if (seen.has(name)) return false
    seen.add(name)
  }
  const { host } = headers
  const isOld = httpVersion === '1.0'
  if (isOld && headers['transfer-encoding'] !== undefined) return false
  const [, target] = ABSOLUTE.exec(url) ?? []
  if (target !== undefined && target.toLowerCase() !== host?.toLowerCase()) return false
  // Before HTTP/1.1 the host header was optional.
  return host === undefined ? isOld : isHost(host)
}

/** Rejects a request with an ambiguous head. Closes the connection, because the end of the request is unknown. */
export function refuseHead(response: ServerResponse): void {
  const headers = { connection: 'close', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  response.writeHead(400, headers).end()
}

function isHost(host: string): boolean {
  const found = HOST.exec(host)
  return found !== null && Number(found[1] ?? 0) <= MAX_PORT
}
