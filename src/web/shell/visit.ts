import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

/**
 * What the navigation rules remember within a browser session: that there was a first screen, the path to go to after
 * the login, and the path that the first navigation was kept from.
 */
const VISITED = 'visited'
const RETURN = 'return_path'
const WANTED = 'wanted_path'

const wanted = createStore<string | null>(ownPath(readItem('sessionStorage', WANTED)))

export function isFirstOfSession(): boolean {
  return readItem('sessionStorage', VISITED) === null
}

export function markVisited(): void {
  writeItem('sessionStorage', VISITED, '1')
}

export function returnPath(): string | null {
  return ownPath(readItem('sessionStorage', RETURN))
}

export function keepReturnPath(path: string | null): void {
  writeItem('sessionStorage', RETURN, path)
}

/** The path offered as "Continue". */
export function useWantedPath(): string | null {
  return useStore(wanted)
}

export function keepWantedPath(path: string | null): void {
  writeItem('sessionStorage', WANTED, path)
  wanted.set(path)
}

/** Only paths of this site: `//elsewhere` would leave it. */
function ownPath(text: string | null): string | null {
  return text !== null && /^\/(?![/\\])/.test(text) ? text : null
}
