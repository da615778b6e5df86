import { keccak_256 } from '@noble/hashes/sha3.js'
import { asciiDigits } from '#core/text/digits.ts'
import { decodeBase58Check, isBase58 } from '#core/wallet/destinations/base58.ts'
import { decodeSegwit } from '#core/wallet/destinations/bech32.ts'
import { groupIban, hasIbanChecksum, isIbanShaped } from '#core/wallet/destinations/iban.ts'

/** Payment networks whose addresses have a checksum. */
export const NETWORKS = ['iban', 'bitcoin', 'evm', 'tron', 'litecoin'] as const
export type Network = (typeof NETWORKS)[number]

/** The name of each network, the same in every language. */
export const NETWORK_NAMES: Readonly<Record<Network, string>> = {
  iban: 'IBAN',
  bitcoin: 'Bitcoin',
  evm: 'Ethereum (ERC-20)',
  tron: 'TRON (TRC-20)',
  litecoin: 'Litecoin',
}

/**
 * Why a destination was refused:
 * - `checksum`: the form is right, but the checksum shows a typing mistake.
 * - `network`: the address belongs to the network `found`.
 * - `form`: the text has the form of no known network.
 */
export type DestinationFlaw =
  | { readonly flaw: 'checksum' | 'form' }
  | { readonly flaw: 'network'; readonly found: Network }

export type ReadDestination = { readonly ok: true; readonly value: string } | ({ readonly ok: false } & DestinationFlaw)

export function isNetwork(text: string | undefined): text is Network {
  return (NETWORKS as readonly (string | undefined)[]).includes(text)
}

/** URI schemes before a scanned or copied address, and their networks. */
const SCHEMES: Readonly<Record<string, Network>> = {
  iban: 'iban',
  bitcoin: 'bitcoin',
  ethereum: 'evm',
  tron: 'tron',
  litecoin: 'litecoin',
}

/**
 * Parses a destination on a network to its canonical form. A destination with a mistake is refused, never corrected.
 */
export function readDestination(network: Network, written: string): ReadDestination {
  const { named, typed } = withoutScheme(written.normalize('NFKC'))
  if (named !== null && named !== network) return { ok: false, flaw: 'network', found: named }
  const own = RULES[network](typed)
  if (own.ok) return own
  const others = NETWORKS.filter((other) => other !== network)
  const found =
    others.find((other) => RULES[other](typed).ok) ??
    (own.flaw === 'form' ? others.find((other) => RULES[other](typed).flaw === 'checksum') : undefined)
  return found === undefined ? own : { ok: false, flaw: 'network', found }
}

/** Formats a canonical destination for display. */
export function destinationText(network: Network, value: string): string {
  return network === 'iban' ? groupIban(value) : value
}

/**
 * Splits a payment link, such as a scanned QR code, into network and address; requested amounts are dropped. A link
 * with a path stays whole and is therefore refused: it names a contract, and the receiver is in another part of the
 * link.
 */
function withoutScheme(written: string): { readonly named: Network | null; readonly typed: string } {
  const [, scheme = '', rest] = /^(iban(?=[\s:])|[a-z]+(?=:)):?\s*(.*)$/is.exec(written) ?? []
  const named = SCHEMES[scheme.toLowerCase()]
  if (named === undefined || rest === undefined) return { named: null, typed: written }
  return { named, typed: rest.replace(/^pay-/, '').replace(/(?:@\d+)?(?:\?.*)?$/s, '') }
}

type Judged = { readonly ok: true; readonly value: string; readonly flaw?: never } | (typeof FORM | typeof CHECKSUM)

const FORM = { ok: false, flaw: 'form' } as const
const CHECKSUM = { ok: false, flaw: 'checksum' } as const

const RULES: Readonly<Record<Network, (typed: string) => Judged>> = {
  iban: readIban,
  bitcoin: (typed) => readCoin(typed, { prefix: 'bc', versions: [0, 5], shape: /^[13]/, maxWitness: 1 }),
  // Version 5 is refused: such an address begins with 3 and is also a valid Bitcoin address.
  litecoin: (typed) => readCoin(typed, { prefix: 'ltc', versions: [48, 50], shape: /^[LM]/, maxWitness: 1 }),
  evm: readEvm,
  tron: readTron,
}

function readIban(typed: string): Judged {
  const iban = asciiDigits(typed).replace(/[\s-]/g, '').toUpperCase()
  if (!isIbanShaped(iban)) return FORM
  return hasIbanChecksum(iban) ? { ok: true, value: iban } : CHECKSUM
}

interface Coin {
  readonly prefix: string
  readonly versions: readonly number[]
  readonly shape: RegExp
  readonly maxWitness: number
}

/** Parses an address of Bitcoin or a derived coin: base58check, or segregated witness of version 0 or 1. */
function readCoin(typed: string, { prefix, versions, shape, maxWitness }: Coin): Judged {
  if (typed.toLowerCase().startsWith(`${prefix}1`)) {
    if (!/^[0-9a-z]{14,90}$/i.test(typed)) return FORM
    const witness = decodeSegwit(prefix, typed)
    if (witness === null || witness.version > maxWitness) return CHECKSUM
    // Anyone can spend from a version 1 address whose program is not 32 bytes.
    return witness.version === 1 && witness.program.length !== 32 ? CHECKSUM : { ok: true, value: typed.toLowerCase() }
  }
  if (!shape.test(typed) || typed.length < 26 || typed.length > 35 || !isBase58(typed)) return FORM
  const bytes = decodeBase58Check(typed)
  return bytes?.length === 21 && versions.includes(bytes[0] ?? -1) ? { ok: true, value: typed } : CHECKSUM
}

function readTron(typed: string): Judged {
  if (!/^T.{33}$/.test(typed) || !isBase58(typed)) return FORM
  const bytes = decodeBase58Check(typed)
  return bytes?.length === 21 && bytes[0] === 0x41 ? { ok: true, value: typed } : CHECKSUM
}

/**
 * An address in a single case has no checksum. Mixed case must match EIP-55. The stored form always has the EIP-55
 * checksum.
 */
function readEvm(typed: string): Judged {
  if (!/^0x[0-9a-f]{40}$/i.test(typed) || /^0x0{40}$/i.test(typed)) return FORM
  const hex = typed.slice(2)
  const value = withEip55(hex)
  const hasCase = hex !== hex.toLowerCase() && hex !== hex.toUpperCase()
  return hasCase && typed !== value ? CHECKSUM : { ok: true, value }
}

function withEip55(hex: string): string {
  const lower = hex.toLowerCase()
  const hash = keccak_256(Uint8Array.from(lower, (letter) => letter.charCodeAt(0)))
  const letters = Array.from(lower, (letter, at) => {
    const nibble = ((hash[at >> 1] ?? 0) >> (at % 2 === 0 ? 4 : 0)) & 0xf
    return nibble >= 8 ? letter.toUpperCase() : letter
  })
  return `0x${letters.join('')}`
}
