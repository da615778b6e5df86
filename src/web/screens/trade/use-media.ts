import { useCallback, useSyncExternalStore } from 'react'

/**
 * Returns whether a media query matches, and re-renders when this changes. For differences that CSS cannot make, such
 * as one form instead of two.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = globalThis.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => globalThis.matchMedia(query).matches)
}

export const WIDE = '(width >= 768px)'
export const DESKTOP = '(width >= 1024px)'
