import type { FastifyInstance } from 'fastify'
import { DOCS_PATH } from '#server/platform/http/api-docs.ts'

/**
 * Scripts and styles come only from the site's own files, so injected content cannot run. A page may have inline
 * scripts and styles, allowed only by their hashes.
 */
export function contentPolicy(inline: {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inline.scripts].join(' '),
    ["style-src 'self'", ...inline.styles].join(' '),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // `'self'` includes the web sockets of this site.
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';')
}

type Header = readonly [name: string, value: string]

const ALWAYS: readonly Header[] = [
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
]
const PAGE: readonly Header[] = [
  ['Content-Security-Policy', contentPolicy({ scripts: [], styles: [] })],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
]
/**
 * Data replies never load or run anything. Headers about windows and documents do not apply to them (OWASP, REST
 * Security).
 */
const DATA: readonly Header[] = [['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"]]
const HTTPS_FOR_GOOD: Header = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']

/** Sets security headers on every page and reply. All headers are constant, so no request builds any. */
export function sendSecurityHeaders(app: FastifyInstance, { isHttps }: { readonly isHttps: boolean }): void {
  const always = isHttps ? [...ALWAYS, HTTPS_FOR_GOOD] : ALWAYS
  const page = [...always, ...PAGE]
  const data = [...always, ...DATA]
  app.addHook('onRequest', ({ url }, { raw }, done) => {
    for (const [name, value] of isData(url) ? data : page) raw.setHeader(name, value)
    done()
  })
}

/** Whether a URL belongs to the API. The page that documents the API counts as a page. */
function isData(url: string): boolean {
  return url.startsWith('/api/') && !url.startsWith(DOCS_PATH)
}
