/**
 * Local and session storage that never throw: with storage blocked or full the app still works, it only forgets.
 */
type Area = 'localStorage' | 'sessionStorage'

export function readItem(area: Area, key: string): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null // Blocked by the browser: the same as nothing stored.
  }
}

/** Null removes the key. */
export function writeItem(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // Blocked or full: there is nothing the user could do about it here.
  }
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
