import type { saveProfileImage } from '#contract/profile.ts'
import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { swapPicture } from '#server/users/accounts/profile.queries.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

export type PictureRefusal = (typeof saveProfileImage.refusals)[number]

interface PictureParts {
  readonly ctx: Ctx
  readonly uploads: Uploads
}

/** Sets the picture of an account and deletes the earlier one. */
export async function savePicture(
  { ctx, uploads }: PictureParts,
  userId: string,
  file: ReceivedFile,
): Promise<Result<undefined, PictureRefusal>> {
  const wait = await consumeAttempt(ctx, { limit: 'picture', key: userId })
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const stored = await uploads.store({ userId, file, purpose: 'profile' })
  if (!stored.ok) return { ...stored, field: 'profile_image' }
  await ctx.db.transaction().execute(async (tx) => {
    await uploads.claim(tx, userId, stored.value)
    const old = await swapPicture(tx, userId, stored.value)
    if (old !== null) await uploads.release(tx, userId, old)
  })
  return ok()
}

export async function removePicture({ ctx, uploads }: PictureParts, userId: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const old = await swapPicture(tx, userId, null)
    if (old !== null) await uploads.release(tx, userId, old)
  })
}
