import { createHash, timingSafeEqual } from 'node:crypto'
import { type ApiKeyText, formatApiKey, parseApiKey } from '#core/accounts/api-keys.ts'
import { type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'
import { createBatchLoader } from '#server/platform/concurrency/batch-loader.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Authenticate, AuthenticatedUser, Device } from '#server/platform/http/signed-in.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { createAddressList } from '#server/users/keys/address-list.ts'
import { endKeys, findKeys, type FoundKey, noteForeignUse, noteUse } from '#server/users/keys/keys.queries.ts'

/** 2 s: a cached key is trusted only for this time, because another server may have ended it. */
const TRUSTED_FOR_MS = 2_000
const MAX_CACHED_KEYS = 10_000
/** The number of statements that look up keys at the same time. */
const LOOK_UPS = 2
const MAX_CLIENT_LENGTH = 100
/** The hash that is compared when no key has the id, so that the reply takes as long as for a wrong secret. */
const NO_HASH = new Uint8Array(32)

interface KeyParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
}

/** Hashes the secret of a key. A fast hash is safe, because a thief cannot guess 256 random bits. */
export function hashKeySecret(secret: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}

export interface KeyAuthentication {
  /**
   * Authenticates an API key. Returns null when the key is unknown, expired or ended, or when its list does not include
   * the caller's address. The reply is the same in all these cases, so that a thief learns nothing.
   */
  readonly authenticate: Authenticate
  /**
   * Ends a key that a client sent in a URL, because logs between client and server may contain it now. Does nothing
   * when the secret of the key is wrong.
   */
  readonly endShown: (key: ApiKeyText) => Promise<void>
}

export function createKeyAuthentication({ ctx, mode }: KeyParts): KeyAuthentication {
  const known = new Map<string, { readonly user: AuthenticatedUser; readonly until: Instant }>()
  const findKey = createBatchLoader((ids: readonly string[]) => findKeys(ctx.db, ids, ctx.now()), {
    underWay: LOOK_UPS,
  })
  // Counts events after which keys may have ended. If it changed while a row was read, the row must not enter the
  // cache.
  let endings = 0
  // The keys that a URL contained and that the server is ending now. Calls with such a key wait until it has ended.
  const ending = new Map<string, Promise<void>>()
  ctx.subscribe((event) => {
    if (!isEnding(event)) return
    endings += 1
    for (const [name, { user }] of known) {
      if (event.kind === 'events-missed' || user.userId === event.userId) known.delete(name)
    }
  })

  async function checkedKey(text: ApiKeyText | null): Promise<FoundKey | null> {
    if (text === null) return null
    const key = await findKey(text.id)
    const isRight = timingSafeEqual(key?.secretHash ?? NO_HASH, hashKeySecret(text.secret))
    return isRight ? key : null
  }

  const authenticate: Authenticate = async (token, from) => {
    if (ending.size > 0) await ending.get(token)?.catch(() => {})
    const name = `${from.address} ${token}`
    const hit = known.get(name)
    if (hit && ctx.now() < hit.until) return hit.user
    known.delete(name)
    const endingsBefore = endings
    const key = await checkedKey(parseApiKey(token))
    if (key === null) return null
    if (!createAddressList(key.addresses)(from.address)) {
      await refuseForeign(ctx, key)
      return null
    }
    await noteUseNow(ctx, key, from)
    const user = toUser(key, mode)
    if (endings === endingsBefore) {
      if (known.size >= MAX_CACHED_KEYS) known.clear()
      known.set(name, { user, until: instant(Math.min(key.expiresAt, ctx.now() + TRUSTED_FOR_MS)) })
    }
    return user
  }

  async function endShownKey(text: ApiKeyText): Promise<void> {
    const key = await checkedKey(text)
    if (key === null) return
    await endKeys(ctx.db, key, 'shown')
    ctx.publish({ kind: 'session-ended', userId: key.userId, tokenHash: key.secretHash })
  }

  return {
    authenticate,
    async endShown(text) {
      const token = formatApiKey(text)
      const end = endShownKey(text)
      ending.set(token, end)
      try {
        await end
      } finally {
        if (ending.get(token) === end) ending.delete(token)
      }
    },
  }
}

/**
 * The events after which keys may have ended: events of a key or session, of the account, or of the user's own limits.
 */
const ENDINGS = ['session-ended', 'account-changed', 'limits-changed', 'events-missed'] as const
type Ending = Extract<DomainEvent, { kind: (typeof ENDINGS)[number] }>

function isEnding(event: DomainEvent): event is Ending {
  return ENDINGS.some((kind) => kind === event.kind)
}

async function refuseForeign(ctx: Ctx, key: FoundKey): Promise<void> {
  const isLastUse = await noteForeignUse(ctx.db, key, ctx.now())
  if (isLastUse) ctx.publish({ kind: 'session-ended', userId: key.userId, tokenHash: key.secretHash })
}

/** Stores a use of a key: at most once a minute, and also for each new network. */
async function noteUseNow(ctx: Ctx, key: FoundKey, { address, userAgent }: Device): Promise<void> {
  const now = ctx.now()
  const network = subnetOf(address)
  const isNoted = key.usedAt !== null && now - key.usedAt < MINUTE_MS
  if (isNoted && key.networks.includes(network)) return
  await noteUse(ctx.db, key, { at: now, address, network, client: userAgent.slice(0, MAX_CLIENT_LENGTH) })
}

/** Converts a key to the authenticated user. On a live site, every key has only the scope `read`. */
function toUser(key: FoundKey, mode: 'demo' | 'live'): AuthenticatedUser {
  const { userId, username, verified, owesConsent, country, secretHash } = key
  const scope = mode === 'live' ? 'read' : key.scope
  return {
    userId,
    username,
    verified,
    owesConsent,
    country,
    isLeaveOnly: false,
    tokenHash: secretHash,
    key: { id: key.id, scope },
  }
}
