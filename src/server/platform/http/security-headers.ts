import type { FastifyInstance } from 'fastify'
import { DOCS_PATH } from '#server/platform/http/api-docs.ts'

/** Scripts and styles come from our own files only, so nothing that finds its way into a page can run. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // Our sockets too.
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

type Header = readonly [name: string, value: string]

const ALWAYS: readonly Header[] = [
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
]
const PAGE: readonly Header[] = [
  ['Content-Security-Policy', CONTENT_POLICY.join(';')],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
]
/** Nothing in data is ever loaded or run; what is said of windows and documents says nothing of it (OWASP, REST Security). */
const DATA: readonly Header[] = [['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"]]
const HTTPS_FOR_GOOD: Header = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']

/**
 * Tells browsers with every page and reply what they may do with it. The same each time, so nothing is put together
 * anew for each request.
 */
export function sendSecurityHeaders(app: FastifyInstance, { isHttps }: { readonly isHttps: boolean }): void {
  const always = isHttps ? [...ALWAYS, HTTPS_FOR_GOOD] : ALWAYS
  const page = [...always, ...PAGE]
  const data = [...always, ...DATA]
  app.addHook('onRequest', ({ url }, { raw }, done) => {
    for (const [name, value] of isData(url) ? data : page) raw.setHeader(name, value)
    done()
  })
}

/** All of the API but the page that describes it. */
function isData(url: string): boolean {
  return url.startsWith('/api/') && !url.startsWith(DOCS_PATH)
}
