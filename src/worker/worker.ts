import { type BuildFiles, dropOldBuilds, storeBuild, storedFile, storedPage, storeUsed } from './page-cache.ts'
import { hashedFiles, requestKind } from './request-kind.ts'
import { readPush } from './show-push.ts'
import { windowToOpen } from './window-to-open.ts'

declare const self: ServiceWorkerGlobalScope
/** The files of this build. The build inserts the list here. */
declare const BUILD: BuildFiles

const { caches } = self

self.addEventListener('install', (event) => {
  event.waitUntil(storeBuild(BUILD, caches, (path, init) => fetch(path, init)))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([dropOldBuilds(BUILD, caches), self.clients.claim()]))
})

// Prices, balances and orders never pass through here: only the page and files of the build are answered.
self.addEventListener('fetch', (event) => {
  const kind = requestKind(event.request, self.location.origin)
  if (kind === 'page') event.respondWith(answerPage(event.request))
  if (kind === 'file') event.respondWith(answerFile(event))
})

self.addEventListener('message', (event) => {
  const message: unknown = event.data
  if (typeof message !== 'object' || message === null) return
  if ('activate' in message) event.waitUntil(self.skipWaiting())
  if ('used' in message && Array.isArray(message.used)) event.waitUntil(storeAll(message.used))
})

// Every message is shown, also while the app is open: browsers end subscriptions that show nothing.
self.addEventListener('push', (event) => {
  const { origin, hostname } = self.location
  const { title, options, badge } = readPush(event.data?.text(), { origin, name: hostname })
  if (badge !== null && 'setAppBadge' in self.navigator) void self.navigator.setAppBadge(badge).catch(() => undefined)
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path } = event.notification.data as { readonly path: string }
  event.waitUntil(openPath(path))
})

/** Opens a path in the open app, or in a new window. */
async function openPath(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' })
  const shown = windowToOpen(windows)
  // A page may have work in progress, such as an order, so the page itself navigates, without a reload.
  if (shown === undefined) await self.clients.openWindow(path)
  else {
    shown.postMessage({ open: path }, [])
    await shown.focus()
  }
}

/**
 * Answers with the stored page. If the storage has no page or fails, the network answers, so that the site stays
 * usable.
 */
async function answerPage(request: Request): Promise<Response> {
  const page = await storedPage(BUILD, caches).catch(() => undefined)
  return page ?? fetch(request)
}

async function answerFile(event: FetchEvent): Promise<Response> {
  const stored = await storedFile(event.request, caches).catch(() => undefined)
  if (stored !== undefined) return stored
  const response = await fetch(event.request)
  event.waitUntil(storeUsed(event.request, response.clone(), caches).catch(() => undefined))
  return response
}

/** Stores files that the page loaded before this worker answered its requests. */
async function storeAll(addresses: readonly unknown[]): Promise<void> {
  for (const address of hashedFiles(addresses, self.location.origin)) {
    if ((await storedFile(address, caches)) === undefined) await storeUsed(address, await fetch(address), caches)
  }
}
