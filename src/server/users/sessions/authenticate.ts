import type { Instant } from '#core/time/instant.ts'
import { instant, MINUTE_MS } from '#core/time/instant.ts'
import { createBatchLoader } from '#server/platform/concurrency/batch-loader.ts'
import { findSessions, markSeen } from '#server/users/sessions/sessions.queries.ts'
import { hashToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Authenticate, AuthenticatedUser } from '#server/platform/http/signed-in.ts'

/** 5 s: a cached session is read again after this time, because another process may have ended it. */
const TRUSTED_FOR_MS = 5_000
/**
 * 5 minutes: the accuracy of a session's "last seen" time, which needs no higher accuracy because it only informs
 * people.
 */
const NOTE_SEEN_MS = 5 * MINUTE_MS
const MAX_CACHED_SESSIONS = 10_000
/**
 * 2: the maximum number of concurrent statements that read sessions. With thousands of traders, hundreds of sessions
 * are read per second, so each statement reads a batch.
 */
const LOOK_UPS = 2

interface Known {
  readonly user: AuthenticatedUser
  readonly until: Instant
}

/**
 * Authenticates tokens through a small cache. The cache is keyed by the raw token. Every socket message carries a
 * token, and hashing the token would double the cost of reading the message. A session that ends in this process leaves
 * the cache immediately.
 */
export function createAuthenticate(ctx: Ctx): Authenticate {
  const known = new Map<string, Known>()
  const findSession = createBatchLoader(
    (tokenHashes: readonly Uint8Array[]) => findSessions(ctx.db, tokenHashes, ctx.now()),
    { underWay: LOOK_UPS },
  )
  // Counts the announcements that sessions have ended or changed. If one arrives while a session is being read, the row
  // read may be outdated and must not enter the cache.
  let endings = 0

  ctx.subscribe((announcement) => {
    if (announcement.kind === 'events-missed') {
      endings += 1
      known.clear()
    }
    if (announcement.kind !== 'session-ended' && announcement.kind !== 'account-changed') return
    endings += 1
    const { userId } = announcement
    const tokenHash = announcement.kind === 'session-ended' ? announcement.tokenHash : null
    for (const [token, { user }] of known) {
      if (user.userId !== userId) continue
      if (tokenHash === null || Buffer.compare(tokenHash, user.tokenHash) === 0) known.delete(token)
    }
  })

  return async (token) => {
    const hit = known.get(token)
    if (hit && ctx.now() < hit.until) return hit.user
    known.delete(token)
    const tokenHash = hashToken(token)
    if (tokenHash === null) return null
    const endingsBefore = endings
    const session = await findSession(tokenHash)
    if (session === null) return null
    const { expiresAt, seenAt, ...owner } = session
    if (ctx.now() - seenAt >= NOTE_SEEN_MS) await markSeen(ctx.db, tokenHash, ctx.now())
    const user = { ...owner, tokenHash, key: null }
    if (endings === endingsBefore) {
      if (known.size >= MAX_CACHED_SESSIONS) known.clear()
      known.set(token, { user, until: instant(Math.min(expiresAt, ctx.now() + TRUSTED_FOR_MS)) })
    }
    return user
  }
}
