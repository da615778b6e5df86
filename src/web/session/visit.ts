import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

/**
 * The state of the navigation rules: whether this browser session has shown a first screen, and two paths of the tab.
 * `RETURN` stores the path to open after the log-in. `WANTED` stores the path from which the first navigation was
 * redirected.
 */
const VISITED = 'visited'
const RETURN = 'return_path'
const WANTED = 'wanted_path'

const wanted = createStore<string | null>(ownPath(readItem('sessionStorage', WANTED)))

export function isFirstOfSession(): boolean {
  return !hasVisitedCookie() && readItem('sessionStorage', VISITED) === null
}

/** A cookie without an age lives as long as the browser session, for all of its tabs. */
export function markVisited(): void {
  if (hasVisitedCookie()) return
  try {
    document.cookie = `${VISITED}=1; path=/; samesite=lax`
  } catch {
    // Cookies are blocked, so the session storage of the tab stores the mark.
  }
  if (!hasVisitedCookie()) writeItem('sessionStorage', VISITED, '1')
}

function hasVisitedCookie(): boolean {
  try {
    return document.cookie.split(/; */).includes(`${VISITED}=1`)
  } catch {
    return false
  }
}

export function returnPath(): string | null {
  return ownPath(readItem('sessionStorage', RETURN))
}

export function keepReturnPath(path: string | null): void {
  writeItem('sessionStorage', RETURN, path)
}

export function requestedPath(): string | null {
  return wanted.get()
}

/** Returns the path offered as "Continue". */
export function useRequestedPath(): string | null {
  return useStore(wanted)
}

export function storeRequestedPath(path: string | null): void {
  writeItem('sessionStorage', WANTED, path)
  wanted.set(path)
}

/** Accepts only paths of this site: `//elsewhere` would leave it. */
function ownPath(text: string | null): string | null {
  return text !== null && /^\/(?![/\\])/.test(text) ? text : null
}
