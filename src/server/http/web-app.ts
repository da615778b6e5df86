import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { message } from '#server/messages.ts'

/** Vite names what it puts here after its content, so it never changes under one name. */
const HASHED_FOLDER = 'assets'

/**
 * Serves the built web app: files as they are, and its page for every other address a person may open, since it finds
 * the screen by itself. Addresses of calls, and calls of programs, get a 404 that programs can read.
 */
export async function registerWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      cacheControl: false,
      dotfiles: 'ignore',
      setHeaders: (reply, path) => {
        const isHashed = dirname(relative(folder, path)) === HASHED_FOLDER
        void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && wantsPage(request)) {
      void reply.type('text/html').sendFile('index.html')
      return
    }
    const body = { message: message('refusal.not_found', 'en'), code: 'not_found' }
    void reply.code(404).header('cache-control', 'no-store').send(body)
  })
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?')
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/api' || path.startsWith('/api/') || path.startsWith('/ws/') || path.startsWith(`/${HASHED_FOLDER}/`))
    return false
  return (headers.accept ?? '').includes('text/html')
}
