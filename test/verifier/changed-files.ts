import type { LogBatch } from '#core/proof/log-evidence.ts'
import type { Receipt } from '#core/proof/receipt.ts'
import { makeSigner } from '#test/support/signed-order.ts'
import type { CheckFile } from './signed-orders.ts'

/** Changes that anybody can make to a file. Null: not possible for this file. `other` is the file of another order. */
export type Change = (file: CheckFile, other: CheckFile) => CheckFile | null

const stranger = makeSigner()
type Kind = 'accepted' | 'result'

function receipt(change: (receipt: Receipt, other: Receipt | null) => Partial<Receipt> | null): Change {
  return (file, other) => {
    const kind: Kind = file.result === null ? 'accepted' : 'result'
    const own = file[kind]
    const changed = own && change(own, other[kind])
    return own && changed ? { ...file, [kind]: { ...own, ...changed } } : null
  }
}

function evidence(
  change: (evidence: CheckFile['evidence'], other: CheckFile) => Partial<CheckFile['evidence']> | null | undefined,
): Change {
  return (file, other) => {
    const changed = change(file.evidence, other)
    return changed ? { ...file, evidence: { ...file.evidence, ...changed } } : null
  }
}

/** Changes the last batch in the part of the log that proves the exit (`exit_log`). */
function batch(change: (last: LogBatch) => Partial<LogBatch>): Change {
  return evidence(({ exit_log: log }) => {
    const last = log.at(-1)
    return last === undefined ? null : { exit_log: [...log.slice(0, -1), { ...last, ...change(last) }] }
  })
}

/** Replaces one character by another digit, letter or sign. */
function flipped(text: string, at: number): string {
  const sign = text[at] ?? ''
  const other = /[0-8a-e]/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) + 1) : sign === '9' ? '0' : 'a'
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`
}

/** Changes the last character of a field in the last line. `fromEnd` counts the fields from the end of the line. */
function word(fromEnd: number): Change {
  return batch(({ payload }) => {
    const lines = payload.trimEnd().split('\n')
    const words = lines.at(-1)?.split(' ') ?? []
    const value = words.at(-fromEnd) ?? ''
    const line = words.with(words.length - fromEnd, flipped(value, value.length - 1)).join(' ')
    return { payload: `${[...lines.slice(0, -1), line].join('\n')}\n` }
  })
}

function jwsPart(part: 0 | 1 | 2, at: (length: number) => number): Change {
  return receipt(({ signature }) => {
    const parts = signature.split('.')
    const text = parts[part] ?? ''
    return { signature: parts.with(part, flipped(text, at(text.length))).join('.') }
  })
}

/** Returns a change that changes one fact of the last receipt. */
function fact(name: string): Change {
  return receipt(({ facts }) => {
    const value: unknown = JSON.parse(facts)
    if (typeof value !== 'object' || value === null || !(name in value)) return null
    const changed: Record<string, unknown> = { ...value }
    const own = changed[name]
    changed[name] =
      typeof own === 'number' ? own + 1 : typeof own === 'string' ? flipped(own, 0) : own === null ? 'win' : null
    return { facts: JSON.stringify(changed) }
  })
}

const FACTS =
  'v kind trx symbol symbol_id market decimals direction payout_bp rule terms evidence max_tick_age_ms source opened_ms expires_ms entry head owner result void exit next late watermark_ms decided_ms decided_head'

export const CHANGES: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(FACTS.split(' ').map((name) => [`fact: ${name}`, fact(name)])),
  'facts: a space': receipt(({ facts }) => ({ facts: facts.replace(':', ': ') })),
  'facts: one more': receipt(({ facts }) => ({ facts: facts.replace('{', '{"more":1,') })),
  'facts: another order': receipt((own, other) => (other && own.facts !== other.facts ? { facts: other.facts } : null)),
  'path: a hash': receipt(({ path }) => {
    const [first] = path
    return first ? { path: path.with(0, { ...first, hash: flipped(first.hash, 5) }) } : null
  }),
  'path: a side': receipt(({ path }) => {
    const [first] = path
    return first ? { path: path.with(0, { ...first, side: first.side === 'left' ? 'right' : 'left' }) } : null
  }),
  'path: a step less': receipt(({ path }) => (path.length > 0 ? { path: path.slice(1) } : null)),
  'path: a step more': receipt(({ path }) => ({ path: [...path, { side: 'left', hash: 'ef'.repeat(32) }] })),
  'signature: its header': jwsPart(0, (length) => length - 3),
  'signature: its content': jwsPart(1, (length) => length - 3),
  'signature: first byte': jwsPart(2, () => 0),
  'signature: middle byte': jwsPart(2, (length) => length / 2),
  'signature: last bytes': jwsPart(2, (length) => length - 3),
  'signature: cut': receipt(({ signature }) => ({ signature: signature.slice(0, -1) })),
  'signature: a part more': receipt(({ signature }) => ({ signature: `${signature}.x` })),
  'signature: of another order': receipt((own, other) =>
    other && own.signature !== other.signature ? { signature: other.signature } : null,
  ),
  'proof: of another order': receipt((own, other) =>
    other && own.signature !== other.signature ? { path: other.path, signature: other.signature } : null,
  ),
  'owner: another stake': receipt(({ owner }) => (owner ? { owner: owner.replace('"stake":"', '"stake":"1') } : null)),
  'owner: of another order': receipt((_, other) => (other?.owner ? { owner: other.owner } : null)),
  'receipts: of two orders': (file, other) =>
    file.accepted && file.result && other.result && file.result.facts !== other.result.facts
      ? { ...file, result: other.result }
      : null,
  'receipts: exchanged': (file) =>
    file.accepted && file.result ? { ...file, accepted: file.result, result: file.accepted } : null,
  'keys: none': (file) => ({ ...file, keys: [] }),
  'keys: a stranger’s': (file) => ({ ...file, keys: [stranger.published] }),
  'keys: a stranger’s under the published id': (file) => ({
    ...file,
    keys: file.keys.map(({ kid }) => ({ ...stranger.published, kid })),
  }),
  'keys: retired before': (file) => ({ ...file, keys: file.keys.map((key) => ({ ...key, retired_ms: 2 })) }),
  'keys: in use from later on': (file) => ({ ...file, keys: file.keys.map((key) => ({ ...key, from_ms: 9e15 })) }),
  'batch: its hash': batch(({ hash }) => ({ hash: flipped(hash, 9) })),
  'batch: the hash before': batch(({ previous_hash: hash }) => ({ previous_hash: flipped(hash, 9) })),
  'batch: the first place': batch(({ first_seq: first }) => ({ first_seq: first + 1 })),
  'batch: the last place': batch(({ last_seq: last }) => ({ last_seq: last + 1 })),
  'batch: no line feed at the end': batch(({ payload }) => ({ payload: payload.trimEnd() })),
  'batch: a line twice': batch(({ payload }) => ({ payload: `${payload}${payload.trimEnd().split('\n').at(-1)}\n` })),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((at) => [`tick: word ${at} from its end`, word(at)])),
  'log: the last batch removed': evidence(({ exit_log: log }) =>
    log.length > 0 ? { exit_log: log.slice(0, -1) } : null,
  ),
  'log: a batch removed': evidence(({ exit_log: log }) => (log.length > 2 ? { exit_log: log.toSpliced(1, 1) } : null)),
  'log: a batch twice': evidence(({ exit_log: log }) => {
    const last = log.at(-1)
    return last === undefined ? null : { exit_log: [...log, last] }
  }),
  'log: two batches exchanged': evidence(({ exit_log: log }) =>
    log.length > 1 ? { exit_log: [...log.slice(0, -2), ...log.slice(-2).toReversed()] } : null,
  ),
  'log: empty': evidence(() => ({ entry_log: [] })),
  'log: without an end': evidence(({ exit_log: log }) => (log.length > 0 ? { exit_log: [] } : null)),
  'log: the piece of another order': evidence(({ entry_log: log }, other) =>
    log[0]?.hash === other.evidence.entry_log[0]?.hash ? null : { entry_log: other.evidence.entry_log },
  ),
  'log: the end of another order': evidence(({ exit_log: log }, other) =>
    log.length > 0 && other.evidence.exit_log.length > 0 && log.at(-1)?.hash !== other.evidence.exit_log.at(-1)?.hash
      ? { exit_log: other.evidence.exit_log }
      : null,
  ),
  'terms: another value': evidence(
    ({ terms }) => terms && { terms: [...terms].map((text) => text.replace(/"value":"\d/, '"value":"9')) },
  ),
  'terms: the first one removed': evidence(({ terms }) => terms && { terms: terms.slice(1) }),
  'terms: one removed': evidence(({ terms }) => terms && { terms: terms.toSpliced(3, 1) }),
  'terms: two exchanged': evidence(({ terms }) => {
    const [first, second, ...more] = terms ?? []
    return first && second ? { terms: [second, first, ...more] } : null
  }),
  'terms: none': evidence(({ terms }) => terms && { terms: [] }),
  'terms: a space': evidence(({ terms }) => terms && { terms: terms.map((text) => text.replace(':', ': ')) }),
  'sources: another class': evidence(({ sources }) =>
    sources?.length
      ? {
          sources: sources.map((text) =>
            text.replace(/"class":"(?:ids|computed)"/, '"class":"none"').replace('program', 'programme'),
          ),
        }
      : null,
  ),
  'sources: of another time': evidence(({ sources }) =>
    sources?.length ? { sources: [sources[0] ?? '', '{}'] } : null,
  ),
}
