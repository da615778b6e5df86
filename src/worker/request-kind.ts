import { matchScreen } from '#core/navigation/screens.ts'

/** A request as the worker sees it. */
export interface RequestFacts {
  readonly method: string
  /** The mode of the request: `navigate` for the page itself. */
  readonly mode: string
  readonly url: string
}

/** How the worker replies: with the stored page, with a stored file, or not at all. */
export type RequestKind = 'page' | 'file' | null

/** The build names these files by their content, so a stored copy never differs from the server's file. */
const HASHED_FOLDER = '/assets/'
/** A demo's server stores the key of this parameter in a cookie, so it must see the request. */
const DEMO_KEY = 'key'

/**
 * Returns how the worker answers a request. Null leaves the request to the browser: calls, sockets, the back office, the
 * outbox, uploads, files of the register, and all other sites.
 */
export function requestKind({ method, mode, url }: RequestFacts, origin: string): RequestKind {
  const address = new URL(url)
  if (method !== 'GET' || address.origin !== origin) return null
  if (mode !== 'navigate') return address.pathname.startsWith(HASHED_FOLDER) ? 'file' : null
  const { screen } = matchScreen(address.pathname)
  if (screen === 'not_found' || screen === 'outbox' || address.searchParams.has(DEMO_KEY)) return null
  return 'page'
}

/** Returns the hashed files among addresses of this site. */
export function hashedFiles(addresses: readonly unknown[], origin: string): string[] {
  const files = addresses.filter(
    (one): one is string => typeof one === 'string' && one.startsWith(origin + HASHED_FOLDER),
  )
  return [...new Set(files)]
}
