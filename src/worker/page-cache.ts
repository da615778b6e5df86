import { SHELL_PATH } from '#core/navigation/shell-path.ts'

/** The files of one build that the worker stores before it takes over. */
export interface BuildFiles {
  /** Names the build: the hash of its file names. */
  readonly id: string
  /** Paths of the files that every language needs. */
  readonly files: readonly string[]
  /** The script that starts the app. A page of another build names another script. */
  readonly entry: string
}

const BUILD_PREFIX = 'build-'
/** Files that a page has used and that are not among those of the build: other languages, fonts, flags. */
const USED = 'used-files'
/** 60: the maximum number of used files that are stored. A reader of all languages needs fewer. */
const MAX_USED = 60

/** Requests a file from the server. */
export type FetchFile = (path: string, init?: RequestInit) => Promise<Response>

/**
 * Stores the page and the files of a build. Rejects when a file is missing or the page is of another build, so that the
 * worker in use stays.
 */
export async function storeBuild(
  { id, files, entry }: BuildFiles,
  caches: CacheStorage,
  get: FetchFile,
): Promise<void> {
  const cache = await caches.open(BUILD_PREFIX + id)
  const page = await sound(get(SHELL_PATH, { cache: 'no-store', headers: { accept: 'text/html' } }))
  const html = await page.clone().text()
  if (!html.includes(entry)) throw new Error('the page is of another build')
  // The server names the files of the chosen language in its page.
  const own = Array.from(html.matchAll(/href="(\/assets\/[^"]+)"/g), ([, path = '']) => path)
  await Promise.all(
    [...new Set([...files, ...own])].map(async (path) => {
      // The name of a file identifies its content, so the copy of an earlier build serves as well.
      await cache.put(path, (await storedFile(path, caches)) ?? (await sound(get(path))))
    }),
  )
  await cache.put(SHELL_PATH, page)
}

/** Returns the stored page of a build. */
export async function storedPage({ id }: BuildFiles, caches: CacheStorage): Promise<Response | undefined> {
  // The server's `Vary` names headers on which the stored page does not depend.
  return (await caches.open(BUILD_PREFIX + id)).match(SHELL_PATH, { ignoreVary: true })
}

/** Returns the stored copy of a file, of any build. */
export function storedFile(request: Request | string, caches: CacheStorage): Promise<Response | undefined> {
  return caches.match(request, { ignoreVary: true })
}

/** Stores a file that a page has used, and deletes the oldest used files above the limit of 60. */
export async function storeUsed(request: Request | string, response: Response, caches: CacheStorage): Promise<void> {
  if (!response.ok || response.redirected) return
  const cache = await caches.open(USED)
  await cache.put(request, response)
  const all = await cache.keys()
  await Promise.all(all.slice(0, Math.max(0, all.length - MAX_USED)).map((old) => cache.delete(old)))
}

/**
 * Drops all builds except this build and the previous one. A page of the previous build may still be open, and it loads
 * its files one by one.
 */
export async function dropOldBuilds({ id }: BuildFiles, caches: CacheStorage): Promise<void> {
  const builds = (await caches.keys()).filter((name) => name.startsWith(BUILD_PREFIX))
  const others = builds.filter((name) => name !== BUILD_PREFIX + id)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

async function sound(reply: Promise<Response>): Promise<Response> {
  const response = await reply
  if (!response.ok || response.redirected) throw new Error(`${response.url} is missing`)
  return response
}
