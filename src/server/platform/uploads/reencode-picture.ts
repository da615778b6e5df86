import sharp from 'sharp'
import { type Result, ok, refuse } from '#core/result.ts'
import { createConcurrencyLimit } from '#server/platform/concurrency/concurrency-limit.ts'

/** More than any phone's camera produces. A small file may claim far more pixels to exhaust memory. */
const MAX_PIXELS = 60_000_000
const QUALITY = 82
/** Pictures processed at the same time. Each may take tens of megabytes. */
const AT_ONCE = 2

// Only allowed formats are decoded, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.concurrency(1)
sharp.cache(false)

const inTurn = createConcurrencyLimit({ atOnce: AT_ONCE })

/**
 * Re-encodes a picture as WebP, upright and no larger than requested. Only pixels survive: no location and no hidden
 * data.
 */
export async function reencodePicture(
  bytes: Uint8Array,
  maxEdgePx: number,
): Promise<Result<Uint8Array, 'file_unreadable' | 'picture_too_large'>> {
  return inTurn(async () => {
    try {
      const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'error' })
      const { width, height } = await picture.metadata()
      if (width * height > MAX_PIXELS) return refuse('picture_too_large')
      const drawn = await picture
        .autoOrient()
        .resize({ width: maxEdgePx, height: maxEdgePx, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .toBuffer()
      return ok(new Uint8Array(drawn))
    } catch (error) {
      // The library throws plain errors for anything it cannot decode.
      const tooLarge = error instanceof Error && error.message.includes('pixel limit')
      return refuse(tooLarge ? 'picture_too_large' : 'file_unreadable')
    }
  })
}
