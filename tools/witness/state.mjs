// The folder of a witness: its key, and the newest checkpoint of each log.
import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { makeKey } from './formats.mjs'

/** `note`: the newest cosigned checkpoint with its log's signatures. `seconds`: when it was cosigned. */
/** @typedef {{ origin: string, url: string, keys: string[], size: number, seconds: number, note: string }} Log */

const stateFile = (number = 1) => `state-${String(number).padStart(12, '0')}.json`
const STATE = /^state-\d{12}\.json$/
const filesLike = (form = STATE) =>
  fs
    .readdirSync('.')
    .toSorted()
    .filter((file) => form.test(file))
const keyOf = ({ name, jwk }) => makeKey(name, Buffer.from(jwk.x, 'base64url'))
export const readJson = (file = '') => JSON.parse(fs.readFileSync(file, 'utf8'))
/** Writes a new file and forces it to disk. */
export const writeJson = (file = '', value = {}) =>
  fs.writeFileSync(file, JSON.stringify(value), { flag: 'wx', flush: true })

/**
 * Works in a folder, and with `isAlone` ensures that no other process does. A relative path keeps the address of the
 * lock short.
 */
export async function enterFolder(folder = '', isAlone = true) {
  process.umask(0o077)
  fs.mkdirSync(folder, { recursive: true })
  process.chdir(folder)
  if (!isAlone || (await happens(createServer((caller) => caller.destroy()).listen('lock'), 'listening'))) return
  // Only a living process replies, so a killed process leaves no lock.
  const isUsed = await happens(createConnection('lock'), 'connect')
  if (!isUsed) fs.rmSync('lock', { force: true })
  if (!isUsed && (await happens(createServer((caller) => caller.destroy()).listen('lock'), 'listening'))) return
  throw new Error('another process uses this folder')
}

/** Whether the emitter emits this event, and not an error. */
async function happens(/** @type {any} */ emitter, event = '') {
  emitter.unref()
  return (await Promise.allSettled([once(emitter, event)]))[0].status === 'fulfilled'
}

/** Creates key and state. The state is written first, because a witness with a key alone does not start. */
export function createFolder(name = '') {
  if (!/^[\x21-\x2a\x2c-\x7e]{1,200}$/.test(name)) throw new Error('a name is ASCII without spaces and plus signs')
  if (fs.existsSync('key.json')) throw new Error('this folder has a key already')
  for (const file of filesLike()) fs.rmSync(file)
  const stored = { name, jwk: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) }
  writeJson(stateFile(), { vkey: keyOf(stored).text, logs: [] })
  writeJson('key.json', stored)
  fs.fsyncSync(fs.openSync('.', 'r'))
}

/** Opens key and state. Throws when one is missing, or when they do not belong together. */
export function openFolder() {
  if (!fs.existsSync('key.json')) throw new Error('there is no key here: run init first')
  const stored = readJson('key.json')
  const [key, newest, folder] = [keyOf(stored), filesLike().at(-1), fs.openSync('.', 'r')]
  if (newest === undefined) throw new Error('the state of this key is missing: begin again with a new key and name')
  const state = readJson(newest)
  if (state.vkey !== key.text) throw new Error('this state belongs to another key')
  let number = Number.parseInt(newest.slice(6), 10)
  const logs = /** @type {Map<string, Log>} */ (new Map(state.logs))
  return { key, secret: createPrivateKey({ key: stored.jwk, format: 'jwk' }), logs, setLog }

  /**
   * Stores a log: on disk when this returns, unchanged when this throws. Each state is a new file with the next number.
   * If two processes replace the same state, one of them therefore fails. The replaced state must still be there,
   * because a process that is far behind finds old numbers free again.
   */
  function setLog(/** @type {Log} */ log) {
    for (const file of filesLike(/^draft-/)) fs.rmSync(file, { force: true })
    const draft = `draft-${randomUUID()}`
    writeJson(draft, { vkey: key.text, logs: [...new Map(logs).set(log.origin, log)] })
    try {
      fs.linkSync(draft, stateFile(number + 1))
      if (!fs.existsSync(stateFile(number))) throw new Error('another process has replaced the state')
      fs.fsyncSync(folder)
    } catch (error) {
      // Memory and disk may differ now, so this process must not sign again.
      console.error('fairwick-witness: cannot store the state:', error)
      process.exit(1)
    }
    number += 1
    logs.set(log.origin, log)
    for (const file of filesLike()) if (file < stateFile(number - 1)) fs.rmSync(file, { force: true })
  }
}
