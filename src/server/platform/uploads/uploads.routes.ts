import type { FastifyInstance } from 'fastify'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

/** The address of profile pictures, readable by anyone who knows the name. Names cannot be guessed. */
const USER_PICTURES = '/images/users/'
const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Serves profile pictures. Receipts are never served: the operator reads them in the data folder. Any other file that
 * got here would be sent as a download, never displayed.
 */
export function uploadsRoutes(app: FastifyInstance, uploads: Uploads): void {
  app.get<{ Params: { name: string } }>(`${USER_PICTURES}:name`, async (request, reply) => {
    const file = await uploads.read(request.params.name, 'profile')
    if (!file) {
      reply.callNotFound()
      return reply
    }
    const isPicture = file.mediaType.startsWith('image/')
    void reply
      .header('cache-control', FOREVER)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', isPicture ? 'inline' : 'attachment')
      .type(isPicture ? file.mediaType : 'application/octet-stream')
    return reply.send(Buffer.from(file.bytes))
  })
}
