import { useSyncExternalStore } from 'react'

/** Calls back when the browser goes offline or is back; answers how to stop. */
function follow(changed: () => void): () => void {
  globalThis.addEventListener('online', changed)
  globalThis.addEventListener('offline', changed)
  return () => {
    globalThis.removeEventListener('online', changed)
    globalThis.removeEventListener('offline', changed)
  }
}

/** Tells whether the browser has a network at all; that the server answers is another matter. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(follow, () => navigator.onLine)
}
