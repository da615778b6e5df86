import { useEffect } from 'react'
import type { MobileContext, readMobile as ReadMobile } from '#core/accounts/mobile.ts'
import { phoneText } from '#core/accounts/phone-text.ts'

let readMobile: typeof ReadMobile | null = null

/**
 * Loads the numbering plans, which only forms with a phone number need. If loading fails, only the server checks
 * numbers.
 */
export function usePhonePlan(): void {
  useEffect(() => {
    void import('#core/accounts/mobile.ts').then(
      (plan) => (readMobile = plan.readMobile),
      () => undefined,
    )
  }, [])
}

/**
 * Whether a text is a phone number by the plan of its country. Until the plans load, any text that looks like a number
 * passes.
 */
export function isMobile(typed: string, context: MobileContext): boolean {
  return readMobile === null ? phoneText(typed) !== null : readMobile(typed, context) !== null
}
