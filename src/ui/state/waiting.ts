import { useEffect } from 'react'
import { createStore, useStore } from '#ui/state/store.ts'

/** How many stand-ins for something that loads are on the page. */
const waiting = createStore(0)

/** Counts this component as a stand-in for as long as it is drawn. */
export function useCountAsWaiting(): void {
  useEffect(() => {
    waiting.set(waiting.get() + 1)
    return () => waiting.set(waiting.get() - 1)
  }, [])
}

/** Tells whether anything on the page is loading. */
export function useIsWaiting(): boolean {
  return useStore(waiting) > 0
}
