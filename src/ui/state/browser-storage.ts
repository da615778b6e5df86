/**
 * Local and session storage that never throw. Where the browser blocks storage, has none or is full, items live in memory
 * as long as the page, so that everything works until it is loaded anew.
 */
type Area = 'localStorage' | 'sessionStorage'

/** Items that a storage did not take; null for those it would not remove. Newer than what the storage still has. */
const memory: Record<Area, Map<string, string | null>> = { localStorage: new Map(), sessionStorage: new Map() }

export function readItem(area: Area, key: string): string | null {
  const kept = memory[area].get(key)
  return kept === undefined ? readStored(area, key) : kept
}

/** Null removes the key. */
export function writeItem(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // Seen by what is read back.
  }
  // Some browsers neither store nor complain.
  if (readStored(area, key) === value) memory[area].delete(key)
  else memory[area].set(key, value)
}

/** Tells whether an item is still there after the page was loaded anew. */
export function outlivesPage(area: Area, key: string): boolean {
  return !memory[area].has(key)
}

export function readJson(area: Area, key: string): unknown {
  const text = readItem(area, key)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null // Written by something else, or cut short.
  }
}

function readStored(area: Area, key: string): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null // Blocked by the browser: the same as nothing stored.
  }
}

// Another tab stored something newer.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === null) memory.localStorage.clear()
  else memory.localStorage.delete(key)
})
