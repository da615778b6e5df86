import type { IncomingMessage, ServerResponse } from 'node:http'

/** Node keeps the first of several and drops the others, or joins them; a proxy before us may go by another one. */
const ONCE = new Set(['host', 'content-length', 'transfer-encoding', 'content-type', 'authorization', 'origin'])
/** A name, an IPv4 address or an IPv6 one in brackets, with or without a port. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i
const LARGEST_PORT = 65_535
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Tells whether a request can be read in one way only: it names one host, in a form that is one, and says nothing twice that
 * decides where it goes, where it ends or whose it is.
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
  // Before HTTP/1.1 nobody had to name a host.
  return host === undefined ? isOld : isHost(host)
}

/** Answers a request whose head is not sound, and ends its connection: where it ends is not known. */
export function refuseHead(response: ServerResponse): void {
  const headers = { connection: 'close', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  response.writeHead(400, headers).end()
}

function isHost(host: string): boolean {
  const found = HOST.exec(host)
  return found !== null && Number(found[1] ?? 0) <= LARGEST_PORT
}
