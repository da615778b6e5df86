/** The actions that a country rule can refuse. No rule refuses withdrawing, logging in or reading. */
export const PLACE_ACTIONS = ['sign_up', 'deposit', 'trade'] as const
export type PlaceAction = (typeof PLACE_ACTIONS)[number]
export const PLACE_VERDICTS = ['allow', 'refuse'] as const
export type PlaceVerdict = (typeof PLACE_VERDICTS)[number]

export interface CountryRule extends Readonly<Record<PlaceAction, PlaceVerdict>> {
  /** ISO code. */
  readonly country: string
  /** Why the rule exists. Only staff read this note. */
  readonly note: string
}

export interface CountryRules {
  /** The verdict about an address whose country is unknown. */
  readonly unknown_address: PlaceVerdict
  readonly rules: readonly CountryRule[]
}

/** A user's declared country and the country of the address, as far as they are known. */
export interface Place {
  readonly declared: string | null
  readonly address: string | null
}

/**
 * Whether the rules refuse an action. The action is refused if the declared country or the country of the address is
 * refused.
 */
export function isPlaceRefused({ unknown_address: unknown, rules }: CountryRules, action: PlaceAction, place: Place) {
  if (place.address === null && unknown === 'refuse') return true
  return rules.some((rule) => rule[action] === 'refuse' && [place.declared, place.address].includes(rule.country))
}

/** Whether the country of an address can change a verdict, so that the server must look it up. */
export function areAddressesJudged({ unknown_address: unknown, rules }: CountryRules): boolean {
  return unknown === 'refuse' || rules.some((rule) => PLACE_ACTIONS.some((action) => rule[action] === 'refuse'))
}

/** 120 days: an alert reports an older table of addresses, because networks change hands. */
export const MAX_TABLE_AGE_DAYS = 120

/** Whether a table of addresses of this age is reported. `days` is null without a table. */
export function isTableOld(days: number | null): boolean {
  return days !== null && days > MAX_TABLE_AGE_DAYS
}
