import { beforeEach, describe, expect, it } from 'vitest'
import { SHELL_PATH } from '#core/navigation/shell-path.ts'
import {
  type BuildFiles,
  dropOldBuilds,
  type FetchFile,
  storeBuild,
  storedFile,
  storedPage,
  storeUsed,
} from './page-cache.ts'

const FIRST: BuildFiles = { id: '1', files: ['/assets/index-1.js', '/assets/same.js'], entry: '/assets/index-1.js' }
const SECOND: BuildFiles = { id: '2', files: ['/assets/index-2.js', '/assets/same.js'], entry: '/assets/index-2.js' }

let caches: CacheStorage
let requests: string[]
/** The server's files, by path. */
let served: Record<string, string>

const get: FetchFile = async (path) => {
  requests.push(path)
  const text = served[path]
  return new Response(text ?? '', { status: text === undefined ? 404 : 200, headers: { vary: 'cookie' } })
}
const pageOf = ({ entry }: BuildFiles, language = 'de') =>
  `<link rel="modulepreload" href="/assets/${language}.js" /><script src="${entry}"></script>`
const deploy = (build: BuildFiles) => {
  const files = [...build.files, '/assets/de.js'].map((path) => [path, `${build.id} ${path}`])
  served = { ...(Object.fromEntries(files) as Record<string, string>), [SHELL_PATH]: pageOf(build) }
}
const textOf = async (response: Promise<Response | undefined>) => (await response)?.text()

beforeEach(() => {
  caches = memoryCaches()
  requests = []
})

describe('the stored build', () => {
  it('the build has the page, the files of every language and the files that the page names for the chosen language', async () => {
    deploy(FIRST)
    await storeBuild(FIRST, caches, get)
    expect(requests.toSorted()).toEqual([SHELL_PATH, '/assets/de.js', ...FIRST.files].toSorted())
    expect(await textOf(storedPage(FIRST, caches))).toBe(pageOf(FIRST))
    expect(await textOf(storedFile('/assets/de.js', caches))).toBe('1 /assets/de.js')
  })

  it('unchanged files are copied from the previous build', async () => {
    deploy(FIRST)
    await storeBuild(FIRST, caches, get)
    deploy(SECOND)
    requests = []
    await storeBuild(SECOND, caches, get)
    expect(requests.toSorted()).toEqual([SHELL_PATH, '/assets/index-2.js'].toSorted())
  })

  it('a build is refused when a file is missing, or when the page belongs to the next build', async () => {
    deploy(FIRST)
    delete served['/assets/same.js']
    await expect(storeBuild(FIRST, caches, get)).rejects.toThrow('missing')
    deploy(FIRST)
    served[SHELL_PATH] = pageOf(SECOND)
    await expect(storeBuild(FIRST, caches, get)).rejects.toThrow('another build')
    expect(await storedPage(FIRST, caches)).toBeUndefined()
  })

  it('the previous build stays for open pages, and older builds are deleted', async () => {
    const third: BuildFiles = { id: '3', files: [], entry: '/assets/index-3.js' }
    for (const build of [FIRST, SECOND, third]) {
      deploy(build)
      await storeBuild(build, caches, get)
      await dropOldBuilds(build, caches)
    }
    expect(await caches.keys()).toEqual(['build-2', 'build-3'])
    expect(await textOf(storedFile('/assets/index-2.js', caches))).toBe('2 /assets/index-2.js')
    expect(await storedFile('/assets/index-1.js', caches)).toBeUndefined()
  })
})

describe('the used files', () => {
  it('only the newest 60 used files stay stored', async () => {
    for (let n = 0; n < 70; n++) await storeUsed(`/assets/${n}.js`, new Response('x'), caches)
    expect(await (await caches.open('used-files')).keys()).toHaveLength(60)
    expect(await storedFile('/assets/9.js', caches)).toBeUndefined()
    expect(await storedFile('/assets/69.js', caches)).toBeDefined()
  })

  it('a file that the server refused is not stored', async () => {
    await storeUsed('/assets/a.js', new Response('', { status: 429 }), caches)
    expect(await storedFile('/assets/a.js', caches)).toBeUndefined()
  })
})

/** A `CacheStorage` in memory. As in browsers, its caches are in the order of their creation. */
function memoryCaches(): CacheStorage {
  const all = new Map<string, Map<string, Response>>()
  const cacheOf = (entries: Map<string, Response>) => ({
    put: async (key: string, response: Response) => void entries.set(key, response),
    match: async (key: string) => entries.get(key)?.clone(),
    keys: async () => [...entries.keys()],
    delete: async (key: string) => entries.delete(key),
  })
  return {
    open: async (name: string) => {
      const entries = all.get(name) ?? new Map<string, Response>()
      all.set(name, entries)
      return cacheOf(entries)
    },
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
    match: async (key: string) =>
      [...all.values()]
        .find((entries) => entries.has(key))
        ?.get(key)
        ?.clone(),
  } as unknown as CacheStorage
}
