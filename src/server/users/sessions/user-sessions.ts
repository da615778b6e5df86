import { createHash } from 'node:crypto'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { deleteSession, deleteSessionsOf } from '#server/users/sessions/sessions.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { hasUser } from '#server/users/accounts/users.queries.ts'

/** A session as staff see it. */
export interface UserSession {
  /** Identifies the session to staff. Neither the token nor its hash can be derived from it. */
  readonly id: string
  readonly tokenHash: Uint8Array
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly seenAt: Instant
  readonly userAgent: string
  readonly address: string
}

const MAX_LISTED_SESSIONS = 200

/** Lists open sessions, newest first. */
export async function listUserSessions(db: Db, userId: string, now: Instant): Promise<UserSession[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_ms', '>', BigInt(now))
    .orderBy('created_ms', 'desc')
    .orderBy('token_hash')
    .limit(MAX_LISTED_SESSIONS)
    .execute()
  return rows.map((row) => ({
    id: createHash('sha256').update('session').update(row.token_hash).digest('hex').slice(0, 32),
    tokenHash: row.token_hash,
    createdAt: instant(row.created_ms),
    expiresAt: instant(row.expires_ms),
    seenAt: instant(row.seen_ms),
    userAgent: row.user_agent,
    address: row.ip,
  }))
}

/** Ends one session of a user with its sockets. */
export async function endUserSession(
  ctx: Ctx,
  { userId, sessionId, actor }: { userId: string; sessionId: string; actor: Actor },
): Promise<Result<null, 'not_found'>> {
  const session = (await listUserSessions(ctx.db, userId, ctx.now())).find(({ id }) => id === sessionId)
  if (!session) return refuse('not_found')
  const { tokenHash, address, userAgent } = session
  await ctx.db.transaction().execute(async (tx) => {
    await deleteSession(tx, tokenHash)
    await recordAction(tx, ctx, actor, { target: userId, outcome: 'done', before: { session: address, userAgent } })
  })
  ctx.publish({ kind: 'session-ended', userId, tokenHash })
  return ok(null)
}

/** Ends all sessions of a user with their sockets. The user may log in again. */
export async function endUserSessions(
  ctx: Ctx,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<Result<{ readonly ended: number }, 'not_found'>> {
  if (!(await hasUser(ctx.db, userId))) return refuse('not_found')
  const endedCount = await ctx.db.transaction().execute(async (tx) => {
    const sessions = await deleteSessionsOf(tx, userId)
    await recordAction(tx, ctx, actor, {
      target: userId,
      outcome: 'done',
      before: { sessions },
      after: { sessions: 0 },
    })
    return sessions
  })
  ctx.publish({ kind: 'session-ended', userId, tokenHash: null })
  return ok({ ended: endedCount })
}
