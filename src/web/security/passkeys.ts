import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { call, type Reply } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'
import { ownDevice } from '#web/security/device.ts'

/** Logs in with a passkey: alone, or with a ticket as the second step. */
export async function signInWithPasskey(ticket?: string): Promise<Reply<'POST /user/auth/passkey'>> {
  const task = (await call('POST /user/auth/passkey/options', { body: { ticket, device: ownDevice() } })).data
  const response = await startAuthentication({ optionsJSON: task.options })
  const body = { ticket: task.ticket, response: used(response), device: ownDevice() }
  return (await call('POST /user/auth/passkey', { body })).data
}

/** Confirms the identity of the session's user with a passkey. */
export async function confirmWithPasskey(): Promise<void> {
  const task = (await call('POST /user/security/passkey/options', { body: { use: 'confirm' } })).data
  const response = await startAuthentication({ optionsJSON: task.options })
  await call('POST /user/security/confirm', { body: { passkey: { ticket: task.ticket, response: used(response) } } })
}

/**
 * Creates a passkey on this device and stores it. Returns recovery codes if the account had no second log-in step
 * before.
 */
export async function addPasskey(name: string): Promise<readonly string[]> {
  const task = (await call('POST /user/security/passkey/options', { body: { use: 'add' } })).data
  const optionsJSON = task.options as unknown
  const response = await startRegistration({ optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON })
  const body = { ticket: task.ticket, response: createdPasskey(response), name }
  return (await call('POST /user/security/passkeys', { body })).data.recovery_codes
}

/** Returns why a passkey failed: the server's message, or that the browser or the user refused. */
export function passkeyFailure(error: unknown): string {
  const isBrowser = error instanceof WebAuthnError || error instanceof DOMException
  return isBrowser ? t('security.passkey_failed') : failureText(error)
}

/** Returns the parts that the server checks. Other parts added by browsers are not sent. */
function used({ id, rawId, response }: AuthenticationResponseJSON) {
  const { clientDataJSON, authenticatorData, signature } = response
  const said = { clientDataJSON, authenticatorData, signature }
  return { id, rawId, type: 'public-key' as const, response: said }
}

function createdPasskey({ id, rawId, response }: RegistrationResponseJSON) {
  const { clientDataJSON, attestationObject, transports = [] } = response
  const said = { clientDataJSON, attestationObject, transports }
  return { id, rawId, type: 'public-key' as const, response: said }
}
