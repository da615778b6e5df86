import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import type { Uploads, UploadRefusal } from '#server/platform/uploads/uploads.ts'

export interface TicketParts {
  readonly ctx: Ctx
  readonly uploads: Uploads
}

/**
 * Counts a message against the user's limit, and stores its pictures. Pictures that the caller does not claim for a
 * message are deleted later.
 */
export async function storePictures(
  { ctx, uploads }: TicketParts,
  userId: string,
  files: readonly ReceivedFile[],
): Promise<Result<string[], UploadRefusal | 'too_many_attempts'>> {
  // Every message counts, because the limit of open tickets does not limit how many messages a user writes.
  const wait = await consumeAttempt(ctx, { limit: 'ticket_message', key: userId })
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const names: string[] = []
  for (const [place, file] of files.entries()) {
    const stored = await uploads.store({ userId, file, purpose: 'ticket' })
    if (!stored.ok) return { ...stored, field: `picture_${place + 1}` }
    names.push(stored.value)
  }
  return ok(names)
}
