import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { z } from 'zod'
import type { addPasskey, PasskeyUsed } from '#contract/security.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Passkey } from '#server/users/security/factors.queries.ts'

type PasskeyMade = z.output<typeof addPasskey.body>['response']

/** Where passkeys belong: the address that users see, and its name. */
export interface PasskeySite {
  readonly origin: string
  readonly host: string
}

const CHALLENGE_BYTES = 32
/** None is asked for. */
const NO_EXTENSIONS = { clientExtensionResults: {} }
const TIMEOUT_MS = 5 * 60_000

/** The public address of the site; without one, the own address that the page itself was read from. */
export function passkeySite(publicUrl: string | null, pageOrigin: string | undefined): PasskeySite | null {
  const address = publicUrl ?? pageOrigin
  if (address === undefined || !URL.canParse(address)) return null
  const { origin, hostname } = new URL(address)
  return { origin, host: hostname }
}

/** What makes a passkey: one that the device keeps, and that only works once its owner is recognised. */
export async function creationTask(
  ctx: Ctx,
  site: PasskeySite,
  user: {
    readonly id: string
    readonly name: string
    readonly siteName: string
    readonly passkeys: readonly Passkey[]
  },
) {
  return generateRegistrationOptions({
    rpName: user.siteName,
    rpID: site.host,
    userName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge: new Uint8Array(ctx.randomBytes(CHALLENGE_BYTES)),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: user.passkeys.map(named),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What uses a passkey: one of these, or with none any that belongs here. */
export async function useTask(ctx: Ctx, site: PasskeySite, passkeys: readonly Passkey[]) {
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge: new Uint8Array(ctx.randomBytes(CHALLENGE_BYTES)),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    ...(passkeys.length > 0 && { allowCredentials: passkeys.map(named) }),
  })
}

/** The new passkey; null when what came is not the answer to the challenge. */
export async function readMade(site: PasskeySite, challenge: string, response: PasskeyMade) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...response,
        ...NO_EXTENSIONS,
        response: { ...response.response, transports: response.response.transports ?? [] },
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
    })
    return verified ? registrationInfo.credential : null
  } catch {
    return null // The library throws at whatever does not fit; it is a wrong answer like any other.
  }
}

/** The counter that comes with a right answer; null when it is wrong. */
export async function readUsed(
  site: PasskeySite,
  challenge: string,
  { response, passkey }: { readonly response: PasskeyUsed; readonly passkey: StoredPasskey },
): Promise<number | null> {
  const { userHandle, ...rest } = response.response
  // Web Authentication, 7.2: a handle that comes with an answer names the owner of the passkey.
  if (typeof userHandle === 'string' && userHandle !== Buffer.from(passkey.userId).toString('base64url')) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...response,
        ...NO_EXTENSIONS,
        response: { ...rest, ...(typeof userHandle === 'string' && { userHandle }) },
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: [...passkey.transports],
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null // As above.
  }
}

interface StoredPasskey {
  readonly userId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
}

function named({ credentialId, transports }: Passkey) {
  return { id: credentialId, transports: [...transports] }
}
