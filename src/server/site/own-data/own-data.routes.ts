import { makeZip } from 'client-zip'
import { calls } from '#contract/calls.ts'
import type { ExportOut } from '#contract/own-data.ts'
import { assert, refuse } from '#core/result.ts'
import { DAY_MS, later, minuteText, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { pacedFile } from '#server/platform/http/paced-file.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import {
  type DataExport,
  findNewestExport,
  insertExport,
  listExportFiles,
  readPortion,
} from '#server/site/own-data/export.queries.ts'
import { exportPlace } from '#server/site/own-data/make-exports.ts'
import { requireConfirmation } from '#server/users/security/require-confirmation.ts'

/** 10 s: the wait that a refusal names when the server is already sending a copy to this user, or 4 copies in all. */
const FILE_WAIT_SECONDS = 10
/** The maximum number of copies that one server sends at the same time. */
const MAX_READERS = 4

/** Registers the calls with which users download a copy of their own data. */
export function ownDataRoutes(register: Register, ctx: Ctx): void {
  const confirmed = requireConfirmation(ctx)
  const readers = new Set<string>()

  register(calls.dataExport, async ({ user: { userId } }) => {
    const newest = await findNewestExport(ctx.db, userId)
    const next = newest === null || newest.failedAt !== null ? null : later(newest.requestedAt, DAY_MS)
    return answer({ export: newest && toReply(newest), next_at: next === null ? null : toIso(next) })
  })

  register(
    calls.requestDataExport,
    confirmed(async ({ user: { userId }, language }) => {
      const isNew = await ctx.db.transaction().execute((tx) => insertExport(tx, { userId, id: ctx.newId(), language }))
      const newest = await findNewestExport(ctx.db, userId)
      assert(newest, 'a copy was requested in the last 24 hours')
      if (!isNew) return refuse('export_lately', { params: { time: minuteText(later(newest.requestedAt, DAY_MS)) } })
      return answer({ export: toReply(newest) })
    }),
  )

  register(
    calls.downloadDataExport,
    confirmed(async ({ user: { userId }, params: { id } }) => {
      const found = await listExportFiles(ctx.db, userId, id)
      if (found === null) return refuse('not_found')
      if (readers.has(userId) || readers.size >= MAX_READERS) {
        return refuse('export_busy', { params: { seconds: FILE_WAIT_SECONDS } })
      }
      readers.add(userId)
      const lastModified = new Date(found.readyAt)
      const files = found.files.map(({ name, first, last }) => ({
        name,
        lastModified,
        input: portionsOf(ctx, { userId, id, first, last }),
      }))
      const content = pacedFile(ctx.clock, portionsOfStream(makeZip(files)))
      content.once('close', () => readers.delete(userId))
      const name = `own-data-${toIso(found.readyAt).slice(0, 10)}.zip`
      return { ok: true, file: { content, name, type: 'application/zip' } }
    }),
  )
}

/** Reads and decrypts the portions of a file, one at a time. */
async function* portionsOf(
  ctx: Ctx,
  { userId, id, first, last }: { userId: string; id: string; first: number; last: number },
): AsyncGenerator<Uint8Array> {
  for (let n = first; n <= last; n += 1) {
    const portion = await readPortion(ctx.db, { userId, id, n })
    assert(portion, 'a copy that is being sent was deleted')
    const text = ctx.vault.decrypt(portion.content, exportPlace(userId, id))
    yield Buffer.from(text, portion.isText ? 'utf8' : 'base64')
  }
}

async function* portionsOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel()
  }
}

function toReply({ id, requestedAt, readyAt, failedAt, expiresAt, bytes }: DataExport): ExportOut {
  return {
    id,
    state: readyAt !== null ? 'ready' : failedAt !== null ? 'failed' : 'waiting',
    asked_at: toIso(requestedAt),
    ready_at: readyAt === null ? null : toIso(readyAt),
    expires_at: expiresAt === null ? null : toIso(expiresAt),
    bytes,
  }
}
