import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { message } from '#server/messages.ts'

/** Vite names what it puts here after its content, so it never changes under one name. */
const HASHED_FILES = '/assets/'

/**
 * Serves the built web app: files as they are, and its page for every other address a person may open, since it finds
 * the screen by itself. Addresses of calls, and calls of programs, get a 404 that programs can read.
 */
export async function registerWebApp(app: FastifyInstance, folder: string | null): Promise<void> {
  const isBuilt = folder !== null && existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.slice(folder.length).replaceAll('\\', '/').startsWith(HASHED_FILES)
        void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (isBuilt && wantsPage(request)) return reply.type('text/html').sendFile('index.html')
    const body = { message: message('refusal.not_found', 'en'), code: 'not_found' }
    return reply.code(404).header('cache-control', 'no-store').send(body)
  })
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?')
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/api' || path.startsWith('/api/') || path.startsWith('/ws/') || path.startsWith(HASHED_FILES))
    return false
  return (headers.accept ?? '').includes('text/html')
}
