// Decides whether to cosign a checkpoint, and stores the findings about each log.
import * as fs from 'node:fs'
import {
  checkConsistency,
  cosign,
  EMPTY_ROOT,
  parseKey,
  parseNote,
  refusal,
  sha256,
  verifiedLines,
} from './formats.mjs'
import { readJson, writeJson } from './state.mjs'

/**
 * 10 s: within this time a repeated request gets the same signature line, so that repeated requests do not wear out the
 * disk.
 */
const REPEATS_FOR_SECONDS = 10
const MAX_FINDINGS_OF_A_CODE = 20
const MAX_TEXT_LETTERS = 300

/** Prints a line. Text from others must not be able to control the terminal. */
export const print = (text = '') => console.log(`${new Date().toISOString()} ${text.replaceAll(/\p{Cc}/gu, ' ')}`)
export const idOf = (origin = '') => sha256(origin).toString('hex')

/**
 * Returns the report about a log: the number of entries that were read, the subtrees over all full tiles, and the
 * findings.
 */
export function reportOf(origin = '') {
  const file = `log-${idOf(origin)}.json`
  return fs.existsSync(file) ? readJson(file) : { size: 0, trees: [], facts: null, isMirrored: false, findings: {} }
}

/** Stores findings, and how far a log was read. */
export function save(origin = '', /** @type {any[]} */ found, changes = {}) {
  const [file, next] = [`log-${idOf(origin)}.json`, { ...reportOf(origin), ...changes }]
  for (const finding of found) {
    const text = finding.text.slice(0, MAX_TEXT_LETTERS)
    const id = `${finding.code} ${finding.index ?? ''}: ${text}`
    if (id in next.findings) continue
    print(`${origin}: FOUND ${id}`)
    const alike = Object.keys(next.findings).filter((one) => one.startsWith(`${finding.code} `))
    if (alike.length < MAX_FINDINGS_OF_A_CODE) next.findings[id] = { at: new Date().toISOString(), ...finding, text }
  }
  fs.rmSync(`${file}.new`, { force: true })
  writeJson(`${file}.new`, next)
  fs.renameSync(`${file}.new`, file)
}

/** @param {ReturnType<typeof import('./state.mjs').openFolder>} folder */
export function createWitness({ key, secret, logs, setLog }) {
  return { key, logs, open, submit, cosigned }

  /** Reads a checkpoint that a followed log has signed. */
  function open(text = '') {
    const note = parseNote(text)
    const log = logs.get(note.origin)
    if (log === undefined) throw refusal(404, 'unknown log')
    const lines = verifiedLines(note, log.keys.map(parseKey))
    if (lines.length === 0) throw refusal(403, 'no known key of the log has signed')
    return { note, log, signed: `${note.text}\n${lines.map((line) => line.text).join('')}` }
  }

  /**
   * Cosigns a checkpoint that continues the newest one. Compares, stores and signs without a pause, so that no other
   * request comes in between. `proof` is null when the caller has rebuilt both trees.
   */
  function submit(from = 0, /** @type {Buffer[] | null} */ proof, text = '') {
    const { note, log, signed } = open(text)
    if (from > note.size) throw refusal(400, 'the old size is larger than the new one')
    const known = log.note === '' ? { size: 0, root: EMPTY_ROOT, text: '' } : parseNote(log.note)
    const isFork = log.note !== '' && note.size === log.size && !note.root.equals(known.root)
    if (isFork) save(log.origin, [{ code: 'fork', text: `two trees of size ${log.size}`, notes: [log.note, signed] }])
    if (isFork) throw refusal(409, 'there is another tree of this size')
    if (from !== log.size) throw refusal(409, `${log.size}\n`)
    if (proof !== null) checkConsistency(known, note, proof)
    if (note.size > log.size && verifiedLines(note, [key]).length > 0) {
      save(log.origin, [{ code: 'state', text: 'this state is older than a signature of this witness', notes: [text] }])
      throw refusal(500, 'the state of this witness is older than its signatures')
    }
    const seconds = Math.max(Math.floor(Date.now() / 1000), log.seconds)
    const isRepeated = note.text === known.text && seconds < log.seconds + REPEATS_FOR_SECONDS
    if (!isRepeated) setLog({ ...log, size: note.size, seconds, note: signed })
    return cosign(key, secret, note.text, isRepeated ? log.seconds : seconds)
  }

  /** Returns the newest cosigned checkpoint with the signature lines of the log and of this witness. */
  function cosigned(/** @type {import('./state.mjs').Log} */ { note, seconds }) {
    return note + cosign(key, secret, parseNote(note).text, seconds)
  }
}
