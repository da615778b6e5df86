import { type Instant } from '#core/time/instant.ts'

/** The limits of an access code. */
export interface AccessCodeRules {
  readonly isOn: boolean
  /** How many people can sign up with the code. Null: any number. */
  readonly maxUses: number | null
  readonly from: Instant
  readonly until: Instant | null
}

/** Users can sign up with a code only in the state `open`. */
export type AccessCodeState = 'open' | 'off' | 'coming' | 'over' | 'used_up'

/** 40 characters: the longest access code that staff can choose. */
export const MAX_CODE_LENGTH = 40

/** The stored form of a typed code: normalised (NFKC), in upper case, without blanks around it. */
export function readAccessCode(typed: string): string {
  return typed.normalize('NFKC').trim().toUpperCase()
}

/** Whether staff can choose this text as a new code: 4 to 40 ASCII letters and digits, with dashes between them. */
export function isAccessCode(code: string): boolean {
  return code.length >= 4 && code.length <= MAX_CODE_LENGTH && /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/.test(code)
}

export function accessCodeState(
  { isOn, maxUses, from, until }: AccessCodeRules,
  used: number,
  now: Instant,
): AccessCodeState {
  if (!isOn) return 'off'
  if (until !== null && until <= now) return 'over'
  if (maxUses !== null && used >= maxUses) return 'used_up'
  return from > now ? 'coming' : 'open'
}

/** 31 characters, without 0, O, 1, I and L, because people confuse these when they read or write a code. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
/** Ten characters in two groups: 31^10, about 49 bits. */
const GROUPS = 2
const GROUP_LENGTH = 5
/**
 * 248: the largest multiple of 31 that is not above 256. Larger bytes are rejected, because they would make some
 * letters more likely.
 */
const FAIR_BELOW = 248

/** Makes a random code. `randomBytes` returns `count` random bytes. */
export function makeAccessCode(randomBytes: (count: number) => Uint8Array): string {
  const letters: string[] = []
  while (letters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of randomBytes(GROUPS * GROUP_LENGTH)) {
      if (byte < FAIR_BELOW && letters.length < GROUPS * GROUP_LENGTH)
        letters.push(LETTERS[byte % LETTERS.length] ?? '')
    }
  }
  return `${letters.slice(0, GROUP_LENGTH).join('')}-${letters.slice(GROUP_LENGTH).join('')}`
}
