import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { HOUR_MS, later } from '#core/time/instant.ts'
import { type FileType, MAX_UPLOAD_BYTES, PICTURE_TYPES, readFileType, RECEIPT_TYPES } from '#core/uploads/file-type.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { reencodePicture } from '#server/platform/uploads/reencode-picture.ts'
import {
  isUploadName,
  namesOlderThan,
  readUploadBytes,
  removeUpload,
  uploadFolder,
  writeUpload,
} from '#server/platform/uploads/upload-folder.ts'
import {
  deleteUnused,
  findUpload,
  insertUpload,
  knownNames,
  markUse,
  type Purpose,
} from '#server/platform/uploads/uploads.queries.ts'

export type UploadRefusal = 'file_too_large' | 'file_type' | 'file_unreadable' | 'picture_too_large'

/** A file for an account, subject to the limits of its purpose. */
export interface NewFile {
  readonly userId: string
  readonly file: ReceivedFile
  readonly purpose: Purpose
  /** Whether only pictures are accepted, no documents. */
  readonly picturesOnly?: boolean
}

/**
 * Files that users upload, stored in the data folder under random names. Storing alone does not keep a file. Code that
 * uses a file claims its name in the transaction that stores the name, and releases the name when it stores another.
 * Unclaimed files are deleted within two hours.
 *
 *     const stored = await uploads.store({ userId, file: body.profile_image, purpose: 'profile' })
 *     if (!stored.ok) return stored
 *     await ctx.db.transaction().execute(async (tx) => {
 *       await uploads.claim(tx, userId, stored.value)
 *       if (old) await uploads.release(tx, userId, old)
 *       … set image_path = stored.value …
 *     })
 *
 * A picture of purpose `profile` is then served at `/images/users/<name>`.
 */
export interface Uploads {
  /**
   * Validates a file by its bytes and stores it. Pictures are re-encoded, a PDF (receipts only) is kept unchanged.
   * Returns its name.
   */
  store(file: NewFile): Promise<Result<string, UploadRefusal>>
  claim(tx: Tx, userId: string, name: string): Promise<void>
  release(tx: Tx, userId: string, name: string): Promise<void>
  /** The file with that name, if it has this purpose. */
  read(name: string, purpose: Purpose): Promise<{ readonly mediaType: string; readonly bytes: Uint8Array } | null>
  /** Deletes files whose rows are gone. */
  discard(names: readonly string[]): Promise<void>
  /** Deletes unused files, and remains of interrupted writes. */
  sweep(): Promise<void>
}

const MAX_EDGE_PX: Readonly<Record<Purpose, number>> = { receipt: 2_400, profile: 512, ticket: 2_400 }
const TYPES: Readonly<Record<Purpose, readonly FileType[]>> = {
  receipt: RECEIPT_TYPES,
  profile: PICTURE_TYPES,
  ticket: PICTURE_TYPES,
}
const NAME_BYTES = 16
const UNUSED_RETENTION_MS = HOUR_MS

export function createUploads(ctx: Ctx, dataDir: string): Uploads {
  const folder = uploadFolder(dataDir)
  return {
    async store({ userId, file, purpose, picturesOnly = false }) {
      const content = await checkContent(file, purpose, picturesOnly ? PICTURE_TYPES : TYPES[purpose])
      if (!content.ok) return content
      const { bytes, mediaType, extension } = content.value
      const name = `${Buffer.from(ctx.randomBytes(NAME_BYTES)).toString('hex')}.${extension}`
      // The row is written first, because a file without a row is deleted.
      await insertUpload(ctx.db, { userId, name, purpose, mediaType, size: bytes.length }, ctx.now())
      await writeUpload(folder, name, bytes)
      return ok(name)
    },
    async claim(tx, userId, name) {
      const isThere = await markUse(tx, { userId, name, inUse: true, now: ctx.now() })
      if (!isThere) throw new Error('an upload was deleted before it was used')
    },
    async release(tx, userId, name) {
      await markUse(tx, { userId, name, inUse: false, now: ctx.now() })
    },
    async read(name, purpose) {
      const upload = isUploadName(name) ? await findUpload(ctx.db, name) : null
      if (upload?.purpose !== purpose) return null
      const bytes = await readUploadBytes(folder, name)
      return bytes && { mediaType: upload.mediaType, bytes }
    },
    async discard(names) {
      for (const name of names) await removeUpload(folder, name)
    },
    async sweep() {
      const before = later(ctx.now(), -UNUSED_RETENTION_MS)
      for (const name of await deleteUnused(ctx.db, before)) await removeUpload(folder, name)
      const old = await namesOlderThan(folder, before)
      const known = await knownNames(ctx.db, old)
      for (const name of old) if (!known.has(name)) await removeUpload(folder, name)
    },
  }
}

interface Content {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly extension: 'webp' | 'pdf'
}

async function checkContent(
  { bytes, isCutOff }: ReceivedFile,
  purpose: Purpose,
  types: readonly FileType[],
): Promise<Result<Content, UploadRefusal>> {
  if (isCutOff || bytes.length > MAX_UPLOAD_BYTES) {
    return refuse('file_too_large', { params: { size: MAX_UPLOAD_BYTES / 1_048_576 } })
  }
  const type = readFileType(bytes)
  if (type === null || !types.includes(type)) {
    return refuse('file_type', { params: { types: types.map(typeName).join(', ') } })
  }
  if (type === 'application/pdf') return ok({ bytes, mediaType: type, extension: 'pdf' })
  const drawn = await reencodePicture(bytes, MAX_EDGE_PX[purpose])
  return drawn.ok ? ok({ bytes: drawn.value, mediaType: 'image/webp', extension: 'webp' }) : drawn
}

/** `image/webp` is called WEBP in messages: short, and the same in every language. */
function typeName(type: FileType): string {
  return (type.split('/')[1] ?? '').toUpperCase()
}
