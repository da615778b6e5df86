import { z } from 'zod'
import type { MethodDetails } from '#core/wallet/method-details.ts'
import { payeeText } from '#core/wallet/same-destination.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

const Details = z.record(z.string(), z.string())

/** Encrypts payment details. Returns them as they are stored: one encrypted string, as JSON text. */
export function sealDetails(vault: Vault, details: MethodDetails, place: string): string {
  return JSON.stringify(vault.encrypt(JSON.stringify(details), place))
}

/** Decrypts payment details. Rows older than the key are plain until the next start encrypts them. */
export function openDetails(vault: Vault, stored: unknown, place: string): MethodDetails {
  return Details.parse(typeof stored === 'string' ? JSON.parse(vault.decrypt(stored, place)) : stored)
}

/** The number of bytes of a stored `destination` that an earlier version computed from all details as typed. */
export const OLD_DESTINATION_BYTES = 32

/**
 * A fingerprint that recognises payouts to the same account, however its details are spelled. Its first byte tells it
 * from the fingerprints of an earlier version.
 */
export function payeeOf(vault: Vault, methodId: number, details: MethodDetails): Uint8Array {
  return new Uint8Array([1, ...vault.fingerprint(payeeText(methodId, details))])
}

/** A fingerprint of exactly these details, in any order. It recognises every change of saved details. */
export function detailsFingerprint(vault: Vault, methodId: number, details: MethodDetails): Uint8Array {
  return vault.fingerprint(destinationText(methodId, details))
}

/** Returns the same text for equal details, whatever the order of their fields. */
function destinationText(methodId: number, details: MethodDetails): string {
  const sorted = Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([methodId, sorted])
}

/**
 * The `place` values that encrypted texts are bound to: a text can be decrypted only in the row for which it was
 * encrypted.
 */
export const staffSecretPlace = (staffId: string): string => `staff ${staffId}`
export const userSecretPlace = (userId: string): string => `authenticator ${userId}`
export const savedDetailsPlace = (userId: string, methodId: number): string => `saved ${userId} ${methodId}`
export const withdrawalPlace = (userId: string, id: string): string => `withdrawal ${userId} ${id}`
export const alertChannelPlace = (id: string): string => `alert channel ${id}`
export const pushKeyPlace = (id: number): string => `push key ${id}`
export const pushSubscriptionPlace = (id: string): string => `push ${id}`
