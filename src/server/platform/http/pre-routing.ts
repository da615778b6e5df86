import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Instant } from '#core/time/instant.ts'
import {
  isTagMatch,
  PREPARED_TYPE,
  type PreparedReply,
  type PreparedVariant,
  variantFor,
} from '#server/platform/http/prepared-reply.ts'
import type { TakeCall } from '#server/platform/http/rate-limit.ts'
import type { FailureReply } from '#server/platform/http/replies.ts'
import { hasSoundHead, refuseHead } from '#server/platform/http/sound-head.ts'

export interface PreRoutingParts {
  /** The prepared reply at an address (as in the request line), if there is one. */
  readonly find: (url: string) => PreparedReply | null
  readonly addressOf: (request: IncomingMessage) => string
  readonly takeByAddress: TakeCall
  readonly now: () => Instant
  /** The refusal of a request whose address contains an API key; null for any other request. */
  readonly refuseKey: (request: IncomingMessage) => FailureReply | null
}

/** Rejects ambiguous requests, and sends prepared replies before any routing. All other requests go to Fastify. */
export interface PreRouting {
  readonly serve: (handler: RequestListener, limits: ServerOptions) => Server
  /** Learns from Fastify which headers all replies have, and when the server begins to stop. */
  watch(app: FastifyInstance): void
}

export function createPreRouting({ find, addressOf, takeByAddress, now, refuseKey }: PreRoutingParts): PreRouting {
  // The headers that Fastify sent with its first reply to a prepared address. Prepared replies get the same headers.
  // Null before that reply.
  let common: readonly string[] | null = null
  const heads = new WeakMap<PreparedVariant, string[]>()

  /** Returns the head of a prepared variant. The head is built at its first use and kept with the variant. */
  function headOf(variant: PreparedVariant, { cacheControl }: PreparedReply, shared: readonly string[]): string[] {
    const known = heads.get(variant)
    if (known !== undefined) return known
    const { etag, encoding, body } = variant
    const head = [...cacheHeaders(etag, cacheControl, shared), 'content-type', PREPARED_TYPE]
    head.push('content-length', String(body.length))
    if (encoding !== null) head.push('content-encoding', encoding)
    heads.set(variant, head)
    return head
  }

  function answers(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url, headers } = request
    if (common === null || method !== 'GET' || url === undefined) return false
    // Fastify handles requests with a log-in, because they are counted by account too.
    if (headers.authorization !== undefined) return false
    const prepared = find(url)
    if (prepared === null || takeByAddress(addressOf(request), now()) > 0) return false
    const variant = variantFor(prepared, headers['accept-encoding'])
    if (isTagMatch(variant.etag, headers['if-none-match'])) {
      response.writeHead(304, cacheHeaders(variant.etag, prepared.cacheControl, common)).end()
      return true
    }
    response.writeHead(200, headOf(variant, prepared, common)).end(variant.body)
    return true
  }

  function refusesKey(request: IncomingMessage, response: ServerResponse): boolean {
    const refused = refuseKey(request)
    if (refused === null) return false
    const type = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    }
    response.writeHead(refused.status, type).end(JSON.stringify(refused.body))
    return true
  }

  let isOpen = true
  return {
    serve: (handler, limits) =>
      createServer(limits, (request, response) => {
        if (!hasSoundHead(request)) refuseHead(response)
        else if (!refusesKey(request, response) && (!isOpen || !answers(request, response))) handler(request, response)
      }),
    watch(app) {
      app.addHook('onSend', (request, reply, _payload, done) => {
        if (common === null && request.raw.url !== undefined && find(request.raw.url) !== null)
          common = Object.entries(reply.raw.getHeaders()).flatMap(([name, value]) => [name, String(value)])
        done()
      })
      app.addHook('preClose', (done) => {
        isOpen = false
        done()
      })
    },
  }
}

function cacheHeaders(etag: string, cacheControl: string, shared: readonly string[]): string[] {
  return [...shared, 'cache-control', cacheControl, 'etag', etag, 'vary', 'accept-encoding']
}
