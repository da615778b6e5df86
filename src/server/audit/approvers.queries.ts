import { createHash } from 'node:crypto'
import { type ApproverFacts, isApprover, isSingleOperator } from '#core/staff/independence.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { staffSecretPlace } from '#server/platform/encryption/sealed-details.ts'

export interface Approvers {
  /** Staff members who are approvers now and are not blocked, by id. */
  readonly byId: ReadonlyMap<string, ApproverFacts>
  /** The highest number of approvers that there ever was. */
  readonly peak: number
}

/** Reads all staff members who are approvers now. */
export async function readApprovers(ctx: Pick<Ctx, 'vault' | 'now'>, db: Db | Tx): Promise<Approvers> {
  const rows = await activeStaff(db).where('approver_ms', 'is not', null).execute()
  const people = rows.map((row) => toFacts(ctx, row))
  const now = ctx.now()
  const count = await db.selectFrom('approver_count').select('peak').executeTakeFirst()
  return {
    byId: new Map(people.filter((one) => isApprover(one, now)).map((one) => [one.staffId, one])),
    peak: count?.peak ?? people.length,
  }
}

/** Reads one staff member, approver or not. Null when the staff member is blocked. */
export async function readStaffFacts(
  ctx: Pick<Ctx, 'vault'>,
  db: Db | Tx,
  staffId: string,
): Promise<ApproverFacts | null> {
  const row = await activeStaff(db).where('id', '=', staffId).executeTakeFirst()
  return row ? toFacts(ctx, row) : null
}

function activeStaff(db: Db | Tx) {
  return db
    .selectFrom('staff')
    .select(['id', 'approver_ms', 'approver_by', 'invited_by', 'reinvited_by', 'totp_secret'])
    .where('is_blocked', '=', false)
}

function toFacts(
  { vault }: Pick<Ctx, 'vault'>,
  row: Awaited<ReturnType<ReturnType<typeof activeStaff>['execute']>>[number],
): ApproverFacts {
  return {
    staffId: row.id,
    approverMs: row.approver_ms === null ? null : Number(row.approver_ms),
    approverBy: row.approver_by,
    invitedBy: row.invited_by,
    reinvitedBy: row.reinvited_by,
    credential: row.totp_secret === null ? null : fingerprint(vault.decrypt(row.totp_secret, staffSecretPlace(row.id))),
  }
}

/**
 * Returns whether a staff member may request a decision that needs two approvers. While there are fewer than two
 * approvers, any staff member may. Otherwise only approvers may.
 */
export async function mayAsk(ctx: Pick<Ctx, 'vault' | 'now'>, db: Db | Tx, staffId: string): Promise<boolean> {
  const { byId } = await readApprovers(ctx, db)
  return isSingleOperator(byId.size) || byId.has(staffId)
}

/**
 * Hashes the secret of an authenticator app, so that two staff members' authenticators can be compared without keeping
 * the secrets in memory.
 */
function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
