import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '#server/platform/context/context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the client presented the demo key that the server created at its start. */
    holdsDemoKey: boolean
  }
}

/**
 * The key that a demo prints at its start, for pages meant only for the person at this machine. Behind a proxy that
 * does not forward client addresses, all other clients seem to be on this machine too.
 */
export interface DemoKey {
  readonly text: string
  /** Returns the address with the key as a parameter. */
  at(address: string): string
}

const COOKIE = 'fairwick_demo_key'
const PARAMETER = 'key'
const KEY_BYTES = 16

/** Creates the demo key. Its text is drawn when it is first needed and stays the same until the server stops. */
export function createDemoKey({ randomBytes }: Pick<Ctx, 'randomBytes'>): DemoKey {
  let keyText: string | undefined
  return {
    get text() {
      keyText ??= Buffer.from(randomBytes(KEY_BYTES)).toString('base64url')
      return keyText
    },
    at(address) {
      const url = new URL(address)
      url.searchParams.set(PARAMETER, this.text)
      return url.href
    },
  }
}

/**
 * Recognises clients with the key. Opening an address with the key stores the key in a cookie and redirects to the
 * address without the key.
 */
export function readDemoKeys(app: FastifyInstance, key: DemoKey | null, isHttps: boolean): void {
  app.decorateRequest('holdsDemoKey', false)
  if (key === null) return
  app.addHook('onRequest', async (request, reply) => {
    const shown = request.cookies[COOKIE]
    request.holdsDemoKey = shown !== undefined && isSame(shown, key.text)
    if (request.method !== 'GET' || !request.url.includes(`${PARAMETER}=`)) return
    const url = new URL(request.url.replace(/^\/+/, '/'), 'http://localhost')
    if (url.pathname.startsWith('/api/') || !isSame(url.searchParams.get(PARAMETER) ?? '', key.text)) return
    url.searchParams.delete(PARAMETER)
    void reply
      .setCookie(COOKIE, key.text, { path: '/', httpOnly: true, sameSite: 'strict', secure: isHttps })
      .header('cache-control', 'no-store')
    return reply.redirect(url.pathname + url.search, 303)
  })
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
