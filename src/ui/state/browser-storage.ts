/**
 * Local and session storage that never throw. When the browser blocks storage, lacks it or has no space left, items
 * stay in memory until the page is reloaded.
 */
type Area = 'localStorage' | 'sessionStorage'

/** Items that a storage did not accept, or null for items that it would not remove. They override the stored items. */
const memory: Record<Area, Map<string, string | null>> = { localStorage: new Map(), sessionStorage: new Map() }

export function readItem(area: Area, key: string): string | null {
  const override = memory[area].get(key)
  return override === undefined ? readStored(area, key) : override
}

/** Writes an item. Null removes it. */
export function writeItem(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // The comparison below detects the failure.
  }
  // Some browsers neither store an item nor throw.
  if (readStored(area, key) === value) memory[area].delete(key)
  else memory[area].set(key, value)
}

/** Whether an item survives a reload of the page. */
export function outlivesPage(area: Area, key: string): boolean {
  return !memory[area].has(key)
}

export function readJson(area: Area, key: string): unknown {
  const text = readItem(area, key)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null // The stored text was written by other code or is incomplete.
  }
}

function readStored(area: Area, key: string): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null // The browser blocks storage, which is treated as an empty storage.
  }
}

// Another tab stored a newer item.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === null) memory.localStorage.clear()
  else memory.localStorage.delete(key)
})
