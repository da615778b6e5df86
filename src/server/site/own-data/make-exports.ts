import { HOUR_MS, SECOND_MS } from '#core/time/instant.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import {
  alerts,
  chart,
  consents,
  deposits,
  devices,
  limits,
  notices,
  paymentDetails,
  profile,
  readmeOf,
  signIns,
  staffWords,
  withdrawals,
} from '#server/site/own-data/account-files.ts'
import type { DataFile, ExportParts, Step } from '#server/site/own-data/data-file.ts'
import {
  claimExport,
  type ClaimedExport,
  deleteOldExports,
  finishExport,
  storePortion,
} from '#server/site/own-data/export.queries.ts'
import { tickets } from '#server/site/own-data/ticket-files.ts'
import { uploads } from '#server/site/own-data/upload-files.ts'
import { moneyReceipts, orderReceipts, orders, transfers } from '#server/site/own-data/order-files.ts'

/**
 * The files of a data copy after the README, in the sequence in which they are made. A copy in progress stores its
 * position as an index, so a new file must come last.
 */
const CONTENT: readonly DataFile[] = [
  profile,
  consents,
  signIns,
  devices,
  orders,
  transfers,
  deposits,
  withdrawals,
  paymentDetails,
  limits,
  notices,
  staffWords,
  orderReceipts,
  moneyReceipts,
  uploads,
  alerts,
  chart,
  tickets,
]

/** All files of a data copy, with the README first. */
export const DATA_FILES: readonly DataFile[] = [readmeOf(CONTENT), ...CONTENT]

/** 5 s between two rounds. Users can wait a few minutes for a data copy, so this is often enough. */
const PAUSE_MS = 5 * SECOND_MS

/**
 * Names the place of the encrypted portions. The encryption is bound to this name, so a portion cannot be stored in the
 * copy of another user.
 */
export const exportPlace = (userId: string, id: string): string => `data export ${userId} ${id}`

/** Makes requested copies, and deletes old copies each hour. Returns a function that stops it. */
export function makeExportsPeriodically(parts: ExportParts): () => Promise<void> {
  const { ctx } = parts
  const stops = [
    runPeriodically(ctx, {
      pauseMs: () => PAUSE_MS,
      run: () => makeExports(parts),
      failure: 'a copy of own data is not made, and is tried again',
    }),
    runPeriodically(ctx, {
      pauseMs: () => HOUR_MS,
      run: () => deleteOldExports(ctx.db),
      failure: 'old copies of own data are not deleted',
    }),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Makes all requested copies. When several servers run this at the same time, each copy is made by one of them. */
export async function makeExports(parts: ExportParts): Promise<void> {
  for (;;) {
    const claimed = await claimExport(parts.ctx.db)
    if (claimed === null) return
    await makeExport(parts, claimed)
  }
}

/** Makes a copy, starting at its stored place. Returns early when another server has claimed the copy. */
async function makeExport(parts: ExportParts, claimed: ClaimedExport): Promise<void> {
  const { ctx } = parts
  let [file, place] = [claimed.file, claimed.place]
  for (let current = DATA_FILES[file]; current !== undefined; current = DATA_FILES[file]) {
    const step = await current.step(parts, claimed, place)
    ;[file, place] = step.next === null ? [file + 1, null] : [file, step.next]
    const next = { file, place }
    const portion = sealed(parts, claimed, { step, name: step.name ?? current.name })
    const isOurs = await ctx.db
      .transaction()
      .execute((tx) => storePortion(tx, claimed, { portion, next, bytes: sizeOf(step) }))
    if (!isOurs) return
  }
  await finishExport(ctx.db, claimed)
}

function sizeOf({ content }: Step): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length
}

function sealed(
  { ctx }: ExportParts,
  { userId, id }: ClaimedExport,
  { step, name }: { step: Step; name: string },
): { name: string; content: string; isText: boolean } | null {
  if (step.content.length === 0) return null
  const isText = typeof step.content === 'string'
  const text = typeof step.content === 'string' ? step.content : Buffer.from(step.content).toString('base64')
  return { name, content: ctx.vault.encrypt(text, exportPlace(userId, id)), isText }
}
