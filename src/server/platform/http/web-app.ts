import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { matchScreen } from '#core/navigation/screens.ts'
import { message } from '#server/platform/i18n/messages.ts'

/** Vite names these files by their content, so a file never changes under its name. */
const HASHED_FOLDER = 'assets'
/** Paths that are not served as files: the build's files from which pages are rendered, and the root folder. */
const PAGE_FILES: ReadonlySet<string> = new Set(['/', '/index.html', '/pages.json'])

/**
 * Renders the page of the trading app for one request, with its content security policy. With `hasData`, the page
 * contains the replies to the calls that its first screen makes.
 */
export type RenderPage = (request: Pick<FastifyRequest, 'url' | 'cookies'>, hasData: boolean) => Promise<RenderedPage>

export interface RenderedPage {
  readonly html: string
  readonly policy: string
}

export interface WebFolders {
  /** The trading app, at the root of the site. */
  readonly web: string
  /** The back office, at `/admin/`. */
  readonly admin: string
}

/**
 * Serves the two built web apps: their files, and the page of an app for the address of each screen, since the app
 * itself shows the screen. Programs get the page too, unless they request JSON only. An address without a screen gets
 * the page only for clients that request HTML. Anything else gets a 404 in JSON. `takeCall` counts a page as a call of
 * its address; above the rate limit the page comes without data.
 */
export async function registerWebApps(
  app: FastifyInstance,
  folders: WebFolders,
  renderPage: RenderPage | null,
  takeCall: (request: FastifyRequest) => boolean,
): Promise<void> {
  await serveFiles(app, folders.web, '/')
  const isAdminBuilt = await serveFiles(app, folders.admin, '/admin/')
  app.setNotFoundHandler((request, reply) => {
    // The same address has different replies, depending on the accepted type. Cookies choose the page's language.
    void reply.header('vary', 'accept, cookie')
    if (isAdminBuilt && wantsPage(request, isAdmin)) {
      // Search engines must not index the back office.
      void reply.header('x-robots-tag', 'noindex').type('text/html').sendFile('index.html', folders.admin)
      return
    }
    if (renderPage !== null && wantsPage(request, (path) => !isAdmin(path))) {
      const send = ({ html, policy }: RenderedPage) => {
        void reply.header('content-security-policy', policy).header('cache-control', 'no-cache')
        void reply.type('text/html; charset=utf-8').send(html)
      }
      renderPage(request, takeCall(request)).then(send, (error: unknown) => void reply.send(error))
      return
    }
    const body = { message: message('refusal.not_found', 'en'), code: 'not_found' }
    void reply.code(404).header('cache-control', 'no-store').send(body)
  })
}

async function serveFiles(app: FastifyInstance, folder: string, prefix: '/' | '/admin/'): Promise<boolean> {
  if (!existsSync(join(folder, 'index.html'))) return false
  await app.register(fastifyStatic, {
    root: folder,
    prefix,
    // One registration adds `reply.sendFile` for both apps.
    decorateReply: !app.hasReplyDecorator('sendFile'),
    cacheControl: false,
    // The trading app's page is rendered for each request.
    ...(prefix === '/' && { allowedPath: (path: string) => !PAGE_FILES.has(path) }),
    // The build has compressed the files.
    preCompressed: true,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      const isHashed = dirname(relative(folder, path)) === HASHED_FOLDER
      void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return true
}

function isAdmin(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/')
}

function wantsPage({ method, url, headers }: FastifyRequest, isOurs: (path: string) => boolean): boolean {
  const [path = ''] = url.split('?')
  if (method !== 'GET') return false
  if (path === '/api' || path.startsWith('/api/') || path.startsWith('/ws/')) return false
  if (path.startsWith(`/${HASHED_FOLDER}/`) || path.startsWith(`/admin/${HASHED_FOLDER}/`)) return false
  if (!isOurs(path)) return false
  const kinds = acceptedKinds(headers.accept)
  return isScreen(path) ? !isJsonAlone(kinds) : kinds.includes('text/html')
}

/**
 * Whether a path is the address of a screen. In the back office each path is, except a name with an extension, which is
 * a file.
 */
function isScreen(path: string): boolean {
  return isAdmin(path) ? !/\.[^/]*$/.test(path) : matchScreen(path).screen !== 'not_found'
}

/** The accepted content types, in lower case, without those of weight zero. */
function acceptedKinds(accept = ''): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => (range.split(';')[0] ?? '').trim())
    .filter((kind) => kind !== '')
}

function isJsonAlone(kinds: readonly string[]): boolean {
  return kinds.length > 0 && kinds.every((kind) => /^[^/]+\/(?:[^/]+\+)?json$/.test(kind))
}
