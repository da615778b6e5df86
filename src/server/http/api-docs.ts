import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { asyncApiDocument, openApiDocument } from '#server/http/open-api.ts'

/** The contract for other people's programs: `/api/openapi.json`, its page at `/api/docs`, `/api/asyncapi.json`. */
export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  const openApi = openApiDocument()
  const asyncApi = asyncApiDocument()
  app.get('/api/openapi.json', async () => openApi)
  app.get('/api/asyncapi.json', async () => asyncApi)
  await app.register(swagger, { openapi: { openapi: '3.1.0' } })
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { url: '/api/openapi.json' } })
}
