import type { PasskeyOut, SessionRow, SignInRow } from '#contract/security.ts'
import { deviceName } from '#core/accounts/device-name.ts'
import { instant, toIso } from '#core/time/instant.ts'
import type { Passkey } from '#server/users/security/factors.queries.ts'
import type { listSignIns, SignInWay } from '#server/users/sessions/devices.queries.ts'
import type { UserSession } from '#server/users/sessions/user-sessions.ts'

const WAYS: Readonly<Record<string, SignInWay>> = {
  password: 'password',
  code: 'code',
  recovery: 'recovery',
  passkey: 'passkey',
}

export function toPasskeyReply({ id, name, createdAt, usedAt }: Passkey): PasskeyOut {
  return { id, name, created_at: toIso(createdAt), used_at: usedAt === null ? null : toIso(usedAt) }
}

/** Converts a session to the form of the API. `ownToken` is the token hash of the caller's session. */
export function toSessionReply(session: UserSession, ownToken: Uint8Array): SessionRow {
  return {
    id: session.id,
    device: deviceName(session.userAgent),
    address: session.address,
    opened_at: toIso(session.createdAt),
    seen_at: toIso(session.seenAt),
    is_this: Buffer.compare(session.tokenHash, ownToken) === 0,
  }
}

export function toSignInReply(row: Awaited<ReturnType<typeof listSignIns>>[number]): SignInRow {
  return {
    id: row.id,
    at: toIso(instant(row.at_ms)),
    device: deviceName(row.user_agent),
    address: row.address,
    how: WAYS[row.how] ?? 'password',
    went_in: row.went_in,
    is_new_device: row.is_new_device,
  }
}
