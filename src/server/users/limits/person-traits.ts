import { mailboxOf } from '#core/accounts/email.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'
import { destinationsOf } from '#core/wallet/same-destination.ts'

/**
 * A trait by which the site recognises the same person in two accounts: a proven contact, or a destination of payments.
 */
export interface PersonTrait {
  readonly kind: 'email' | 'mobile' | 'details'
  /** The normalised value. Only its keyed hash is stored. */
  readonly text: string
}

export const emailTrait = (email: string): PersonTrait => ({ kind: 'email', text: `email ${mailboxOf(email)}` })

/** The trait of a phone number. `mobile` must contain the dialling code. */
export const mobileTrait = (mobile: string): PersonTrait => ({ kind: 'mobile', text: `mobile ${mobile}` })

export const detailsTraits = (methodId: number, details: MethodDetails): PersonTrait[] =>
  destinationsOf(methodId, details).map((text) => ({ kind: 'details', text: `details ${text}` }))
