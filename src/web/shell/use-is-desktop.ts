import { useSyncExternalStore } from 'react'

const query = globalThis.matchMedia?.('(width >= 1024px)')

/** Whether there is room for lists beside their forms. For what CSS alone cannot do: not loading what is not shown. */
export function useIsDesktop(): boolean {
  return useSyncExternalStore(
    (changed) => {
      query?.addEventListener('change', changed)
      return () => query?.removeEventListener('change', changed)
    },
    () => query?.matches ?? false,
  )
}
