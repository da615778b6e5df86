import type { MethodDetails } from '#core/wallet/method-details.ts'
import { destinationText } from '#server/platform/encryption/sealed-details.ts'

/** A fact by which the same person is recognised: a proven contact, or the payment details of a method. */
export interface PersonTrait {
  readonly kind: 'email' | 'mobile' | 'details'
  /** The normalised value. Only its keyed hash is stored. */
  readonly text: string
}

export const emailTrait = (email: string): PersonTrait => ({ kind: 'email', text: `email ${email.toLowerCase()}` })

/** The number with its country code. */
export const mobileTrait = (mobile: string): PersonTrait => ({ kind: 'mobile', text: `mobile ${mobile}` })

export const detailsTrait = (methodId: number, details: MethodDetails): PersonTrait => ({
  kind: 'details',
  text: `details ${destinationText(methodId, details)}`,
})
