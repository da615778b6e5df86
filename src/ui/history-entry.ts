/** Reads a number that the app keeps with the shown entry of the browser's history; 0 where the entry has none. */
export function entryNumber(name: 'layers' | 'depth'): number {
  const state: unknown = globalThis.history?.state
  const value =
    typeof state === 'object' && state !== null ? new Map<string, unknown>(Object.entries(state)).get(name) : 0
  return typeof value === 'number' ? value : 0
}
