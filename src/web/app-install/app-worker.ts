import { createStore, useStore } from '#ui/state/store.ts'
import { hasOpenWork } from '#web/app-install/open-work.ts'

/** Whether a new version of the app has been loaded and waits for a reload. */
const updateIsReady = createStore(false)
/** 30 minutes: the installed app may stay open for days without a page load. */
const LOOK_EVERY_MS = 30 * 60_000

let registration: ServiceWorkerRegistration | null = null

/**
 * Registers the worker that starts the app without a network. Browsers have no workers over plain HTTP, and the app
 * works without one. Called after the first screen, so that the worker does not slow the first load down.
 */
export async function startAppWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return
  const { serviceWorker } = navigator
  registration = await registerWorker()
  if (registration === null) return
  followUpdates(registration)
  const active = (await serviceWorker.ready).active
  active?.postMessage({ used: loadedFiles() }, [])
  // The page asks for a new version at each visit, because browsers check late, and not after every page load.
  if (serviceWorker.controller !== null) look()
  setInterval(look, LOOK_EVERY_MS)
}

/** Registers the app's worker, or returns the registered one. Null where workers are blocked. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  try {
    // Browsers that a test tool controls may block workers without an error, and resolve to undefined.
    return (await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })) ?? null
  } catch {
    // Storage or workers are blocked.
    return null
  }
}

/** Asks the server for a new version. */
function look(): void {
  // A failure is silent: the current version keeps working.
  registration?.update().catch(() => undefined)
}

/** Whether a new version waits for a reload. */
export function useUpdateIsReady(): boolean {
  return useStore(updateIsReady)
}

/** Starts the new version with a reload. Does nothing and returns false while the reload would lose work. */
export function applyUpdate(): boolean {
  if (hasOpenWork()) return false
  const waiting = registration?.waiting
  // Another tab has started the new version already, or the worker was removed.
  if (!waiting) location.reload()
  else {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    waiting.postMessage({ activate: true }, [])
  }
  return true
}

function followUpdates(from: ServiceWorkerRegistration): void {
  noteState(from.waiting)
  from.addEventListener('updatefound', () => {
    const { installing } = from
    installing?.addEventListener('statechange', () => noteState(installing))
  })
}

/**
 * Sets `updateIsReady` when a new worker is installed. A page without a controller has just loaded the newest version.
 */
function noteState(worker: ServiceWorker | null): void {
  if (worker?.state === 'installed' && navigator.serviceWorker.controller !== null) updateIsReady.set(true)
}

/** The files that this page loaded before the worker answered its requests, such as its language. */
function loadedFiles(): string[] {
  return performance.getEntriesByType('resource').map(({ name }) => name)
}
