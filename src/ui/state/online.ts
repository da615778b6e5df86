import { useSyncExternalStore } from 'react'

/** Calls the listener when the browser goes offline or online. Returns a function to stop. */
function follow(changed: () => void): () => void {
  globalThis.addEventListener('online', changed)
  globalThis.addEventListener('offline', changed)
  return () => {
    globalThis.removeEventListener('online', changed)
    globalThis.removeEventListener('offline', changed)
  }
}

/** Whether the browser has a network connection. The server may still be unreachable. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    follow,
    () => navigator.onLine,
    () => true,
  )
}
