import { createHash } from 'node:crypto'
import type { ReceivedFile } from '#contract/files.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** What a client asks for under its id of a request. */
export interface RequestContent {
  readonly methodId: number
  readonly amount: Money
  /** As given, by label; what was filled in earlier and kept is no part of it. */
  readonly fields: Readonly<Record<string, string | ReceivedFile>>
}

/** Makes the fingerprint by which a request is known when it comes again; of no use to anyone without the key. */
export function fingerprintRequest(vault: Vault, content: RequestContent): Buffer {
  return Buffer.from(vault.fingerprint(contentText(content)))
}

/** Tells whether a request asks for the same as an earlier one; of those from before there were fingerprints, by method and amount. */
export function isSameRequest(
  vault: Vault,
  content: RequestContent,
  earlier: { readonly methodId: number; readonly amount: Money; readonly fingerprint: Uint8Array | null },
): boolean {
  if (earlier.methodId !== content.methodId || earlier.amount !== content.amount) return false
  return earlier.fingerprint === null || vault.hasFingerprint(contentText(content), earlier.fingerprint)
}

/** In whatever order the fields are given; an empty one says nothing. */
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
