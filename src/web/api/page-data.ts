import type { CallRoute, Reply } from '#web/api/call.ts'
import { noteServerReply } from '#web/api/server-reply.ts'
import { currentLanguage } from '#web/i18n/language.ts'

/** Replies of public calls that the server wrote into the page, in the language it rendered. */
interface PageData {
  readonly language: string
  readonly replies: { readonly [R in CallRoute]?: Reply<R> }
}

/** 10 s: enough for the first screen. After this time the calls are made to the server. */
const FRESH_FOR_MS = 10_000

const data = readData()
if (data !== null && pageArrivedAt() !== null) noteServerReply()

/**
 * Returns the reply to a public call that came with the page. Null when there is none, or when the reply is in another
 * language or older than 10 s. Also null when the browser took the page from its cache, because old prices must not
 * look current.
 */
export function pageReply<R extends CallRoute>(route: R): Reply<R> | null {
  if (data === null || data.language !== currentLanguage().code) return null
  const arrivedAt = pageArrivedAt()
  if (arrivedAt === null) return null
  if (performance.timeOrigin + performance.now() - arrivedAt > FRESH_FOR_MS) return null
  return (data.replies[route] as Reply<R> | undefined) ?? null
}

/**
 * Returns when the page came from the server, in milliseconds by this device's clock. Null for a page from the cache.
 */
export function pageArrivedAt(): number | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation === undefined || navigation.transferSize === 0) return null
  return performance.timeOrigin + navigation.responseStart
}

function readData(): PageData | null {
  const text = document.getElementById('page-data')?.textContent
  // Only our server writes the element, so its content is not validated.
  return text ? (JSON.parse(text) as PageData) : null
}
