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

/** A phone number split by the numbering plan of its country. */
export interface Mobile {
  /** The dialling code as `+49`. Empty when neither the text nor the account has one. */
  readonly code: string
  /** The national number in digits, without a trunk prefix. */
  readonly number: string
}

export interface MobileContext {
  /** ISO code of the chosen country. Empty when no country was chosen. */
  readonly country: string
  /**
   * The dialling code that the client sent in a separate field, as `+49`. Empty when the client sent only the country.
   */
  readonly dialCode: string
  /** The dialling code currently stored for the account. */
  readonly ownDialCode?: string
}

const MIN_DIGITS = 5
const MAX_DIGITS = 15
const DIAL_CODES: ReadonlySet<string> = new Set(getCountries().map((country) => `+${getCountryCallingCode(country)}`))
/** Prefixes of former numbering plans that users still type: Mexico until 2019, Ukraine until 2009. */
const OLD_PREFIXES: Readonly<Record<string, RegExp>> = { '52': /^(?:01|04[45]|1)/, '380': /^80/ }

/**
 * Parses a phone number in any common notation. A dialling code in the text takes precedence over the chosen one. The
 * numbering plan of the country drops a trunk prefix or keeps its zero. Returns null when the text is not a number of
 * that country.
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

/**
 * Parses a dialling code to `+` and digits. Returns an empty text when none was given and null when no country has it.
 */
export function readMobileCode(typed: string): string | null {
  const digits = asciiDigits(typed.normalize('NFKC')).replace(/[\s().+/-]/g, '')
  if (digits === '') return ''
  const code = `+${digits.replace(/^00/, '')}`
  return DIAL_CODES.has(code) ? code : null
}

/**
 * Lists the numbers that the digits can mean if the user typed them as people inside a country do, with or without a
 * trunk prefix. The list has only numbers that the numbering plan of a country allows.
 */
export function numbersByPlans(digits: string): readonly Mobile[] {
  const found = new Map<string, Mobile>()
  for (const country of getCountries()) {
    const mobile = parsePhoneNumberFromString(digits, { extract: false, defaultCountry: country })
    if (mobile?.isValid() === true)
      found.set(mobile.number, { code: `+${mobile.countryCallingCode}`, number: mobile.nationalNumber })
  }
  return [...found.values()]
}

/** Returns the dialling code of a country. Empty when there is no such country. */
export function dialCodeOf(country: string): string {
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : ''
}

function byPlan(text: string, { country, dialCode }: Omit<MobileContext, 'ownDialCode'>): Mobile | null {
  if (dialCode !== '' && !DIAL_CODES.has(dialCode)) return null
  // The country fixes the dialling rules. A dialling code alone may belong to several countries.
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

/**
 * Returns the mobile number after a repeated dialling code or a prefix of a former plan. Null when there is neither.
 */
function withoutExtra({ countryCallingCode, nationalNumber }: PhoneNumber): string | null {
  for (const extra of [new RegExp(`^0*${countryCallingCode}`), OLD_PREFIXES[countryCallingCode]]) {
    if (extra === undefined || !extra.test(nationalNumber)) continue
    const rest = parsePhoneNumberFromString(`+${countryCallingCode}${nationalNumber.replace(extra, '')}`)
    if (rest?.isValid() === true) return rest.nationalNumber
  }
  return null
}
