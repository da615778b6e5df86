import { describe, expect, it } from 'vitest'
import { SCREEN_PATHS } from '#core/navigation/screens.ts'
import { hashedFiles, requestKind } from './request-kind.ts'

const SITE = 'https://trade.example'
const opened = (path: string) => requestKind({ method: 'GET', mode: 'navigate', url: SITE + path }, SITE)
const fetched = (path: string, method = 'GET') => requestKind({ method, mode: 'cors', url: SITE + path }, SITE)

describe('the worker', () => {
  it('the worker answers the page of each screen except the outbox', () => {
    for (const [screen, pattern] of Object.entries(SCREEN_PATHS)) {
      const path = pattern.replaceAll(/:\w+\??/g, 'x')
      expect(opened(path), path).toBe(screen === 'outbox' ? null : 'page')
    }
    expect(opened('/trade/BTC?x=1')).toBe('page')
  })

  it.each([
    '/api/user/profile',
    '/api/docs',
    '/ws/app',
    '/stream',
    '/admin',
    '/admin/users',
    '/admin/assets/index-1a2b3c.js',
    '/outbox',
    '/metrics',
    '/register/checkpoint',
    '/register/tile/0/000',
    '/images/users/0123456789abcdef0123456789abcdef.webp',
    '/manifest.webmanifest',
    '/icons/demo-192.png',
    '/sw.js',
    '/app-shell',
    '/nowhere',
  ])('the worker leaves %s to the browser, opened or fetched', (path) => {
    expect([opened(path), fetched(path)]).toEqual([null, null])
  })

  it('the worker leaves the page to the server when the address has the key of a demo', () => {
    expect(opened('/?key=abc')).toBeNull()
    expect(opened('/outbox?key=abc')).toBeNull()
  })

  it('the worker answers hashed files of this site, by GET only', () => {
    expect(fetched('/assets/index-1a2b3c.js')).toBe('file')
    expect(fetched('/assets/index-1a2b3c.js', 'POST')).toBeNull()
    expect(requestKind({ method: 'POST', mode: 'navigate', url: `${SITE}/market` }, SITE)).toBeNull()
    for (const other of ['https://other.example', 'http://trade.example', 'https://trade.example:8443'])
      expect(requestKind({ method: 'GET', mode: 'cors', url: `${other}/assets/a.js` }, SITE)).toBeNull()
  })

  it('the worker stores only hashed files of this site when a page names what it has loaded', () => {
    const named = [
      `${SITE}/assets/a.js`,
      `${SITE}/assets/a.js`,
      `${SITE}/api/user/profile`,
      'https://other.example/assets/b.js',
      7,
    ]
    expect(hashedFiles(named, SITE)).toEqual([`${SITE}/assets/a.js`])
  })
})
