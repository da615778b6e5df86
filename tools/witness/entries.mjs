// Checks the entries of a Fairwick register against its rules. The witness reports findings, but its cosignature says
// nothing about them.
import { leafHash } from './formats.mjs'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
/** Clocks may be 5 s apart. A cache may serve a checkpoint for 5 s more. */
const [CLOCK_MS, CACHE_MS] = [5_000, 5_000]
/**
 * For each kind of entry, the field with its sequence number. The numbers in `COUNTED` have no holes; those in
 * `NUMBERS` must only grow.
 */
const COUNTED = { terms: 'n', sources: 'n', owed: 'number' }
const NUMBERS = { ...COUNTED, ticks: 'q', audit: 'seq' }
const TIMED = ['genesis', 'ticks', 'receipts', 'terms']
const KINDS = [...TIMED, 'sources', 'owed', 'audit', 'act', 'void', 'run', 'clock', 'money', 'key']
/** The facts keep the newest key and at most this many older keys. The same limit applies to notices. */
const MAX_STORED = 100

/**
 * Returns the facts before the first entry. `keys`: the keys that may sign checkpoints of the register. @returns {any}
 */
export const emptyFacts = (keys) => ({ keys, numbers: {}, previous: {}, notices: [], newestMs: 0, isCopying: true })

const escape = (letter = '') => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Reads canonical JSON: there is no other way to write the same. @param {Buffer} bytes */
function readEntry(bytes) {
  const text = bytes.toString('latin1')
  try {
    const entry = JSON.parse(text)
    const isCanonical = JSON.stringify(entry).replaceAll(/[^\x20-\x7e]/g, escape) === text && text.length <= 60_000
    if (isCanonical && entry.v === 1 && KINDS.includes(entry.kind)) return entry
  } catch {}
  return { kind: 'none' }
}

/** Checks an entry, which arrived between two instants, against the entries before it. Adds the entry to the facts. */
export function checkEntry(facts, origin = '', index = 0, /** @type {Buffer} */ bytes, seen = { low: 0, high: 0 }) {
  const entry = readEntry(bytes)
  const { kind } = entry
  const findings = /** @type {{ code: string, index: number, text: string }[]} */ ([])
  const say = (code = '', text = '') => void findings.push({ code, index, text })
  if (index === 0) {
    Object.assign(facts, { isRegister: kind === 'genesis', hasOrders: hasOrders(entry.receipts), mode: entry.mode })
    for (const one of Object.keys(NUMBERS)) facts.numbers[one] = entry[one]?.[NUMBERS[one]]
    // A register that began again continues the announcements of the register before it.
    for (const one of ['terms', 'sources']) facts.previous[one] = entry[one]?.hash
    const notices = Array.isArray(entry.terms?.notices) ? entry.terms.notices.slice(-MAX_STORED) : []
    facts.notices = notices.map((one) => ({ n: one?.n, fromMs: one?.applies_ms, value: Number(one?.value) }))
    facts.isCopying = !entry.before
  }
  const isMisplaced = index > 0 ? kind === 'genesis' : !facts.isRegister || entry.origin !== origin
  if (isMisplaced) say('genesis', 'this is not the one genesis of this log')
  if (!facts.isRegister) return findings
  if (kind === 'none') say('format', 'it is no canonical JSON of a known kind')
  if (kind in NUMBERS) checkNumber(facts, entry, say)
  facts.previous[kind] = leafHash(bytes).toString('hex')
  checkTime(facts, entry, seen, say)
  if (kind === 'terms') checkNotice(facts, entry, seen, say)
  if (kind === 'receipts') facts.hasOrders ||= hasOrders(entry)
  if (kind !== 'key' || entry.of !== 'register') return findings
  const others = facts.keys.filter((key) => key !== entry.key)
  facts.keys = entry.event === 'made' ? [...others.slice(-MAX_STORED), `${entry.key}`] : others
  if (entry.event === 'made') say('key', `the register announces a key. To accept it, follow ${entry.key}`)
  return findings
}

/** Whether some of the receipts belong to orders. Without the number `orders`, all of them do. */
const hasOrders = ({ batches = 0, orders = batches } = {}) => orders !== 0

function checkNumber({ numbers, previous }, { kind, ...entry }, say) {
  const [before, number] = [numbers[kind] ?? 0, entry[NUMBERS[kind]]]
  const isNext = kind in COUNTED ? number === before + 1 : number > before
  if (!Number.isSafeInteger(number) || !isNext) say('number', `${kind} ${number} follows ${before}`)
  if (Number.isSafeInteger(number)) numbers[kind] = number
  if ('previous' in entry && before > 0 && entry.previous !== previous[kind])
    say('number', `${kind} ${number} does not name the entry before it`)
}

function checkTime(facts, { kind, ...entry }, { low, high }, say) {
  const name = kind === 'terms' ? 'announced_ms' : 'at_ms'
  const ms = entry[name]
  if (ms === undefined && !TIMED.includes(kind)) return
  if (!Number.isSafeInteger(ms)) return say('format', `${name} is no time`)
  if (entry.before === true && facts.isCopying) return
  // Announcements wait for the end of the minute. All other entries are made when the minute ends.
  const waitMs = kind === 'key' || kind === 'terms' ? MINUTE_MS : 0
  const earlyMs = Math.max(low - CACHE_MS, facts.newestMs) - CLOCK_MS - waitMs - ms
  if (earlyMs > 0) say('time', `${name} is ${earlyMs} ms too early`)
  if (ms > high + CLOCK_MS) say('time', `${name} is ${ms - high} ms ahead of the clock here`)
  if (waitMs === 0) facts.newestMs = Math.max(facts.newestMs, ms)
}

function checkNotice(facts, entry, { low }, say) {
  const { n, what, of, value, announced_ms: announced, applies_ms: applies } = entry
  const [hourMs, dayMs] = facts.mode === 'demo' ? [MINUTE_MS, MINUTE_MS] : [HOUR_MS, DAY_MS]
  let inForce = { n: 0, value: hourMs }
  for (const one of facts.notices) if (one.fromMs <= announced && one.n > inForce.n) inForce = one
  const isLonger = what === 'notice' && value >= inForce.value
  const isRelief = /^(?:duration withdrawn|symbol closing|cap .*|sale .*\boff\b.*)$/.test(`${what} ${value}`)
  const needed = { rule: Math.max(dayMs, inForce.value), sale: dayMs, sale_pause: hourMs }[what] ?? inForce.value
  const missing = announced + (isRelief || isLonger ? 0 : needed) - applies
  facts.isCopying &&= entry.before === true
  // The first terms need no notice while there are no orders. Copied terms were announced before the register began.
  const isFree = facts.isCopying || !facts.hasOrders
  if (!(applies <= announced + 90 * DAY_MS)) say('notice', `${what} of ${of} applies at no time within 90 days`)
  if (!isFree && !(missing <= 0)) say('notice', `${what} of ${of} applies ${missing} ms too early`)
  if (!isFree && applies < low - CACHE_MS - CLOCK_MS) say('notice', `${what} of ${of} applied before it was published`)
  if (what !== 'notice') return
  if (!(value >= hourMs && value <= 30 * DAY_MS)) say('notice', `a notice of ${value} ms is outside the limits`)
  facts.notices = [...facts.notices.slice(-MAX_STORED), { n, fromMs: applies, value: Number(value) }]
}
