import { useSyncExternalStore } from 'react'

const QUERIES = {
  tablet: globalThis.matchMedia?.('(width >= 768px)'),
  desktop: globalThis.matchMedia?.('(width >= 1024px)'),
}

/**
 * Whether there is room for lists beside their forms. For differences that CSS cannot make, such as not loading hidden
 * content.
 */
export function useIsDesktop(): boolean {
  return useMatches('desktop')
}

/** Whether the navigation is beside the page instead of below it. */
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
    () => false,
  )
}
