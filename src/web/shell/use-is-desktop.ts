import { useSyncExternalStore } from 'react'

const QUERIES = {
  tablet: globalThis.matchMedia?.('(width >= 768px)'),
  desktop: globalThis.matchMedia?.('(width >= 1024px)'),
}

/** Whether there is room for lists beside their forms. For what CSS alone cannot do: not loading what is not shown. */
export function useIsDesktop(): boolean {
  return useMatches('desktop')
}

/** The same for the navigation beside the page instead of below it. */
export function useIsTabletUp(): boolean {
  return useMatches('tablet')
}

function useMatches(size: keyof typeof QUERIES): boolean {
  const query = QUERIES[size]
  return useSyncExternalStore(
    (changed) => {
      query?.addEventListener('change', changed)
      return () => query?.removeEventListener('change', changed)
    },
    () => query?.matches ?? false,
  )
}
