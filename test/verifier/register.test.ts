import { describe, expect, it } from 'vitest'
import { fromBase64 } from '#core/proof/bytes.ts'
import { checkInclusion, type RegisterProof } from '#core/register/check-inclusion.ts'
import { isConsistent } from '#core/register/log-proofs.ts'
import { openNote } from '#core/register/open-note.ts'
import { KEY_TYPES } from '#core/register/signed-note.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { below, between, isLikely, oneOf } from './chance.ts'
import { randomTerms } from './published-texts.ts'
import { batchRootOf, LOG, noteOf, noteSigner, ORIGIN, RandomRegister, WITNESSES } from './random-register.ts'
import { randomOrder } from './random-order.ts'
import { askVerifier, type Question } from './run-verifier.ts'
import { signer, signTogether } from './signed-orders.ts'

const BATCHES = 60
const REGISTER_KEYS = [LOG.text]
const WITNESS_KEYS = WITNESSES.map(({ text }) => text)
const ALL_KEYS = [LOG, ...WITNESSES].map(({ key }) => key)
const STRANGER = noteSigner(ORIGIN, KEY_TYPES.log)

const accepted = Array.from({ length: BATCHES }, () => {
  const terms = randomTerms()
  const orders = Array.from({ length: between(1, 4) }, () => randomOrder(terms)).filter((order) => order !== null)
  return orders.length === 0
    ? []
    : signTogether(
        orders.map((order) => order.accepted),
        [],
      )
}).filter((receipts) => receipts.length > 0)
const receipts = accepted.map((together) => oneOf(together))
const register = new RandomRegister(accepted.flat())
const proofs = await Promise.all(receipts.map((receipt) => register.proofOf(receipt)))

/** Replaces one letter of a text by another one. */
function flipped(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** Changes a signature line. Line 0 is the signature line of the log. */
function signatureLine(at: number, change: (line: string) => string): (proof: RegisterProof) => RegisterProof | null {
  return (proof) => {
    const lines = proof.note.split('\n')
    const line = lines[at + 4] ?? ''
    return line === '' ? null : { ...proof, note: lines.with(at + 4, change(line)).join('\n') }
  }
}

/** Returns the three lines of the note that its signatures cover. */
function stateOf({ note }: RegisterProof): string {
  return note.slice(0, note.indexOf('\n\n'))
}

type Change = (proof: RegisterProof, other: RegisterProof) => RegisterProof | null

const CHANGES: Readonly<Record<string, Change>> = {
  'index: the next one': (proof) => ({ ...proof, index: proof.index + 1 }),
  'index: below zero': (proof) => ({ ...proof, index: -1 }),
  'index: beyond the size': (proof) => ({ ...proof, index: 100_000 }),
  'text: another time': (proof) => ({ ...proof, text: proof.text.replace('"at_ms":1', '"at_ms":2') }),
  'text: another number of batches': (proof) => ({
    ...proof,
    text: proof.text.replace(/"batches":(\d+)/, '"batches":1$1'),
  }),
  'text: another kind': (proof) => ({ ...proof, text: proof.text.replace(/"kind":"\w+"/, '"kind":"ticks"') }),
  'text: a space': (proof) => ({ ...proof, text: proof.text.replace(':', ': ') }),
  'text: no JSON': (proof) => ({ ...proof, text: proof.text.slice(1) }),
  'text: the entry of another receipt': (proof, other) =>
    proof.text === other.text ? null : { ...proof, text: other.text },
  'batch path: a side': (proof) =>
    proof.batch_path.length === 0
      ? null
      : {
          ...proof,
          batch_path: proof.batch_path.map(({ side, hash }) => ({ side: side === 'left' ? 'right' : 'left', hash })),
        },
  'batch path: a step less': (proof) =>
    proof.batch_path.length === 0 ? null : { ...proof, batch_path: proof.batch_path.slice(1) },
  'batch path: a step more': (proof) => ({
    ...proof,
    batch_path: [...proof.batch_path, { side: 'left', hash: 'ab'.repeat(32) }],
  }),
  'path: a step less': (proof) => ({ ...proof, path: proof.path.slice(0, -1) }),
  'path: a step more': (proof) => ({ ...proof, path: [...proof.path, Buffer.alloc(32).toString('base64')] }),
  'path: two exchanged': (proof) => ({ ...proof, path: proof.path.toReversed() }),
  'path: another hash': (proof) => ({ ...proof, path: proof.path.map((hash) => flipped(hash, 7)) }),
  'path: a short hash': (proof) => ({ ...proof, path: proof.path.map((hash) => hash.slice(4)) }),
  'note: another size': (proof) => ({ ...proof, note: proof.note.replace(/\n(\d+)\n/, '\n1$1\n') }),
  'note: a size with zeros': (proof) => ({ ...proof, note: proof.note.replace(/\n(\d+)\n/, '\n0$1\n') }),
  'note: another origin': (proof) => ({ ...proof, note: proof.note.replace('trade', 'trada') }),
  'note: another root': (proof) => ({ ...proof, note: flipped(proof.note, proof.note.indexOf('\n\n') - 20) }),
  'note: a line more': (proof) => ({ ...proof, note: proof.note.replace('\n\n', '\nmore\n\n') }),
  'note: no signature': (proof) => ({ ...proof, note: proof.note.slice(0, proof.note.indexOf('\n\n') + 2) }),
  'note: no line feed at its end': (proof) => ({ ...proof, note: proof.note.slice(0, -1) }),
  'note: a state that another key signed': (proof) => ({
    ...proof,
    note: noteOf({ size: register.size, root: register.rootAt(register.size) }, [], STRANGER),
  }),
  'note: of another state': (proof, other) =>
    stateOf(proof) === stateOf(other) ? null : { ...proof, note: other.note },
  'signature: its id': signatureLine(0, (line) => flipped(line, line.lastIndexOf(' ') + 2)),
  'signature: a byte': signatureLine(0, (line) => flipped(line, line.length - 20)),
  'signature: cut': signatureLine(0, (line) => line.slice(0, -4)),
  'signature: a hyphen for the dash': signatureLine(0, (line) => line.replace('\u2014', '-')),
  'signature: another name': signatureLine(0, (line) => line.replace(ORIGIN, 'other.example.com')),
  'all of another receipt': (proof, other) => (proof.text === other.text ? null : other),
}

function questionOf(at: number, proof: RegisterProof): Question {
  const content = { receipt: receipts[at], keys: [signer.published], proof, register_keys: REGISTER_KEYS }
  return { check: 'register', files: [content] }
}

/** Returns the reason why our own checker refuses the proof. Null when it finds the receipt in the register. */
function ownVerdict(at: number, proof: RegisterProof): string | null {
  const receipt = receipts[at]
  if (receipt === undefined) throw new Error('there is a receipt')
  const found = checkInclusion(SERVER_TOOLS, { root: batchRootOf(receipt), kind: 'accepted' }, proof, [LOG.key])
  return typeof found === 'string' ? found : null
}

describe('a proof that the register contains a receipt', () => {
  it('a proof that the register contains a receipt passes both checkers', () => {
    const answers = askVerifier(proofs.map((proof, at) => questionOf(at, proof)))
    expect(answers.map(({ code, verdict }) => [code, verdict])).toEqual(proofs.map(() => [0, 'true']))
    expect(proofs.map((proof, at) => ownVerdict(at, proof))).toEqual(proofs.map(() => null))
  })

  it('a changed proof fails in both checkers for the same reason', () => {
    const changed = Object.entries(CHANGES).flatMap(([name, change]) => {
      const files = proofs.flatMap((proof, at) => {
        const found = change(proof, proofs[(at + 7) % proofs.length] ?? proof)
        return found === null || JSON.stringify(found) === JSON.stringify(proof) ? [] : [{ name, at, proof: found }]
      })
      expect(files.length, name).toBeGreaterThan(0)
      return files.slice(0, 8)
    })
    const answers = askVerifier(changed.map(({ at, proof }) => questionOf(at, proof)))
    const different = changed.flatMap(({ name, at, proof }, number) => {
      const [own, other] = [ownVerdict(at, proof), answers[number]]
      return own !== null && other?.code === 1 && other.verdict === own ? [] : [{ name, own, other }]
    })
    expect(different).toEqual([])
    expect(changed.length).toBeGreaterThan(200)
  })
})

describe('two states of the register', () => {
  it('two states of the register pass both checkers, and pass neither checker after a change', async () => {
    const cases = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const to = between(0, register.size)
        const from = oneOf([below(to + 1), to, 0])
        const hashes = await register.consistency(from, to)
        const states = [from, to].map((size) => ({ size, root: register.rootAt(size) }))
        const [old = states[0], young = states[1]] = states
        if (old === undefined || young === undefined) throw new Error('there are two states')
        const change = at % 3 === 0 ? null : oneOf(STATE_CHANGES)
        return { old, young, hashes, ...change?.({ old, young, hashes }) }
      }),
    )
    const answers = askVerifier(
      cases.map(({ old, young, hashes }) => ({
        check: 'consistency',
        files: [{ old: noteOf(old, []), new: noteOf(young, []), hashes, register_keys: REGISTER_KEYS }],
      })),
    )
    const own = cases.map(({ old, young, hashes }) => {
      const proof = hashes.map((hash) => fromBase64(hash)).filter((hash) => hash?.length === 32)
      const path = proof.filter((hash) => hash !== null)
      return path.length === hashes.length && isConsistent(sha256, old, young, path)
    })
    expect(answers.map(({ code, verdict }) => (code === 1 ? verdict : code))).toEqual(
      own.map((isTrue) => (isTrue ? 0 : 'forked')),
    )
    expect(own.filter(Boolean).length).toBeGreaterThan(90)
    expect(own.filter((isTrue) => !isTrue).length).toBeGreaterThan(90)
  })
})

interface States {
  readonly old: { readonly size: number; readonly root: Uint8Array }
  readonly young: { readonly size: number; readonly root: Uint8Array }
  readonly hashes: readonly string[]
}

const STATE_CHANGES: readonly ((states: States) => Partial<States>)[] = [
  ({ old }) => ({ old: { ...old, root: sha256(old.root) } }),
  ({ young }) => ({ young: { ...young, root: sha256(young.root) } }),
  ({ old }) => ({ old: { ...old, size: old.size + 1 } }),
  ({ young }) => ({ young: { ...young, size: young.size + 1 } }),
  ({ old, young }) => ({ old: young, young: old }),
  ({ hashes }) => ({ hashes: hashes.slice(1) }),
  ({ hashes }) => ({ hashes: [...hashes, Buffer.alloc(32, 7).toString('base64')] }),
  ({ hashes }) => ({ hashes: hashes.toReversed() }),
  ({ hashes }) => ({ hashes: hashes.map((hash) => flipped(hash, 3)) }),
]

describe('cosignatures', () => {
  const state = { size: register.size, root: register.rootAt(register.size) }
  const [first = LOG, second = LOG] = WITNESSES

  it('cosignatures count for both checkers, and a false cosignature invalidates the note for both', () => {
    const notes = Array.from({ length: 120 }, () => {
      const note = noteOf(
        state,
        WITNESSES.filter(() => isLikely(60)),
      )
      return oneOf(NOTE_CHANGES)(note)
    })
    const quorum = notes.map(() => below(4))
    const answers = askVerifier(
      notes.map((note, at) => ({
        check: 'cosignatures',
        files: [{ note, register_keys: REGISTER_KEYS, witness_keys: WITNESS_KEYS, quorum: quorum[at] }],
      })),
    )
    const own = notes.map((note, at) => {
      const opened = openNote(SERVER_TOOLS, note, ALL_KEYS)
      if (typeof opened === 'string') return opened
      const names = new Set(opened.signatures.flatMap(({ key, seconds }) => (seconds === null ? [] : [key.name])))
      return names.size >= (quorum[at] ?? 0) ? 'true' : 'quorum'
    })
    expect(answers.map(({ verdict }) => verdict)).toEqual(own)
    expect(new Set(own)).toEqual(new Set(['true', 'quorum', 'note_form', 'note_signature', 'note_unsigned']))
  })

  const NOTE_CHANGES: readonly ((note: string) => string)[] = [
    (note) => note,
    (note) => note,
    // The note has the signature line of an unknown witness.
    (note) => `${note}\u2014 unknown.example.com ${Buffer.alloc(76).toString('base64')}\n`,
    // The note has the signature line of one witness twice.
    (note) => `${note}${note.split('\n').at(-2)}\n`,
    (note) => note.replace(first.key.name, second.key.name),
    (note) => flipped(note, note.length - 30),
    (note) => note.replace(/\n\u2014 trade.*\n/, '\n'),
    () => noteOf({ ...state, origin: 'other.example.com/register' }, WITNESSES),
    (note) => note.replace('\n\n', '\n'),
    // The note has the cosignature of another state.
    (note) =>
      `${note}${noteOf({ ...state, size: 1 }, [first])
        .split('\n')
        .at(-2)}\n`,
  ]
})
