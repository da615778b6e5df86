import { z } from 'zod'
import type { MethodDetails } from '#core/wallet/method-details.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

const Details = z.record(z.string(), z.string())

/** Where somebody is paid, as it is stored: JSON text of one sealed string. */
export function sealDetails(vault: Vault, details: MethodDetails, place: string): string {
  return JSON.stringify(vault.seal(JSON.stringify(details), place))
}

/** The same read back. Those of before there was a key are plain until the next start seals them. */
export function openDetails(vault: Vault, stored: unknown, place: string): MethodDetails {
  return Details.parse(typeof stored === 'string' ? JSON.parse(vault.open(stored, place)) : stored)
}

/** By which payouts to the same place are known, in whatever order its details were given. */
export function destinationOf(vault: Vault, methodId: number, details: MethodDetails): Uint8Array {
  const sorted = Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return vault.fingerprint(JSON.stringify([methodId, sorted]))
}

/** What a sealed text is bound to: it opens in no other row. */
export const staffSecretPlace = (staffId: string): string => `staff ${staffId}`
export const userSecretPlace = (userId: string): string => `authenticator ${userId}`
export const savedDetailsPlace = (userId: string, methodId: number): string => `saved ${userId} ${methodId}`
export const withdrawalPlace = (userId: string, id: string): string => `withdrawal ${userId} ${id}`
