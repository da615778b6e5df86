import { useAddress } from '#web/session/location.ts'

/** Returns the query of the address without the question mark; empty when there is none. */
export function useQueryText(): string {
  return useAddress().split('?')[1] ?? ''
}
