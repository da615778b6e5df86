import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { MAX_UPLOAD_BYTES, PICTURE_TYPES, readFileType } from '#core/uploads/file-type.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { reencodePicture } from '#server/platform/uploads/reencode-picture.ts'
import { isUploadName, readUploadBytes, writeUpload } from '#server/platform/uploads/upload-folder.ts'
import type { UploadRefusal } from '#server/platform/uploads/uploads.ts'

/**
 * Public pictures of the site that staff upload: of gateways, and the logo. Replaced pictures are kept, because they
 * are few and small, and because staff can review past decisions that used these pictures.
 */
export interface SitePictures {
  /** Re-encodes and stores a picture. Returns its name. */
  store(file: ReceivedFile): Promise<Result<string, UploadRefusal>>
  read(name: string): Promise<Uint8Array | null>
}

const MAX_EDGE_PX = 512
const NAME_BYTES = 16

export function createSitePictures(ctx: Pick<Ctx, 'randomBytes'>, dataDir: string): SitePictures {
  const folder = join(dataDir, 'pictures')
  return {
    async store({ bytes, isCutOff }) {
      if (isCutOff || bytes.length > MAX_UPLOAD_BYTES) {
        return refuse('file_too_large', { params: { size: MAX_UPLOAD_BYTES / 1_048_576 } })
      }
      const type = readFileType(bytes)
      if (type === null || !PICTURE_TYPES.includes(type)) {
        return refuse('file_type', { params: { types: 'JPEG, PNG, WEBP' } })
      }
      const drawn = await reencodePicture(bytes, MAX_EDGE_PX)
      if (!drawn.ok) return drawn
      const name = `${Buffer.from(ctx.randomBytes(NAME_BYTES)).toString('hex')}.webp`
      await writeUpload(folder, name, drawn.value)
      return ok(name)
    },
    read: (name) => (isUploadName(name) ? readUploadBytes(folder, name) : Promise.resolve(null)),
  }
}

/**
 * The folders where the pictures are served. The shipped gateway pictures are in the same folder, so only generated
 * names are accepted.
 */
const FOLDERS = ['/images/gateways/', '/images/site/']

export function sitePicturesRoutes(app: FastifyInstance, pictures: SitePictures): void {
  for (const folder of FOLDERS) {
    app.get<{ Params: { name: string } }>(`${folder}:name(^[0-9a-f]{32}\\.webp$)`, async (request, reply) => {
      const bytes = await pictures.read(request.params.name)
      if (!bytes) {
        reply.callNotFound()
        return reply
      }
      void reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type('image/webp')
      return reply.send(Buffer.from(bytes))
    })
  }
}
