import { lookup } from 'node:dns/promises'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { SECOND_MS } from '#core/time/instant.ts'
import { contains, isPrivateAddress, networks } from '#server/platform/outgoing/private-address.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'

/** How a request to an address of staff, of the operator or of a user's browser ended. */
export type OutgoingReply =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false
      readonly failure: OutgoingFailure
      readonly status: number | null
      /** How long the receiver asks to wait before the next try (`Retry-After` in seconds). */
      readonly retryAfterMs?: number
    }

/** `private`: the name leads to a private network. `status`: the receiver answered, but did not accept. */
type OutgoingFailure = OutgoingRefusal | 'status' | 'timeout' | 'no_connection' | 'too_long'

/** Why an address is refused: its host is private or has no address, or its port is not 443. */
export type OutgoingRefusal = 'private' | 'port' | 'not_found'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sends requests to addresses that people typed in. */
export interface Outgoing {
  /** Never throws. Follows no redirect. */
  send(url: string, request: OutgoingRequest): Promise<OutgoingReply>
  /**
   * Looks the host up, and says why the address is refused. Null for a permitted address. Sending looks the host up
   * again.
   */
  refusalOf(url: string): Promise<OutgoingRefusal | null>
}

interface Address {
  readonly address: string
  readonly family: number
}

interface OutgoingParts {
  readonly clock: Clock
  /** Private addresses and ranges that are allowed. */
  readonly privateAddresses: readonly string[]
  readonly agent?: Agent
  /** Finds all addresses of a host. */
  readonly lookUp?: (host: string) => Promise<readonly Address[]>
}

const CONNECT_MS = 5 * SECOND_MS
const WHOLE_MS = 10 * SECOND_MS
const MAX_REPLY_BYTES = 256 * 1_024

class RefusedAddress extends Error {}

/** Whether a text has the form of an address that may be entered: https, without a user name. */
export function isOutgoingUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && hash === ''
}

/**
 * Creates a sender that reaches public addresses only. The address is checked when the connection is made: a name that
 * was public before can lead to a private network now.
 */
export function createOutgoing({
  clock,
  privateAddresses,
  agent = new Agent(),
  lookUp = findAll,
}: OutgoingParts): Outgoing {
  const allowed = networks(privateAddresses)
  const isRefused = (address: string) => isPrivateAddress(address) && !contains(allowed, address)
  const find = async (host: string): Promise<readonly Address[] | 'not_found' | 'private'> => {
    const family = isIP(host)
    const found = family === 0 ? await lookUp(host).catch(() => []) : [{ address: host, family }]
    if (found.length === 0) return 'not_found'
    return found.some(({ address }) => isRefused(address)) ? 'private' : found
  }
  const lookupPublic: LookupFunction = (host, options, done) => {
    void (async () => {
      const found = await find(host)
      if (found === 'private') return done(new RefusedAddress(), '', 0)
      const [first] = found
      if (found === 'not_found' || typeof first !== 'object') return done(new Error('the host was not found'), '', 0)
      if (options.all === true) done(null, [...found])
      else done(null, first.address, first.family)
    })()
  }
  return {
    refusalOf: async (url) => {
      const found = await find(hostOf(url))
      if (typeof found === 'string') return found
      // Receivers in the operator's own network may use any port.
      const isOwn = found.every(({ address }) => contains(allowed, address))
      return isOwn || new URL(url).port === '' ? null : 'port'
    },
    send: async (url, sent) => {
      if (!isOutgoingUrl(url)) return failed('no_connection')
      const host = hostOf(url)
      // For a host that is an IP address, Node does not call `lookup`, so the address is checked here.
      if (isIP(host) !== 0 && isRefused(host)) return failed('private')
      return await exchange({ clock, agent, url, sent, lookup: lookupPublic })
    },
  }
}

interface Exchange {
  readonly clock: Clock
  readonly agent: Agent
  readonly url: string
  readonly sent: OutgoingRequest
  readonly lookup: LookupFunction
}

function exchange({ clock, agent, url, sent, lookup: lookupPublic }: Exchange): Promise<OutgoingReply> {
  return new Promise((resolve) => {
    const { method, headers = {}, body } = sent
    const outgoing = request(url, { method, headers, lookup: lookupPublic, agent })
    const timers = [
      clock.after(CONNECT_MS, () => end(failed('timeout'))),
      clock.after(WHOLE_MS, () => end(failed('timeout'))),
    ]
    const [cancelConnect] = timers
    function end(reply: OutgoingReply): void {
      for (const cancel of timers) cancel()
      resolve(reply)
      outgoing.destroy()
    }
    outgoing.on('socket', (socket) => socket.once('secureConnect', () => cancelConnect?.()))
    outgoing.on('error', (error) => end(failed(error instanceof RefusedAddress ? 'private' : 'no_connection')))
    outgoing.on('response', (response) => {
      let bytes = 0
      const status = response.statusCode ?? 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > MAX_REPLY_BYTES) end({ ok: false, failure: 'too_long', status })
      })
      response.on('error', () => end(failed('no_connection')))
      response.on('end', () =>
        end(
          status >= 200 && status < 300
            ? { ok: true, status }
            : { ok: false, failure: 'status', status, ...retryAfter(response.headers['retry-after']) },
        ),
      )
    })
    outgoing.end(body)
  })
}

/**
 * Reads the seconds of a `Retry-After` header. Its other form, a date, depends on the receiver's clock and is not read.
 */
function retryAfter(header: string | undefined): { retryAfterMs?: number } {
  return header !== undefined && /^\d{1,7}$/.test(header) ? { retryAfterMs: Number(header) * SECOND_MS } : {}
}

/** Returns the host of a URL. An IPv6 address is returned without its brackets. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

function failed(failure: OutgoingFailure): OutgoingReply {
  return { ok: false, failure, status: null }
}

async function findAll(host: string): Promise<readonly Address[]> {
  return await lookup(host, { all: true, verbatim: true })
}
