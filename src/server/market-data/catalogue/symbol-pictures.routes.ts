import type { FastifyInstance } from 'fastify'
import { SYMBOL_IMAGE_PATH } from '#core/markets/market.ts'
import type { Ctx } from '#server/platform/context/context.ts'

const NAME = /^[0-9a-f]{32}\.webp$/
/** The content of a picture never changes under the same name, so clients may cache it for ever. */
const FOREVER = 'public, max-age=31536000, immutable'

/** Serves the pictures of symbols without log-in. */
export function symbolPicturesRoutes(app: FastifyInstance, { db }: Pick<Ctx, 'db'>): void {
  app.get<{ Params: { name: string } }>(`${SYMBOL_IMAGE_PATH}:name`, async (request, reply) => {
    const { name } = request.params
    const picture = NAME.test(name)
      ? await db.selectFrom('symbol_picture').select('bytes').where('name', '=', name).executeTakeFirst()
      : undefined
    if (!picture) {
      reply.callNotFound()
      return reply
    }
    void reply
      .header('cache-control', FOREVER)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type('image/webp')
    return reply.send(Buffer.from(picture.bytes))
  })
}
