import { afterEach, describe, expect, it, vi } from 'vitest'

type Area = 'localStorage' | 'sessionStorage'

/** A working storage with some broken methods. */
function workingStorage(broken: Partial<Storage> = {}): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: (at) => [...items.keys()][at] ?? null,
    length: 0,
    ...broken,
  }
}

const fail = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

/** All ways in which a browser denies a page its storage. */
const BROKEN: Readonly<Record<string, () => PropertyDescriptor>> = {
  'the getter throws': () => ({ get: fail }),
  'storage is null': () => ({ value: null }),
  'storage is undefined': () => ({ value: undefined }),
  'every method throws': () => ({
    value: workingStorage({ getItem: fail, setItem: fail, removeItem: fail }),
  }),
  'storage is full': () => ({ value: workingStorage({ setItem: fail }) }),
  'storage silently drops items': () => ({ value: workingStorage({ setItem: () => undefined }) }),
}

async function openWith(area: Area, descriptor: PropertyDescriptor) {
  vi.resetModules()
  Object.defineProperty(globalThis, area, { configurable: true, ...descriptor })
  return import('#ui/state/browser-storage.ts')
}

afterEach(() => {
  for (const area of ['localStorage', 'sessionStorage'] as const) Reflect.deleteProperty(globalThis, area)
})

describe.each(['localStorage', 'sessionStorage'] as const)('%s', (area) => {
  it.each(Object.entries(BROKEN))('NV12, F80: keeps items while the page is open when %s', async (_, broken) => {
    const { readItem, readJson, writeItem } = await openWith(area, broken())
    expect(readItem(area, 'visited')).toBeNull()
    writeItem(area, 'visited', '1')
    expect(readItem(area, 'visited')).toBe('1')
    writeItem(area, 'session', '{"token":"T"}')
    expect(readJson(area, 'session')).toEqual({ token: 'T' })
    writeItem(area, 'visited', null)
    expect(readItem(area, 'visited')).toBeNull()
  })

  it('F80: the app forgets an item that the storage refuses to remove', async () => {
    const storage = workingStorage({ removeItem: fail })
    storage.setItem('session', 'old')
    const { readItem, writeItem } = await openWith(area, { value: storage })
    writeItem(area, 'session', null)
    expect(readItem(area, 'session')).toBeNull()
  })

  it('F80: outlivesPage reports whether an item survives a reload', async () => {
    const blocked = await openWith(area, { get: fail })
    blocked.writeItem(area, 'lang', 'de')
    expect(blocked.outlivesPage(area, 'lang')).toBe(false)
    const free = await openWith(area, { value: workingStorage() })
    free.writeItem(area, 'lang', 'de')
    expect(free.outlivesPage(area, 'lang')).toBe(true)
  })
})
