import { afterEach, expect, it, vi } from 'vitest'

/** Simulates a new page load, in this tab or another: state in memory is gone. */
async function freshPage() {
  vi.resetModules()
  return import('#web/session/visit.ts')
}

afterEach(() => {
  document.cookie = 'visited=; path=/; max-age=0'
  sessionStorage.clear()
  vi.restoreAllMocks()
})

it('NV1, F26: a session spans the browser, so another tab does not start a new one', async () => {
  const first = await freshPage()
  expect(first.isFirstOfSession()).toBe(true)
  first.markVisited()
  expect(first.isFirstOfSession()).toBe(false)
  // Each tab has its own session storage.
  sessionStorage.clear()
  expect((await freshPage()).isFirstOfSession()).toBe(false)
})

it('F26: the cookie has no age, so it ends with the browser', async () => {
  const written = vi.spyOn(document, 'cookie', 'set')
  ;(await freshPage()).markVisited()
  expect(written.mock.calls.flat()).toEqual([expect.not.stringMatching(/age|expires/i)])
})

/** Behaves like a browser that drops cookies. */
function drop(): void {}

const blocked = (): never => {
  throw new DOMException('blocked', 'SecurityError')
}

it.each([
  ['are dropped', { get: () => '', set: drop }],
  ['throw', { get: blocked, set: blocked }],
])('F80: the tab remembers the session when cookies %s', async (_, cookie) => {
  Object.defineProperty(document, 'cookie', { configurable: true, ...cookie })
  try {
    const page = await freshPage()
    expect(page.isFirstOfSession()).toBe(true)
    page.markVisited()
    expect(page.isFirstOfSession()).toBe(false)
  } finally {
    Reflect.deleteProperty(document, 'cookie')
  }
})

it('F80: the page remembers the session when neither cookies nor storage work', async () => {
  Object.defineProperty(document, 'cookie', { configurable: true, get: () => '', set: drop })
  vi.stubGlobal('sessionStorage', undefined)
  vi.stubGlobal('localStorage', undefined)
  try {
    const page = await freshPage()
    page.markVisited()
    expect(page.isFirstOfSession()).toBe(false)
    page.keepReturnPath('/wallet')
    expect(page.returnPath()).toBe('/wallet')
  } finally {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(document, 'cookie')
  }
})
