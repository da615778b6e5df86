import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches, kept up to date. For cases beyond CSS, such as rendering one form instead of two. */
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
