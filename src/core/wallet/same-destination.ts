import { isEmail, mailboxOf } from '#core/accounts/email.ts'
import { readMobile } from '#core/accounts/mobile.ts'
import { phoneText } from '#core/accounts/phone-text.ts'
import { asciiDigits } from '#core/text/digits.ts'
import { NETWORKS, readDestination } from '#core/wallet/destinations/destination.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'

/** Labels of fields with an account, card or wallet, in the languages of the app. */
const ACCOUNT_LABEL =
  /iban|clabe|acc(?:oun)?t.{0,4}(?:n(?:umber|r|o|um)?\b|#|id\b)|card|wallet|konto|karten?|cuenta|tarjeta|compte|carte|conta\b|cart[aã]o|hesap|kart\b|rekening|сч[её]т|карт|кошел|حساب|بطاقة|محفظة|账号|帐号|賬號|帳號|卡号|钱包|口座|계좌|카드|지갑|खाता|บัญชี|tài khoản/iu
/** Labels that may match `ACCOUNT_LABEL` but ask for a person, a bank or a note. */
const OTHER_LABEL = /holder|owner|name|inhaber|titular|titulaire|名|имя|владел|type|memo|expir|cvv/iu
/** Labels of addresses. An address with blanks is a postal address and is not compared. */
const ADDRESS_LABEL = /address|adresse|dirección|endereço|адрес|عنوان|地址|アドレス|주소/iu
/** Labels of memos. If customers of an exchange share an address, the memo identifies the customer. */
const MEMO_LABEL = /memo|\btag\b/iu
/**
 * 6 characters: shorter texts, such as a branch or a test value, are not compared, because many people enter the same.
 */
const MIN_ACCOUNT_LENGTH = 6

/**
 * Returns texts that identify the destinations of payment details. Two payment details have a text in common if they
 * lead to the same account, card, wallet, mailbox or phone, however they are spelled. Names, banks and notes are
 * ignored. When no field is recognised, the text is made of all fields.
 */
export function destinationsOf(methodId: number, details: MethodDetails): string[] {
  const fields = Object.entries(details)
  const values = fields.map(([, value]) => value)
  const memo = fields.filter(([label]) => MEMO_LABEL.test(label)).map(([, value]) => squash(value))
  const checked = values.flatMap((value) => checkedText(value) ?? [])
  const labelled = accountFields(details)
    .map(([, value]) => accountText(value))
    .filter(({ length }) => length >= MIN_ACCOUNT_LENGTH)
    .map((account) => JSON.stringify(['account', methodId, account, ...memo]))
  if (checked.length + labelled.length > 0) return unique([...checked, ...labelled])
  const contacts = values.flatMap((value) => contactText(value) ?? [])
  if (contacts.length > 0) return unique(contacts)
  return [JSON.stringify(['all', methodId, values.map(squash).filter(Boolean).toSorted()])]
}

/**
 * Returns the text of the account that gets the money. Two spellings of one account have the same text. A second
 * account in a field for the holder or a note does not change the text.
 */
export function payeeText(methodId: number, details: MethodDetails): string {
  const accounts = accountFields(details)
  const memos = Object.entries(details).filter(([label]) => MEMO_LABEL.test(label))
  const paidTo = accounts.length > 0 ? Object.fromEntries([...accounts, ...memos]) : details
  return destinationsOf(methodId, paidTo)[0] ?? ''
}

/** Lists the fields with an account, card or wallet. Without any, lists the fields with an address that is not postal. */
function accountFields(details: MethodDetails): [string, string][] {
  const fields = Object.entries(details)
  const accounts = fields.filter(([label]) => ACCOUNT_LABEL.test(label) && !OTHER_LABEL.test(label))
  if (accounts.length > 0) return accounts
  return fields.filter(([label, value]) => ADDRESS_LABEL.test(label) && !/\s/.test(value))
}

/** An IBAN, a wallet address or a card number, recognised by its checksum. */
function checkedText(value: string): string | null {
  const typed = value
    .normalize('NFKC')
    .replace(/[\s.·•\p{Pd}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/^iban:?/i, '')
  // An EVM address in the wrong case fails its checksum but reaches the same wallet, so lower case is tried too.
  for (const spelling of [typed, typed.toLowerCase()]) {
    for (const network of NETWORKS) {
      const read = readDestination(network, spelling)
      if (read.ok) return `${network} ${read.value}`
    }
  }
  const digits = asciiDigits(typed)
  return /^\d{13,19}$/.test(digits) && hasCardChecksum(digits) ? `card ${digits}` : null
}

/** Whether the last digit of a card number is correct (ISO 7812, Luhn). */
function hasCardChecksum(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? Number(digit) : ((Number(digit) * 2 - 1) % 9) + 1), 0)
  return sum % 10 === 0
}

function contactText(value: string): string | null {
  if (isEmail(value)) return `mailbox ${mailboxOf(value)}`
  const digits = phoneText(value)?.replace(/\D/g, '') ?? ''
  if (digits.length < MIN_ACCOUNT_LENGTH) return null
  const mobile = readMobile(value, { country: '', dialCode: '' })
  return `phone ${(mobile === null ? digits : mobile.code + mobile.number).replace(/^\+?0*/, '')}`
}

const accountText = (value: string): string => (isEmail(value) ? mailboxOf(value) : squash(value).replace(/^0+/, ''))

/** Letters and digits only, in one case and one script of digits. */
function squash(value: string): string {
  return asciiDigits(value.normalize('NFKC'))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
