const LOOPBACK_HOST = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host)
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(?:\.\d{1,3}){3}$/.test(address)
}

/**
 * Whether a browser page at `origin` is ours. A request without an origin is allowed, because it does not come from a
 * page. When the installation has a public address, only pages from that address may call, and in demo mode also pages
 * from this machine. Without a public address, a page may call the host that served the page.
 */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  site: { readonly publicUrl: string | null; readonly mode: 'demo' | 'live' },
): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  if (site.publicUrl !== null && from.origin === new URL(site.publicUrl).origin) return true
  if (from.protocol !== 'http:' && from.protocol !== 'https:') return false
  if (host === undefined || from.host !== host.toLowerCase()) return false
  return site.publicUrl === null || (site.mode === 'demo' && isLoopbackHost(from.host))
}
