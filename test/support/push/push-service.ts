import { createECDH, createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, jwtVerify } from 'jose'
import { assert } from '#core/result.ts'
import { type BrowserKeys, decryptPush } from '#test/support/push/decrypt-push.ts'

/** A message as a browser gets it. */
export interface PushedMessage {
  readonly endpoint: string
  readonly topic: string
  readonly ttl: number
  readonly urgency: string
  readonly text: string
  readonly notification: {
    readonly title: string
    readonly body?: string
    readonly lang: string
    readonly dir: string
    readonly tag: string
    readonly navigate: string
    readonly app_badge: string
  }
}

/** How the service answers a message instead of accepting it: a status, or null for no answer at all. */
export type PushAnswer = { readonly status: number; readonly retryAfter?: string } | null

/** The content of `PushSubscription.toJSON` in a browser. */
export interface BrowserSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly key: string
}

/**
 * A push service as in RFC 8030: it accepts messages for its subscriptions, checks the sender's signature (RFC 8292)
 * and decrypts the message as the browser would (RFC 8291). `broken` has every message that it would refuse.
 */
export interface PushService {
  readonly port: number
  readonly messages: PushedMessage[]
  readonly broken: string[]
  /** Sets the replies to the next messages for an endpoint. */
  answer(endpoint: string, answers: readonly PushAnswer[]): void
  /** Subscribes like a browser, with the public key of a site. */
  subscribe(key: string): BrowserSubscription
  stop(): void
}

interface Parts {
  /** The host in the addresses of subscriptions. */
  readonly host: string
  readonly certificate: { readonly key: string | Buffer; readonly cert: string | Buffer }
  /**
   * Returns the current time for the service, which refuses signatures that are valid for more than a day from then.
   */
  readonly now?: () => Date
}

const ACCEPTED = 201

export async function startPushService({ host, certificate, now = () => new Date() }: Parts): Promise<PushService> {
  const browsers = new Map<string, BrowserKeys & { readonly key: string }>()
  const answers = new Map<string, PushAnswer[]>()
  const messages: PushedMessage[] = []
  const broken: string[] = []
  let count = 0
  let port = 0
  const origin = () => `https://${host}:${port}`

  async function take(path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<PushAnswer> {
    const browser = browsers.get(path)
    if (browser === undefined) return { status: 404 }
    const planned = answers.get(path)?.shift()
    if (planned !== undefined) return planned
    await checkSender(headers, { audience: origin(), key: browser.key, now: now() })
    assert(headers['content-encoding'] === 'aes128gcm', 'the encoding of RFC 8188')
    assert(/^\d+$/.test(headers.ttl?.toString() ?? ''), 'a message says how long it may wait')
    const topic = headers.topic?.toString() ?? ''
    assert(/^[\w-]{1,32}$/.test(topic), 'a topic has at most 32 characters')
    const text = decryptPush(browser, body)
    assert(body.length <= 4_096, 'a message has at most 4 KB')
    const { notification } = JSON.parse(text) as Pick<PushedMessage, 'notification'>
    const ttl = Number(headers.ttl)
    const urgency = headers.urgency?.toString() ?? ''
    messages.push({ endpoint: origin() + path, topic, ttl, urgency, text, notification })
    return { status: ACCEPTED }
  }

  const server: Server = createServer(certificate, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      take(request.url ?? '', request.headers, Buffer.concat(parts))
        .catch((error: unknown): PushAnswer => {
          broken.push(String(error))
          return { status: 400 }
        })
        .then((answer) => {
          if (answer === null) return undefined
          const { status, retryAfter } = answer
          const more = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
          response.writeHead(status, status === ACCEPTED ? { location: `/message/${count}` } : more).end()
          return undefined
        })
        .catch(() => response.destroy())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port

  return {
    port,
    messages,
    broken,
    answer: (endpoint, next) => void answers.set(new URL(endpoint).pathname, [...next]),
    subscribe: (key) => {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys('base64url')
      count += 1
      const path = `/push/${createHash('sha256').update(p256dh).digest('hex')}`
      const auth = createHash('sha256').update(`auth ${p256dh}`).digest().subarray(0, 16)
      browsers.set(path, { pair, auth, key })
      return { endpoint: origin() + path, keys: { p256dh, auth: auth.toString('base64url') }, key }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Checks who sends a message: a signature with the key of the subscription, for this service, for at most 24 hours. */
async function checkSender(
  { authorization = '' }: IncomingHttpHeaders,
  { audience, key, now }: { readonly audience: string; readonly key: string; readonly now: Date },
): Promise<void> {
  const [, token = '', sender = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  assert(sender === key, 'the sender has the key of the subscription')
  const point = Buffer.from(sender, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = await importJWK(jwk, 'ES256')
  const { payload } = await jwtVerify(token, publicKey, { audience, algorithms: ['ES256'], currentDate: now })
  assert((payload.exp ?? 0) * 1_000 - now.getTime() <= 24 * 3_600_000, 'a signature is valid for at most a day')
  assert(/^(?:https:\/\/|mailto:)./.test(payload.sub ?? ''), 'the sender can be reached')
}
