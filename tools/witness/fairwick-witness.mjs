#!/usr/bin/env node
// A witness of append-only logs: the commands and the HTTP interface. See README.md.
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { pipeline, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readBytes, readEntries, visit } from './follow.mjs'
import { fromBase64, parseKey, parseSize, refusal } from './formats.mjs'
import { createFolder, enterFolder, openFolder } from './state.mjs'
import { createWitness, idOf, print, reportOf } from './witness.mjs'

/** @typedef {ReturnType<typeof createWitness>} Witness */
const USAGE = `usage: fairwick-witness [--dir FOLDER] init --name NAME | follow KEY URL [--origin ORIGIN] |
  serve --port PORT [--every SECONDS] [--read] [--mirror] | show`
const MIRRORED = /^\/[0-9a-f]{64}\/mirror\/(?:checkpoint|tile\/(?:\d|entries)\/(?:x\d{3}\/)*\d{3}(?:\.p\/\d{1,3})?)$/
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 }
const MAX_CONNECTIONS = 500
const MAX_PROOF_LINES = 63
const [text, flag] = /** @type {const} */ ([{ type: 'string' }, { type: 'boolean' }])
const options = { dir: text, name: text, origin: text, port: text, every: text, read: flag, mirror: flag }

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [command = '', key, url] = positionals
  const { dir = `${homedir()}/.fairwick-witness`, name, origin } = values
  if (!['init', 'follow', 'serve', 'show'].includes(command)) throw new Error(USAGE)
  await enterFolder(dir, command !== 'show')
  if (command === 'init') createFolder(name)
  if (command === 'follow') follow(key, url, origin)
  if (command === 'serve') await serve(values)
  else show()
} catch (error) {
  console.error(`fairwick-witness: ${/** @type {Error} */ (error).message}`)
  process.exitCode = 1
}

/** Adds a log, or another key or address of a log. Most logs name their key after their origin. */
function follow(vkey = '', url = '', origin = parseKey(vkey).name) {
  const { logs, setLog } = openFolder()
  if (url !== '-' && !/^https?:$/.test(new URL(url).protocol)) throw new Error('an address begins with https://')
  const log = logs.get(origin) ?? { origin, keys: [], size: 0, seconds: 0, note: '' }
  setLog({ ...log, url: url.replace(/\/+$/, ''), keys: [...new Set([...log.keys, parseKey(vkey).text])] })
}

function show() {
  const { key, logs } = openFolder()
  console.log(`verifier key: ${key.text}`)
  for (const { origin, url, size, seconds } of logs.values())
    console.log(`${origin} at ${url}: size ${size}, cosigned ${new Date(1000 * seconds).toISOString()}`)
}

async function serve({ port = '', every = '60', read = false, mirror = false }) {
  const everyMs = 1000 * Number(every)
  if (!/^\d{1,5}$/.test(port) || !(everyMs >= 100)) throw new Error('--port and --every take numbers')
  const witness = createWitness(openFolder())
  const server = createServer(TIMEOUTS, (request, response) => void answer(witness, request, response))
  server.maxConnections = MAX_CONNECTIONS
  await once(server.listen(Number(port)), 'listening')
  print(`${witness.key.text} listens on ${JSON.stringify(server.address())}`)
  // Each log has its own schedule, so that a slow log does not delay the others.
  for (const { origin, url } of witness.logs.values()) if (url !== '-') void takeTurns(origin)

  async function takeTurns(origin = '') {
    const served = { size: 0, ms: 0, lines: [], signed: '', before: { size: 0, ms: 0 } }
    for (let last = ''; ; await sleep(everyMs)) {
      let problem = await visit(witness, origin, served).then(() => '', String)
      if (read || mirror) problem = await readEntries(witness, origin, mirror, served).then(() => problem, String)
      if (problem !== last) print(`${origin}: ${problem || 'the problem is over'}`)
      last = problem
    }
  }
}

/** @param {Witness} witness */
async function answer(witness, request, response) {
  const isRequest = request.method === 'POST' && request.url === '/add-checkpoint'
  const replied = isRequest ? addCheckpoint(witness, request) : read(witness, request)
  const { status = 200, type = 'text/plain; charset=utf-8', body } = await replied.catch(refuse)
  response.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  pipeline(Readable.from(body), response, () => {})
}

/** @returns {any} */
function refuse({ status = 500, message = '', code = '' }) {
  if (status === 500 && code !== 'ECONNRESET') print(`cannot reply: ${message}`)
  return /^\d+\n$/.test(message)
    ? { status, type: 'text/x.tlog.size', body: message }
    : { status, body: `${message}\n` }
}

/** @param {Witness} witness */
async function addCheckpoint(witness, request) {
  const bytes = await readBytes(request)
  const text = bytes.toString()
  const end = text.indexOf('\n\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  const isFormed = Buffer.from(text).equals(bytes) && first.startsWith('old ') && lines.length <= MAX_PROOF_LINES
  if (!isFormed) throw refusal(400, 'malformed request')
  const proof = lines.map((line) => fromBase64(line, 32))
  return { body: witness.submit(parseSize(first.slice(4)), proof, text.slice(end + 2)) }
}

/** @param {Witness} witness */
async function read(witness, { method, url = '' }) {
  const path = method === 'GET' ? url : ''
  const logs = [...witness.logs.values()]
  const log = logs.find(({ origin, note }) => note !== '' && path === `/${idOf(origin)}/checkpoint`)
  if (log !== undefined) return { body: witness.cosigned(log) }
  if (MIRRORED.test(path) && fs.existsSync(`.${path}`))
    return { type: 'application/octet-stream', body: fs.createReadStream(`.${path}`) }
  if (path !== '/findings') throw refusal(404, 'no such address')
  const found = logs.map(({ origin, size, seconds }) => {
    const { size: read, findings } = reportOf(origin)
    return { origin, size, seconds, read, findings: Object.values(findings) }
  })
  return { type: 'application/json', body: JSON.stringify({ witness: witness.key.text, logs: found }, null, 2) }
}
