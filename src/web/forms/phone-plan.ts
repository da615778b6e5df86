import { useEffect } from 'react'
import type { MobileContext, readMobile as ReadMobile } from '#core/accounts/mobile.ts'
import { phoneText } from '#core/accounts/phone-text.ts'

let readMobile: typeof ReadMobile | null = null

/** Loads the numbering plans, which only forms with a phone number need. Where they do not come the server alone judges. */
export function usePhonePlan(): void {
  useEffect(() => {
    void import('#core/accounts/mobile.ts').then(
      (plan) => (readMobile = plan.readMobile),
      () => undefined,
    )
  }, [])
}

/** Whether what is typed is a phone number by the plan of its country, as far as the plans are here. */
export function isMobile(typed: string, context: MobileContext): boolean {
  return readMobile === null ? phoneText(typed) !== null : readMobile(typed, context) !== null
}
