import { useAddress } from '#web/session/location.ts'

/** What follows the question mark in the address bar, without it; empty when there is none. */
export function useQueryText(): string {
  return useAddress().split('?')[1] ?? ''
}
