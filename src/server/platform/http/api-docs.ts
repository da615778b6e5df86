import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { asyncApiDocument, openApiDocument } from '#server/platform/http/open-api.ts'

/**
 * The page sets one inline style while it loads. A hash allows exactly that style, on this page only: no other page has
 * inline content.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';')

/**
 * The documents are built on the first request, because they are rarely needed and take longer than the rest of the
 * start.
 */
const openApi = onFirstCall(openApiDocument)
const asyncApi = onFirstCall(asyncApiDocument)

function onFirstCall<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => (value ??= make())
}

export const DOCS_PATH = '/api/docs'

/**
 * Serves the public API contract: `/api/openapi.json`, a page that shows it at `/api/docs`, and `/api/asyncapi.json`.
 */
export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  app.get('/api/openapi.json', async () => openApi())
  app.get('/api/asyncapi.json', async () => asyncApi())
  // By itself the plugin documents the registered routes. `transformSpecification` replaces this by the document
  // generated from the contract.
  await app.register(swagger)
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: PAGE_POLICY,
    uiConfig: { layout: 'BaseLayout' },
    transformSpecification: () => openApi(),
    transformSpecificationClone: false,
  })
}
