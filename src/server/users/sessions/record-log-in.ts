import { deviceName } from '#core/accounts/device-name.ts'
import { assert } from '#core/result.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import {
  insertDevice,
  insertSignIn,
  type SignInWay,
  touchDevice,
  hasLoggedInFrom,
} from '#server/users/sessions/devices.queries.ts'

/** The facts about a successful log-in that are needed to open a session. */
export interface Entry {
  readonly userId: string
  readonly how: SignInWay
  readonly from: Device
  /** The device token from an earlier visit, or null. */
  readonly device: string | null
}

export interface Opened {
  readonly userId: string
  readonly token: string
  readonly device: string
}

/** Opens sessions and records log-ins. */
export interface LogInRecorder {
  open(tx: Tx, entry: Entry): Promise<Opened & { readonly isNewDevice: boolean }>
  /** Makes a browser a known device of the user. Returns its device token. */
  rememberDevice(tx: Tx, userId: string, device: string | null): Promise<string>
  /** Notifies the user's open pages about a new device. Must be called after the commit. */
  notifyLogIn(opened: { readonly userId: string; readonly isNewDevice: boolean }, entry: Entry): void
  /** Records a failed log-in. `userId` is null for an unknown name: this takes equally long. */
  failed(userId: string | null, how: SignInWay, from: Device): Promise<void>
}

const MAX_USER_AGENT_LENGTH = 300
const agentOf = ({ userAgent }: Device): string => userAgent.slice(0, MAX_USER_AGENT_LENGTH)

export function createLogInRecorder(ctx: Ctx): LogInRecorder {
  return {
    rememberDevice: (tx, userId, device) => rememberDevice(ctx, tx, { userId, device }),
    async open(tx, { userId, how, from, device }) {
      const now = ctx.now()
      const at = { userAgent: agentOf(from), address: from.address, country: from.country }
      const isKnown = device !== null && (await touchDevice(tx, userId, device, now))
      const before = await hasLoggedInFrom(tx, userId, at)
      // At the first log-in there is no earlier device to compare with.
      const isNewDevice = !isKnown && !before.likeThis && before.ever
      const deviceToken = isKnown ? device : await rememberDevice(ctx, tx, { userId, device })
      await insertSignIn(tx, { id: ctx.newId(), userId, at: now, how, wentIn: true, isNewDevice, ...at })
      const token = await openSession(ctx, userId, { ...from, isConfirmed: how !== 'password' }, tx)
      return { userId, token, device: deviceToken, isNewDevice }
    },
    notifyLogIn({ userId, isNewDevice }, { from: { userAgent } }) {
      if (isNewDevice) ctx.publish({ kind: 'new-device', userId, device: deviceName(userAgent) })
    },
    failed: (userId, how, from) =>
      insertSignIn(ctx.db, {
        id: ctx.newId(),
        userId,
        at: ctx.now(),
        how,
        wentIn: false,
        isNewDevice: false,
        userAgent: agentOf(from),
        address: from.address,
        country: from.country,
      }),
  }
}

/** Makes a browser a known device of the user. A browser that several users share keeps one device token. */
async function rememberDevice(
  ctx: Ctx,
  tx: Tx,
  { userId, device: given }: { readonly userId: string; readonly device: string | null },
): Promise<string> {
  const isToken = given !== null && hashToken(given) !== null
  const device = isToken ? given : makeToken((count) => ctx.randomBytes(count))
  const hash = hashToken(device)
  assert(hash, 'a token we make can be read')
  await insertDevice(tx, userId, hash, ctx.now())
  return device
}
