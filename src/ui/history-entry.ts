/** Reads a number that the app stores with the current entry of the browser history. 0 when the entry has none. */
export function entryNumber(name: 'layers' | 'depth'): number {
  const state: unknown = globalThis.history?.state
  const value =
    typeof state === 'object' && state !== null ? new Map<string, unknown>(Object.entries(state)).get(name) : 0
  return typeof value === 'number' ? value : 0
}
