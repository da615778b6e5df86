import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { message } from '#server/messages.ts'

/** Vite names what it puts here after its content, so it never changes under one name. */
const HASHED_FOLDER = 'assets'

export interface WebFolders {
  /** The trading app, at the root of the site. */
  readonly web: string
  /** The back office, at `/admin/`. */
  readonly admin: string
}

/**
 * Serves the two built web apps: files as they are, and an app's page for every other address a person may open, since it
 * finds the screen by itself. Addresses of calls, and calls of programs, get a 404 that programs can read.
 */
export async function registerWebApps(app: FastifyInstance, folders: WebFolders): Promise<void> {
  const isWebBuilt = await serveFiles(app, folders.web, '/')
  const isAdminBuilt = await serveFiles(app, folders.admin, '/admin/')
  app.setNotFoundHandler((request, reply) => {
    if (isAdminBuilt && wantsPage(request, isAdmin)) {
      // Nobody else may keep the page's address in mind, and nothing may find it by searching.
      void reply.header('x-robots-tag', 'noindex').type('text/html').sendFile('index.html', folders.admin)
      return
    }
    if (isWebBuilt && wantsPage(request, (path) => !isAdmin(path))) {
      void reply.type('text/html').sendFile('index.html', folders.web)
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
    // One registration brings `reply.sendFile`, for both.
    decorateReply: !app.hasReplyDecorator('sendFile'),
    cacheControl: false,
    // The build has packed them.
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
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/api' || path.startsWith('/api/') || path.startsWith('/ws/')) return false
  if (path.startsWith(`/${HASHED_FOLDER}/`) || path.startsWith(`/admin/${HASHED_FOLDER}/`)) return false
  return isOurs(path) && (headers.accept ?? '').includes('text/html')
}
