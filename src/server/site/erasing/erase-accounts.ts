import { closedName } from '#core/accounts/closing.ts'
import { uidOf } from '#core/accounts/uid.ts'
import { transfer } from '#core/ledger/transfer.ts'
import { ZERO } from '#core/money/money.ts'
import { HOUR_MS, type Instant, instant } from '#core/time/instant.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { openAmounts } from '#server/payments/withdrawals/leave.queries.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { isCheckViolation } from '#server/platform/database/check-violation.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'
import { moneyOwnerHashes } from '#server/proof/receipts/money-leaves.ts'
import { addToErasedFile, type ErasedAccount, readErasedFile } from '#server/site/erasing/erased-file.ts'
import {
  deleteOldRecords,
  type DueClosing,
  eraseRows,
  knownUsers,
  listDueClosings,
  listErased,
  listStepsOf,
} from '#server/site/erasing/erasing.queries.ts'
import { recordText, recordPlace } from '#server/site/erasing/kept-record.ts'
import { haltRegister } from '#server/register/halts.queries.ts'
import type { ExportParts } from '#server/site/own-data/data-file.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'

export interface ErasingParts extends ExportParts {
  readonly uploads: Pick<Uploads, 'read' | 'discard'>
  readonly passwords: Pick<Passwords, 'hash'>
  /** Encrypts the records that the operator must keep, with a separate key. */
  readonly records: Vault
  readonly recordYears: () => number
  readonly dataDir: string
}

/**
 * Each hour, erases the accounts that are due and deletes the kept records whose time is over. Returns a function that
 * stops it.
 */
export function erasePeriodically(parts: ErasingParts): () => Promise<void> {
  return runPeriodically(parts.ctx, {
    pauseMs: () => HOUR_MS,
    run: () => eraseDue(parts),
    failure: 'closed accounts are not erased, and are tried again',
  })
}

/** Erases the accounts whose closing is due, and deletes kept records whose time is over. */
export async function eraseDue(parts: ErasingParts): Promise<void> {
  await deleteOldRecords(parts.ctx.db)
  for (const due of await listDueClosings(parts.ctx.db)) await eraseAccount(parts, due)
  await noteErased(parts)
}

/**
 * Erases one account. If the database refuses, because the account got an open payment or the user decided to keep it,
 * nothing changes until the next round.
 */
async function eraseAccount(parts: ErasingParts, { userId, id }: DueClosing): Promise<void> {
  try {
    await erase(parts, userId, { erasedAt: null, first: (tx) => lapseCredits(parts, tx, { userId, id }) })
  } catch (error) {
    if (!isCheckViolation(error)) throw error
    parts.ctx.log.warn({ err: error, userId }, 'a closed account is not erased now, and is tried again')
  }
}

/** Returns the user's credits to the ledger account that they came from, because credits are never paid out. */
async function lapseCredits({ ctx }: ErasingParts, tx: Tx, { userId, id }: DueClosing): Promise<void> {
  const { credits: amount } = await openAmounts(tx, userId)
  if (amount > ZERO) await postTransfers(tx, [transfer('credits_lapsed', { userId, ref: id, amount })], ctx.now())
}

interface Manner {
  readonly erasedAt: number | null
  /** Runs in the same transaction, before the data is erased. */
  readonly first?: (tx: Tx) => Promise<void>
}

async function erase(parts: ErasingParts, userId: string, { erasedAt, first }: Manner): Promise<void> {
  const { ctx, passwords, uploads } = parts
  const passwordHash = await passwords.hash(Buffer.from(ctx.randomBytes(32)).toString('hex'), SERVER_ASKER)
  const files = await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    await first?.(tx)
    const steps = await listStepsOf(tx, userId)
    const ownerHashes = await moneyOwnerHashes({ db: tx, vault: ctx.vault }, steps)
    const record = await sealRecord(parts, tx, userId, instant(erasedAt ?? ctx.now()))
    const name = closedName(uidOf(userId))
    return eraseRows(tx, { userId, name, passwordHash, steps, ownerHashes, record, erasedAt })
  })
  // If the server crashes here, the files stay without a row in the database, and the sweep of uploads deletes them
  // later.
  await uploads.discard(files)
  ctx.publish({ kind: 'session-ended', userId, tokenHash: null })
}

async function sealRecord(
  parts: ErasingParts,
  tx: Tx,
  userId: string,
  from: Instant,
): Promise<{ sealed: string; untilMs: number } | null> {
  const years = parts.recordYears()
  if (years === 0) return null
  const until = new Date(from)
  until.setUTCFullYear(until.getUTCFullYear() + years)
  const text = await recordText({ ...parts, ctx: { ...parts.ctx, db: tx } }, userId)
  return { sealed: parts.records.encrypt(text, recordPlace(userId)), untilMs: until.getTime() }
}

/** Adds to this server's file all erased accounts that the file lacks, also accounts that another server erased. */
async function noteErased({ ctx, dataDir }: Pick<ErasingParts, 'ctx' | 'dataDir'>): Promise<void> {
  const noted = new Set((await readErasedFile(dataDir)).map(({ userId }) => userId))
  await addToErasedFile(
    dataDir,
    (await listErased(ctx.db)).filter(({ userId }) => !noted.has(userId)),
  )
}

/**
 * Erases accounts again that a restored backup brought back. Runs before the server accepts calls. Money in such an
 * account stays in the ledger under the account's id. The database erases such accounts only while the register is
 * halted, which a restored backup requires anyway.
 */
export async function eraseAgain(parts: ErasingParts): Promise<void> {
  const { ctx, dataDir } = parts
  const erased = new Set((await listErased(ctx.db)).map(({ userId }) => userId))
  const noted = new Map((await readErasedFile(dataDir)).map((one) => [one.userId, one]))
  const back = [...noted.values()].filter(({ userId }) => !erased.has(userId))
  const known = await knownUsers(
    ctx.db,
    back.map(({ userId }) => userId),
  )
  const found: readonly ErasedAccount[] = back.filter(({ userId }) => known.has(userId))
  if (found.length > 0) await haltRegister(ctx, ctx.db, { cause: 'backup', knownSize: null })
  for (const { userId, erasedAt } of found) await erase(parts, userId, { erasedAt })
  await noteErased(parts)
  if (found.length > 0) ctx.log.warn({ accounts: found.length }, 'a restored backup held erased accounts: erased again')
}
