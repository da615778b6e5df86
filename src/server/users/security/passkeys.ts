import type { z } from 'zod'
import type { addPasskey, PasskeyUsed } from '#contract/security.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Passkey } from '#server/users/security/factors.queries.ts'

type NewPasskeyResponse = z.output<typeof addPasskey.body>['response']

/** The site that passkeys belong to: the origin of its address, and the host name. */
export interface PasskeySite {
  readonly origin: string
  readonly host: string
}

const CHALLENGE_BYTES = 32
/**
 * The library is loaded when the first passkey is used, because loading it takes a tenth of the time that the server
 * needs to start.
 */
const loadLibrary = () => import('@simplewebauthn/server')
/** The server requests no WebAuthn extensions, so responses are read without results of extensions. */
const NO_EXTENSIONS = { clientExtensionResults: {} }
const TIMEOUT_MS = 5 * 60_000

/**
 * Returns the site by its public address. Without a public address, returns the site by the origin of the page, such as
 * a loopback address.
 */
export function passkeySite(publicUrl: string | null, pageOrigin: string | undefined): PasskeySite | null {
  const address = publicUrl ?? pageOrigin
  if (address === undefined || !URL.canParse(address)) return null
  const { origin, hostname } = new URL(address)
  return { origin, host: hostname }
}

/** Returns the options for creating a passkey. The device must store the passkey and verify its user at each use. */
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
  const { generateRegistrationOptions } = await loadLibrary()
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

/** Returns the options for using one of these passkeys. With an empty list, any passkey of this site is accepted. */
export async function useTask(ctx: Ctx, site: PasskeySite, passkeys: readonly Passkey[]) {
  const { generateAuthenticationOptions } = await loadLibrary()
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge: new Uint8Array(ctx.randomBytes(CHALLENGE_BYTES)),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    ...(passkeys.length > 0 && { allowCredentials: passkeys.map(named) }),
  })
}

/** Verifies a new passkey. Null when the response does not match the challenge. */
export async function verifyNewPasskey(site: PasskeySite, challenge: string, response: NewPasskeyResponse) {
  const { verifyRegistrationResponse } = await loadLibrary()
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
    return null // The library throws on every mismatch. A mismatch is an ordinary refusal.
  }
}

/**
 * Checks a passkey's response to a challenge. Returns the new counter of the passkey, or null if the response is not
 * valid.
 */
export async function readUsed(
  site: PasskeySite,
  challenge: string,
  { response, passkey }: { readonly response: PasskeyUsed; readonly passkey: StoredPasskey },
): Promise<number | null> {
  const { userHandle, ...rest } = response.response
  // Web Authentication, section 7.2: a user handle in the response must name the owner of the passkey.
  if (typeof userHandle === 'string' && userHandle !== Buffer.from(passkey.userId).toString('base64url')) return null
  const { verifyAuthenticationResponse } = await loadLibrary()
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
    return null // The library throws on every mismatch. A mismatch is an ordinary refusal.
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
