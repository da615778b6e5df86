import { createHash } from 'node:crypto'
import type { ReceivedFile } from '#contract/files.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** The content of a client's request, which belongs to its request id. */
export interface RequestContent {
  readonly methodId: number
  readonly amount: Money
  /** The submitted values by the label of their field. Values stored earlier are not included. */
  readonly fields: Readonly<Record<string, string | ReceivedFile>>
}

/** Returns a fingerprint that recognises a repeated request. It reveals nothing without the key. */
export function fingerprintRequest(vault: Vault, content: RequestContent): Buffer {
  return Buffer.from(vault.fingerprint(contentText(content)))
}

/**
 * Returns whether a request equals an earlier request. Requests from before fingerprints were stored are compared by
 * method and amount.
 */
export function isSameRequest(
  vault: Vault,
  content: RequestContent,
  earlier: { readonly methodId: number; readonly amount: Money; readonly fingerprint: Uint8Array | null },
): boolean {
  if (earlier.methodId !== content.methodId || earlier.amount !== content.amount) return false
  return earlier.fingerprint === null || vault.hasFingerprint(contentText(content), earlier.fingerprint)
}

/** The text does not depend on the order of the fields. Empty fields are left out. */
function contentText({ methodId, amount, fields }: RequestContent): string {
  const given = Object.entries(fields)
    .map(([label, value]) => [label, typeof value === 'string' ? value.trim() : fileText(value)] as const)
    .filter(([, value]) => value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([methodId, moneyText(amount), given])
}

function fileText({ bytes }: ReceivedFile): readonly string[] {
  return ['file', createHash('sha256').update(bytes).digest('hex')]
}
