import { isWithoutHistory } from '#core/orders/order.ts'
import type { ResultFacts, TickFacts } from '#core/proof/receipt-facts.ts'
import { placeOf, refOf, rewriteLog, withWord, wordOf } from './rewrite-log.ts'
import type { RandomOrder } from './random-order.ts'
import { entryHashOf } from './published-texts.ts'

/**
 * Lies that an operator signs with the published key: facts, or a whole log that was never written. Null: not possible
 * for this order.
 */
export type Lie = (order: RandomOrder) => RandomOrder | null

/** The indexes of fields in a line of the log, counted from the field with the line's position in the log. */
export const [PRICE, TIME, RECEIVED, SOURCE, REF] = [2, 4, 5, 6, 7] as const

/** Changes facts that both receipts have. */
function facts(change: (facts: ResultFacts, order: RandomOrder) => Partial<ResultFacts> | null): Lie {
  return (order) => {
    const changed = change(order.result, order)
    if (changed === null) return null
    const shared = Object.entries(changed).filter(([key]) => key in order.accepted)
    return {
      ...order,
      accepted: { ...order.accepted, ...Object.fromEntries(shared) },
      result: { ...order.result, ...changed },
    }
  }
}

/** Changes facts of version 2. */
function facts2(change: (facts: ResultFacts, order: RandomOrder) => Partial<ResultFacts> | null): Lie {
  return facts((found, order) => (found.v === 2 ? change(found, order) : null))
}

/** Changes facts of orders that are decided by the trade numbers of their source (evidence class `ids`). */
function numbered(change: (facts: ResultFacts, order: RandomOrder) => Partial<ResultFacts> | null): Lie {
  return facts2((found, order) => (found.evidence === 'ids' ? change(found, order) : null))
}

/** Changes the lines of the log. Null when nothing changed. */
function log(
  isFor: (facts: ResultFacts) => boolean,
  edit: (line: string, facts: ResultFacts) => readonly string[],
): Lie {
  return (order) => {
    if (!isFor(order.result)) return null
    let isChanged = false
    const rewritten = rewriteLog(order, (lines) =>
      lines.flatMap((line) => {
        const edited = edit(line, order.result)
        if (edited.length !== 1 || edited[0] !== line) isChanged = true
        return edited
      }),
    )
    return isChanged ? rewritten : null
  }
}

const hasExit = ({ exit }: ResultFacts): boolean => exit !== null
const isLateExit = ({ exit, late, evidence }: ResultFacts): boolean =>
  exit !== null && late === true && evidence === 'ids'
const isNumbered = ({ evidence, exit }: ResultFacts): boolean => evidence === 'ids' && exit !== null
const isAt = (line: string, tick: TickFacts | null): boolean => tick !== null && placeOf(line) === tick.q
const isOwn = (line: string, { symbol_id: id }: ResultFacts): boolean => wordOf(line, 1) === String(id)

/** Returns the lines of the log that concern the order's symbol. */
function ownLines(order: RandomOrder): string[] {
  return order.log.flatMap(({ payload }) => payload.trimEnd().split('\n')).filter((line) => isOwn(line, order.result))
}

function tickOf(line: string, { v }: ResultFacts): TickFacts {
  const [q, price, time] = [0, PRICE, TIME].map((at) => Number(wordOf(line, at)))
  return { q: q ?? 0, price: price ?? 0, time_ms: time ?? 0, ...(v === 2 && { ref: refOf(line) }) }
}

/** Whether the number of a left-out line is between exit and next. */
function isBetween(line: string, { exit, next }: ResultFacts): boolean {
  const [kind, , , from] = line.split(' ')
  return kind === 'x' && Number(from) > (exit?.ref ?? Infinity) && Number(from) < (next?.ref ?? 0)
}

export const LIES: Readonly<Record<string, Lie>> = {
  'entry: a better price': facts(({ entry }) => ({ entry: { ...entry, price: entry.price + 1 } })),
  'entry: another time': facts(({ entry }) => ({ entry: { ...entry, time_ms: entry.time_ms + 1 } })),
  'entry: another number': facts2(({ entry }) => ({ entry: { ...entry, ref: (entry.ref ?? 0) + 1 } })),
  'entry: the tick before': facts((found, order) => {
    const before = ownLines(order).findLast((line) => (placeOf(line) ?? found.entry.q) < found.entry.q)
    return before === undefined ? null : { entry: tickOf(before, found) }
  }),
  'exit: a better price': facts(({ exit }) => exit && { exit: { ...exit, price: exit.price + 1 } }),
  'exit: the tick before': facts((found, order) => {
    const before = ownLines(order).findLast((line) => (placeOf(line) ?? Infinity) < (found.exit?.q ?? 0))
    return before === undefined ? null : { exit: tickOf(before, found) }
  }),
  'exit: the next trade': facts(({ exit, next }) => (exit && next ? { exit: next } : null)),
  'exit and next exchanged': facts(({ exit, next }) => (exit && next ? { exit: next, next: exit } : null)),
  'exit: none': facts(({ exit }) => exit && { exit: null }),
  'exit: another number': numbered(({ exit }) => exit && { exit: { ...exit, ref: (exit.ref ?? 0) + 1 } }),
  'exit: no number': numbered(({ exit }) => exit && { exit: { ...exit, ref: null } }),
  'next: hidden': numbered(({ next }) => next && { next: null }),
  'next: another price': facts(({ next }) => next && { next: { ...next, price: next.price + 1 } }),
  'next: the exit': facts(({ exit, next }) => (exit && next ? { next: exit } : null)),
  'next: invented': numbered(({ exit, next }) => (exit && !next ? { next: { ...exit, q: exit.q + 1 } } : null)),
  'result: turned': facts(({ result }) => ({ result: result === 'win' ? 'lose' : 'win' })),
  'direction: turned': facts(({ direction, result }) =>
    result === 'draw' ? null : { direction: direction === 'buy' ? 'sell' : 'buy' },
  ),
  'void: the history withheld': numbered(
    ({ exit, next, expires_ms: expiresMs }) =>
      exit &&
      next && {
        exit: null,
        next: null,
        late: false,
        void: 'history_unavailable',
        result: 'draw',
        decided_ms: expiresMs + 90_000_000,
      },
  ),
  'void: the history contradicted': numbered(
    ({ exit, next, expires_ms: expiresMs }) =>
      exit &&
      next && {
        exit: null,
        next: null,
        late: false,
        void: 'history_contradicts',
        result: 'draw',
        decided_ms: expiresMs + 90_000_000,
      },
  ),
  'void: too early for a history': numbered((found) =>
    found.void === 'history_unavailable' ? { decided_ms: found.expires_ms + 59_999 } : null,
  ),
  'void: a minute after the expiry of a live site': numbered((found, { terms }) =>
    isWithoutHistory(found.void) && terms.some((text) => text.includes('"notice","of":"all","value":"3600000"'))
      ? { decided_ms: found.expires_ms + 86_399_999 }
      : null,
  ),
  'void: with an exit': numbered((found) => (found.void?.startsWith('history') ? { exit: found.entry } : null)),
  'void: late without evidence': numbered((found) => (found.void?.startsWith('history') ? { late: true } : null)),
  'void: no price came': facts(({ exit }) => exit && { exit: null, void: 'no_price_after_expiry', result: 'draw' }),
  'void: no tick was young': facts(({ exit }) => exit && { exit: null, void: 'no_tick_before_expiry', result: 'draw' }),
  'void: no trade was young': facts2(
    ({ exit }) => exit && { exit: null, void: 'no_trade_before_expiry', result: 'draw' },
  ),
  'void: beside an exit': facts(({ exit, v, evidence }) =>
    exit === null ? null : { void: v === 2 && evidence === 'ids' ? 'no_trade_before_expiry' : 'no_price_after_expiry' },
  ),
  'void: beside computed evidence': facts2(({ exit, evidence, late }) =>
    exit !== null && evidence === 'computed' && late === true ? { void: 'no_price_after_expiry' } : null,
  ),
  'void: hidden': facts((found, order) => {
    const last = ownLines(order).findLast((line) => (placeOf(line) ?? Infinity) <= found.decided_head.q)
    return found.void === null || last === undefined ? null : { void: null, exit: tickOf(last, found) }
  }),
  'void: another reason': facts(({ void: reason }) =>
    reason === null
      ? null
      : { void: reason === 'no_price_after_expiry' ? 'no_tick_before_expiry' : 'no_price_after_expiry' },
  ),
  'late: turned': facts2(({ late }) => ({ late: late !== true })),
  'payout: one more': facts2(({ payout_bp: payout }) => ({ payout_bp: payout + 1 })),
  'terms: the number before': facts2(({ terms }, { terms: texts }) => {
    const n = (terms?.n ?? 1) - 1
    return n < 1 ? null : { terms: { n, hash: entryHashOf(texts[n - 1] ?? '') } }
  }),
  'terms: another hash': facts2(({ terms }) => (terms ? { terms: { ...terms, hash: 'ab'.repeat(32) } } : null)),
  'terms: a number to come': facts2(({ terms }) => (terms ? { terms: { ...terms, n: 10_000 } } : null)),
  'terms: another duration': facts2(({ expires_ms: at, decided_ms: decided }) =>
    decided > at + 1_000 ? { expires_ms: at + 1_000 } : null,
  ),
  'terms: a duration of a part of a second': facts2(({ opened_ms: at }) => ({ opened_ms: at - 1 })),
  'age: longer': facts2(({ max_tick_age_ms: age }) => ({ max_tick_age_ms: age + 1_000 })),
  'age: in the result alone': (order) =>
    order.result.v === 1 ? null : { ...order, result: { ...order.result, max_tick_age_ms: 30_000 } },
  'class: another one': facts2(({ evidence }) => ({ evidence: evidence === 'none' ? 'ids' : 'none' })),
  'source: another one': facts2(() => ({ source: 'second' })),
  'symbol: another number': facts(() => ({ symbol_id: 2 })),
  'symbol: another name': facts2(() => ({ symbol: 'ETH' })),
  'rule: the other one': facts(({ rule }) => ({ rule: 3 - rule })),
  'times: opened after the expiry': facts(({ expires_ms: at }) => ({ opened_ms: at })),
  'times: decided before the expiry': facts(({ expires_ms: at }) => ({ decided_ms: at - 1 })),
  'times: a watermark ahead of the decision': facts(({ decided_ms: at }) => ({ watermark_ms: at + 5_001 })),
  'clock: opened later': facts(({ opened_ms: at, exit, max_tick_age_ms: age }) =>
    exit === null && age >= 15_000 ? { opened_ms: at + 9_000 } : null,
  ),
  'clock: opened earlier': facts(({ opened_ms: at }) => ({ opened_ms: at - 20_000 })),
  'head: another hash': facts(({ head }) => ({ head: { ...head, hash: 'cd'.repeat(32) } })),
  'head: another place': facts(({ head }) => ({ head: { ...head, q: head.q + 1 } })),
  'decided head: another hash': facts(({ decided_head: head }) => ({
    decided_head: { ...head, hash: 'cd'.repeat(32) },
  })),
  'decided head: the head of the opening': facts(({ head, exit }) =>
    exit !== null && exit.q > head.q ? { decided_head: head } : null,
  ),

  'log: the exit removed': log(hasExit, (line, found) => (isAt(line, found.exit) ? [] : [line])),
  'log: late evidence removed': log(isLateExit, (line, found) =>
    line.startsWith('e') && (isAt(line, found.exit) || isAt(line, found.next)) ? [] : [line],
  ),
  'log: another price of late evidence before it': log(isLateExit, (line, found) =>
    line.startsWith('e') && (isAt(line, found.exit) || isAt(line, found.next))
      ? [withWord(withWord(line, PRICE, Number(wordOf(line, PRICE)) + 7), 0, 0), line]
      : [line],
  ),
  'log: late evidence as a price': log(isLateExit, (line, found) =>
    isAt(line, found.exit) && line.startsWith('e') ? [line.replace('e', 't')] : [line],
  ),
  'log: the exit by another source': log(isNumbered, (line, found) =>
    isAt(line, found.exit) ? [withWord(line, SOURCE, 'second')] : [line],
  ),
  'log: the entry by another source': log(
    ({ v }) => v === 2,
    (line, found) => (isAt(line, found.entry) ? [withWord(line, SOURCE, 'second')] : [line]),
  ),
  'log: the exit with another number': log(isNumbered, (line, found) =>
    isAt(line, found.exit) ? [withWord(line, REF, (found.exit?.ref ?? 0) + 1)] : [line],
  ),
  'log: the exit without a number': log(isNumbered, (line, found) =>
    isAt(line, found.exit) ? [withWord(line, REF, '-')] : [line],
  ),
  'log: a left-out trade forgotten': log(isNumbered, (line, found) =>
    isBetween(line, found) && !/doubt|lost/.test(line) ? [] : [line],
  ),
  'log: a left-out trade lost': log(isNumbered, (line, found) =>
    isBetween(line, found) ? [line.replace(/\w+$/, 'lost')] : [line],
  ),
  'log: a left-out trade of another source': log(isNumbered, (line, found) =>
    isBetween(line, found) && !/doubt|lost/.test(line) ? [line.replace(found.source ?? '', 'second')] : [line],
  ),
  'log: numbers left out backwards': log(isNumbered, (line, found) =>
    isAt(line, found.exit) ? ['x 1 binance 6 5 spike', line] : [line],
  ),
  'log: a reason that is unknown': log(isNumbered, (line, found) =>
    isAt(line, found.exit) ? ['x 1 binance 6 6 hidden', line] : [line],
  ),
  'log: another exit price': log(hasExit, (line, found) =>
    isAt(line, found.exit) ? [withWord(line, PRICE, Number(wordOf(line, PRICE)) + 1)] : [line],
  ),
  'log: a later tick in time': log(
    ({ exit, late, evidence }) => exit !== null && late !== true && evidence !== 'ids',
    (line, found) =>
      isAt(line, found.exit) ? [line, withWord(withWord(line, PRICE, 1), TIME, found.expires_ms)] : [line],
  ),
  'log: a price of zero': log(hasExit, (line, found) => (isAt(line, found.exit) ? [withWord(line, PRICE, 0)] : [line])),
  'log: a time that runs backwards': log(
    () => true,
    (line, found) => (isAt(line, found.entry) ? [line, withWord(line, TIME, found.entry.time_ms - 1)] : [line]),
  ),
  'log: received a minute too late': log(
    () => true,
    (line, found) => (isAt(line, found.entry) ? [withWord(line, RECEIVED, found.entry.time_ms + 60_001)] : [line]),
  ),
  'log: received long before its time': log(
    () => true,
    (line, found) => (isAt(line, found.entry) ? [withWord(line, RECEIVED, found.entry.time_ms - 5_001)] : [line]),
  ),
  'log: an entry that came too late': log(
    () => true,
    (line, found) => (isAt(line, found.entry) ? [withWord(line, RECEIVED, found.entry.time_ms + 5_001)] : [line]),
  ),
  'log: zeros before a number': log(
    () => true,
    (line, found) => (isAt(line, found.entry) ? [withWord(line, PRICE, `0${wordOf(line, PRICE)}`)] : [line]),
  ),
  'log: a number above 2^53': log(
    () => true,
    (line, found) => (isAt(line, found.entry) ? [withWord(line, 3, '9007199254740992')] : [line]),
  ),
  'log: two spaces': log(
    () => true,
    (line, found) => (isAt(line, found.entry) ? [line.replace(/ (?=\S+$)/, '  ')] : [line]),
  ),
  'log: a header of another kind': log(
    ({ evidence }) => evidence === 'ids',
    (line) => [line.replace(/^2 live/, '2 lief')],
  ),
  'log: other sources named': log(
    ({ v, evidence }) => v === 2 && evidence !== 'none',
    (line) => [line.replace(/^2 live \w+/, `2 live ${'d'.repeat(64)}`)],
  ),
  'log: a late batch without an incident': log(isLateExit, (line) => [line.replace(/^(2 late \w+) .*/, '$1')]),
  'log: a use of a source in late evidence': log(isLateExit, (line) =>
    line.startsWith('2 late') ? [line, 'u 1 binance start'] : [line],
  ),
}
