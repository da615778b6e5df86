import { sameBytes, type Sha256 } from '#core/proof/bytes.ts'
import { KEY_TYPES, type NoteKey, parseVerifierKey } from '#core/register/signed-note.ts'

/** The keys that a person trusts, as C2SP tlog-policy describes. */
export interface Policy {
  readonly logs: readonly NoteKey[]
  readonly witnesses: readonly NoteKey[]
  /** Whether valid signatures of these keys meet the quorum of the policy. */
  readonly isQuorum: (keys: readonly NoteKey[]) => boolean
}

/** Returns whether a witness or group of the policy has signed, from the keys with valid signatures. */
type HasSigned = (keys: readonly NoteKey[]) => boolean

/** An invalid line of the policy, by its number from 1. */
export interface PolicyFault {
  readonly line: number
}

/** Reads a policy. Returns the first wrong line, or line 0 when the quorum is missing. */
export function readPolicy(sha256: Sha256, text: string): Policy | PolicyFault {
  const policy = new PolicyReader(sha256)
  for (const [at, line] of text.split('\n').entries()) {
    const words = line.split(/[\t ]+/).filter((word) => word !== '')
    if (words.length === 0 || words[0]?.startsWith('#')) continue
    if (!policy.take(words)) return { line: at + 1 }
  }
  return policy.result() ?? { line: 0 }
}

class PolicyReader {
  readonly #sha256: Sha256
  readonly #logs: NoteKey[] = []
  readonly #witnesses: NoteKey[] = []
  readonly #names = new Map<string, HasSigned>()
  /** Each name is a member of one group at most, so that a witness counts once. */
  readonly #members = new Set<string>()
  #quorum: HasSigned | null = null

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** Processes one line of the policy. Returns whether the line is valid. */
  take([kind = '', ...words]: readonly string[]): boolean {
    if (kind === 'log') return words.length <= 2 && this.#addKey(this.#logs, words[0], KEY_TYPES.log) !== null
    if (kind === 'witness') return words.length <= 3 && this.#addWitness(words)
    if (kind === 'group') return this.#addGroup(words)
    return kind === 'quorum' && words.length === 1 && this.#setQuorum(words[0] ?? '')
  }

  result(): Policy | null {
    const isQuorum = this.#quorum
    return isQuorum && { logs: this.#logs, witnesses: this.#witnesses, isQuorum }
  }

  #addKey(keys: NoteKey[], text = '', type: NoteKey['type']): NoteKey | null {
    const key = parseVerifierKey(this.#sha256, text)
    if (key?.type !== type || keys.some((other) => sameBytes(other.publicKey, key.publicKey))) return null
    keys.push(key)
    return key
  }

  #addWitness([name = '', text]: readonly string[]): boolean {
    const key = this.#isNewName(name) ? this.#addKey(this.#witnesses, text, KEY_TYPES.witness) : null
    if (key === null) return false
    this.#names.set(name, (keys) => keys.some((other) => sameBytes(other.publicKey, key.publicKey)))
    return true
  }

  #addGroup([name = '', count = '', ...members]: readonly string[]): boolean {
    const known = members.map((member) => this.#names.get(member)).filter((member) => member !== undefined)
    const isEachOnce = new Set(members).size === members.length && !members.some((member) => this.#members.has(member))
    const needed = { any: 1, all: members.length }[count] ?? (/^[1-9]\d*$/.test(count) ? Number(count) : 0)
    const isRight = known.length === members.length && isEachOnce && needed >= 1 && needed <= members.length
    if (!this.#isNewName(name) || !isRight) return false
    for (const member of members) this.#members.add(member)
    this.#names.set(name, (keys) => known.filter((hasSigned) => hasSigned(keys)).length >= needed)
    return true
  }

  #setQuorum(name: string): boolean {
    const hasSigned = name === 'none' ? (): boolean => true : this.#names.get(name)
    if (hasSigned === undefined || this.#quorum !== null) return false
    this.#quorum = hasSigned
    return true
  }

  #isNewName(name: string): boolean {
    return name !== '' && name !== 'none' && !this.#names.has(name)
  }
}
