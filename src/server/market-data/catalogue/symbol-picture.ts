import { createHash } from 'node:crypto'
import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { MAX_UPLOAD_BYTES, PICTURE_TYPES, readFileType } from '#core/uploads/file-type.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { reencodePicture } from '#server/platform/uploads/reencode-picture.ts'

/** 128 px: three times the largest size at which a page shows a picture. */
const MAX_EDGE_PX = 128
const MEGABYTE = 1_048_576

type PictureRefusal =
  | 'not_found'
  | 'changed_meanwhile'
  | 'file_too_large'
  | 'file_type'
  | 'file_unreadable'
  | 'picture_too_large'

interface PictureChange {
  readonly code: string
  readonly version: number
  /** Null removes the picture. */
  readonly file: ReceivedFile | null
  readonly actor: Actor
}

/** Sets a symbol's picture. The upload is re-encoded at a small size and named by its content. */
export async function setSymbolPicture(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { code, version, file, actor }: PictureChange,
): Promise<Result<{ readonly version: number; readonly image: string }, PictureRefusal>> {
  const drawn = file === null ? null : await draw(file)
  if (drawn && !drawn.ok) return drawn
  const bytes = drawn?.value ?? null
  const image = bytes === null ? '' : `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`
  const saved = await ctx.db.transaction().execute(async (tx) => {
    const stored = await tx
      .selectFrom('market_symbol')
      .select(['id', 'code', 'image', 'version'])
      .where('code', '=', code.toUpperCase())
      .forUpdate()
      .executeTakeFirst()
    if (!stored) return refuse('not_found')
    if (stored.version !== version) return staleWriteRefusal(tx, { target: stored.code, seenVersion: version, actor })
    const next = version + 1
    if (bytes !== null) {
      await tx
        .insertInto('symbol_picture')
        .values({ name: image, bytes, created_ms: ctx.now() })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
    }
    await tx.updateTable('market_symbol').set({ image, version: next }).where('id', '=', stored.id).execute()
    await recordAction(tx, ctx, actor, {
      target: stored.code,
      outcome: 'done',
      before: { version, image: stored.image },
      after: { version: next, image },
    })
    return ok({ version: next, image })
  })
  if (!saved.ok) return saved
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return saved
}

async function draw({
  bytes,
  isCutOff,
}: ReceivedFile): Promise<
  Result<Uint8Array, 'file_too_large' | 'file_type' | 'file_unreadable' | 'picture_too_large'>
> {
  if (isCutOff || bytes.length > MAX_UPLOAD_BYTES) {
    return refuse('file_too_large', { params: { size: MAX_UPLOAD_BYTES / MEGABYTE } })
  }
  const type = readFileType(bytes)
  if (type === null || !PICTURE_TYPES.includes(type)) {
    return refuse('file_type', { params: { types: 'JPEG, PNG, WEBP' } })
  }
  return await reencodePicture(bytes, MAX_EDGE_PX)
}
