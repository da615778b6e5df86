import type { MethodDetails } from '#core/wallet/method-details.ts'

/** Keeps only filled-in details. Clients send text, numbers or nothing. */
export function givenDetails(given: Readonly<Record<string, string | number | null>>): MethodDetails {
  const filled = Object.entries(given).map(([label, value]) => [label, String(value ?? '').trim()] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== ''))
}
