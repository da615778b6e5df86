import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/mobile'
import { afterOwnDialCode, phoneText } from '#core/accounts/phone-text.ts'
import { asciiDigits } from '#core/text/digits.ts'

/** A phone number by the numbering plan of its country. */
export interface Mobile {
  /** The dialling code as `+49`; empty where neither the text nor the account says one. */
  readonly code: string
  /** The national number in digits, without a trunk prefix. */
  readonly number: string
}

export interface MobileContext {
  /** ISO code of the country that was chosen; empty where none was. */
  readonly country: string
  /** The dialling code that came beside the number, as `+49`; empty where the country says it. */
  readonly dialCode: string
  /** The dialling code that the account has had so far. */
  readonly ownDialCode?: string
}

const MIN_DIGITS = 5
const MAX_DIGITS = 15
const DIAL_CODES: ReadonlySet<string> = new Set(getCountries().map((country) => `+${getCountryCallingCode(country)}`))
/** What plans of the past put before the number, and people still write: Mexico until 2019, Ukraine until 2009. */
const OLD_PREFIXES: Readonly<Record<string, RegExp>> = { '52': /^(?:01|04[45]|1)/, '380': /^80/ }

/**
 * Reads a phone number however people write it: punctuation is punctuation, a written dialling code counts once and before
 * a chosen one, and the plan of the country drops a trunk prefix or keeps its zero. Null when it is no number there.
 */
export function readMobile(typed: string, { country, dialCode, ownDialCode = '' }: MobileContext): Mobile | null {
  const text = phoneText(typed)
  if (text === null) return null
  const chosen = dialCode === '' ? dialCodeOf(country) : dialCode
  for (const own of new Set([chosen, ownDialCode])) {
    const rest = afterOwnDialCode(text, own)
    const mobile = rest === null ? null : byPlan(rest, { country, dialCode: own })
    if (mobile !== null) return mobile
  }
  const international = text.replace(/^00(?=[1-9])/, '+')
  if (international.startsWith('+')) return byPlan(international, { country: '', dialCode: '' })
  if (chosen !== '') return byPlan(text, { country, dialCode: chosen })
  const digits = text.replace(/\D/g, '')
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS ? { code: '', number: digits } : null
}

/** Reads a dialling code as `+` and digits; an empty text when none was given, null when no country has it. */
export function readMobileCode(typed: string): string | null {
  const digits = asciiDigits(typed.normalize('NFKC')).replace(/[\s().+/-]/g, '')
  if (digits === '') return ''
  const code = `+${digits.replace(/^00/, '')}`
  return DIAL_CODES.has(code) ? code : null
}

/** The dialling code of a country; empty where there is no such country. */
export function dialCodeOf(country: string): string {
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : ''
}

function byPlan(text: string, { country, dialCode }: Omit<MobileContext, 'ownDialCode'>): Mobile | null {
  if (dialCode !== '' && !DIAL_CODES.has(dialCode)) return null
  // A country says how numbers are dialled in it; a code alone may belong to several.
  const isOfCountry = dialCode !== '' && dialCodeOf(country) === dialCode
  const found = parsePhoneNumberFromString(text, {
    extract: false,
    ...(isOfCountry && { defaultCountry: country as CountryCode }),
    ...(!isOfCountry && dialCode !== '' && { defaultCallingCode: dialCode.slice(1) }),
  })
  if (found === undefined || !/[1-9]/.test(found.nationalNumber)) return null
  const code = `+${found.countryCallingCode}`
  const number = found.isValid() ? found.nationalNumber : (withoutExtra(found) ?? found.nationalNumber)
  return number !== found.nationalNumber || found.isPossible() ? { code, number } : null
}

/** The mobile number behind a dialling code that is there twice, or behind a prefix of an older plan; null without one. */
function withoutExtra({ countryCallingCode, nationalNumber }: PhoneNumber): string | null {
  for (const extra of [new RegExp(`^0*${countryCallingCode}`), OLD_PREFIXES[countryCallingCode]]) {
    if (extra === undefined || !extra.test(nationalNumber)) continue
    const rest = parsePhoneNumberFromString(`+${countryCallingCode}${nationalNumber.replace(extra, '')}`)
    if (rest?.isValid() === true) return rest.nationalNumber
  }
  return null
}
