import { useEffect } from 'react'
import { createStore, useStore } from '#ui/state/store.ts'

/** The number of loading placeholders on the page. */
const waiting = createStore(0)

/** Counts this component as a loading placeholder while it is mounted. */
export function useCountAsWaiting(): void {
  useEffect(() => {
    waiting.set(waiting.get() + 1)
    return () => waiting.set(waiting.get() - 1)
  }, [])
}

/** Whether anything on the page is loading. */
export function useIsWaiting(): boolean {
  return useStore(waiting) > 0
}
