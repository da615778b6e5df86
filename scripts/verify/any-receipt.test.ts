import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { BUNDLE_FORMAT, readBundleFile } from '#core/proof/bundle-file.ts'
import type { BundleFault } from '#core/proof/check-bundle.ts'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'
import { noiseBits, noiseKey } from '#server/market-data/feeds/synthetic/noise.ts'
import { runDocumentedProgram } from '#test/verifier/documented-program.ts'
import { type Mutation, mutations } from './mutations.ts'
import { anyPlan, simulate, type Simulated, type SimulatedOrder } from './simulated-orders.ts'
import { arePlansFixed, runs } from '#test/support/random-plans.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { checkFile, checkOrder, type OrderCheck } from '#web/receipts/check-order.ts'
import { checkReceiptFile } from './check-receipt-file.ts'
import { COULD_NOT_CHECK, DIFFERS, faultText, MATCHES } from './check-verdict.ts'

/**
 * The number of simulated markets. With several markets, the test tries every change to an order of each kind. With one
 * market, it tries one random change at each place in the check files of two orders.
 */
const RUNS = runs(1)
const IS_DEEP = RUNS > 1
const PATIENCE_MS = IS_DEEP ? 3_600_000 : 1_800_000

const database = useTestDatabase({ emptied: 'once' })
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-any-receipt-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})
afterEach(() => vi.unstubAllGlobals())

/** A check file before its conversion to text. */
interface CheckFile {
  readonly format: unknown
  readonly version: unknown
  readonly accepted: unknown
  readonly result: unknown
  readonly amended?: unknown
  readonly sale?: unknown
  readonly evidence: unknown
  readonly keys: unknown
}

interface Verdict {
  readonly says: 'matches' | 'differs' | 'unknown'
  /** The verdict on the order when it matches: `win`, … or `accepted`. */
  readonly result?: string
  readonly faults?: readonly string[]
  readonly order?: OrderCheck
}

const UNKNOWN: Verdict = { says: 'unknown' }

function verdictOf(order: OrderCheck): Verdict {
  const { facts, faults } = order.check
  if (faults.length > 0) return { says: 'differs', faults, order }
  return { says: 'matches', result: facts?.kind === 'result' ? facts.result : 'accepted' }
}

/** Runs the check page at `/check/{trx}`. The server of the page replies with the content of this file. */
async function byPage(trx: string, { accepted, result, amended, sale, evidence, keys }: CheckFile): Promise<Verdict> {
  answer({ receipts: { accepted, result, amended, sale }, evidence, keys: { keys } })
  return verdictOf(await checkOrder(trx))
}

/**
 * Runs the check page with a dropped file. `published`: the keys that the server returns, or null when it is
 * unreachable.
 */
async function byDrop(text: string, published: unknown): Promise<Verdict> {
  answer(published === null ? {} : { keys: { keys: published } })
  const content = readBundleFile(text)
  return typeof content === 'string' ? UNKNOWN : verdictOf(await checkFile(content))
}

/** Stubs the page's network. */
function answer(answers: Readonly<Record<string, unknown>>): void {
  vi.stubGlobal('fetch', (address: string) => {
    const call = address.split('/')[3] ?? ''
    if (!(call in answers)) return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(Response.json({ data: answers[call] }))
  })
}

async function byCommand(text: string, more: readonly string[] = []): Promise<Verdict> {
  const file = join(folder, 'check.json')
  writeFileSync(file, text)
  const { exitCode, lines } = await checkReceiptFile([file, ...more])
  if (exitCode === COULD_NOT_CHECK) return UNKNOWN
  if (exitCode === DIFFERS) return { says: 'differs', faults: lines }
  expect(exitCode).toBe(MATCHES)
  const resultWord = lines.map((line) => /Recomputed here: (\w+)/.exec(line)?.[1]).find((word) => word !== undefined)
  return { says: 'matches', result: resultWord ?? 'accepted' }
}

/** Checks the files with the program that the documentation prints for independent checks. */
function byProgram(texts: readonly string[]): Verdict[] {
  return runDocumentedProgram(
    'receipts',
    texts.map((file) => ({ file })),
  ).map(({ exitCode, text }) => {
    expect([0, 1, 2], text).toContain(exitCode)
    if (exitCode === 0) return { says: 'matches', result: text.split(' ').at(-1) ?? '' }
    return exitCode === 1 ? { says: 'differs', faults: [text.replace('does not match: ', '')] } : UNKNOWN
  })
}

interface Published {
  readonly keys: unknown
  readonly heads: unknown
  /**
   * Options of the command: `log` names the exported days of the tick log, `published` names what the site has
   * published.
   */
  readonly log: readonly string[]
  readonly published: readonly string[]
}

function publish({ keys, heads, days }: Simulated): Published {
  const log = join(folder, 'log')
  rmSync(log, { recursive: true, force: true })
  mkdirSync(log)
  for (const [name, text] of days) writeFileSync(join(log, name), text)
  const keep = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  const published = ['--keys', keep('keys.json', keys), '--heads', keep('heads.json', heads)]
  return { keys: (keys as { data: { keys: unknown } }).data.keys, heads, log: ['--log', log], published }
}

function fileOf({ receipts, evidence }: SimulatedOrder, { keys }: Published): CheckFile {
  return { format: BUNDLE_FORMAT, version: 2, ...receipts, evidence, keys }
}

const read = (receipt: unknown): ResultFacts => JSON.parse((receipt as { facts: string }).facts) as ResultFacts
const factsOf = ({ result }: CheckFile): ResultFacts | null => (result === null ? null : read(result))
const kindOf = (file: CheckFile): string => {
  const facts = factsOf(file)
  return facts === null ? 'running' : (facts.void ?? 'price')
}

describe('any order on any simulated market', () => {
  it(
    'passes the check by page, command and documented program, and fails it after any change',
    async () => {
      const kinds = new Set<string>()
      await fc.assert(
        fc.asyncProperty(anyPlan, fc.nat(), async (plan, seed) => {
          await database.truncateAll()
          const simulated = await simulate(database, plan)
          const published = publish(simulated)
          await checkAll(simulated, published)
          const draw = drawer(seed)
          const byKind = new Map(
            shuffled(simulated.orders, draw).map((order) => [kindOf(fileOf(order, published)), order]),
          )
          for (const kind of byKind.keys()) kinds.add(kind)
          const chosen = shuffled([...byKind.values()], draw).slice(0, IS_DEEP ? Infinity : 2)
          for (const order of chosen) await changeAll(order, published, draw)
          await exchange(chosen, published)
          await changeLog(simulated, published, draw)
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
      if (!arePlansFixed()) return
      expect([...kinds].toSorted()).toEqual(['no_price_after_expiry', 'no_tick_before_expiry', 'price', 'running'])
    },
    PATIENCE_MS,
  )
})

async function checkAll({ orders }: Simulated, published: Published): Promise<void> {
  const files = orders.map((order) => fileOf(order, published))
  const programVerdicts = byProgram(files.map((file) => JSON.stringify(file)))
  for (const [at, file] of files.entries()) {
    const text = JSON.stringify(file)
    const expected: Verdict = { says: 'matches', result: factsOf(file)?.result ?? 'accepted' }
    expect(await byPage(orders[at]?.trx ?? '', file)).toEqual(expected)
    expect(await byDrop(text, published.keys)).toEqual(expected)
    expect(await byCommand(text)).toEqual(expected)
    expect(await byCommand(text, [...published.log, ...published.published])).toEqual(expected)
    expect(programVerdicts[at]).toEqual(expected)
    for (const receipt of [file.accepted, file.result]) {
      if (receipt === null) continue
      const alone = await byCommand(JSON.stringify(receipt), [...published.log, ...published.published])
      expect(alone.says).toBe('matches')
    }
  }
}

async function changeAll(order: SimulatedOrder, published: Published, draw: Draw): Promise<void> {
  const file = fileOf(order, published)
  const same = JSON.stringify(file)
  const changes = sample(mutations(file), draw).filter(({ value }) => JSON.stringify(value) !== same)
  const cuts = Array.from({ length: 5 }, () => same.slice(0, draw(same.length)))
  const programVerdicts = byProgram([...changes.map(({ value }) => JSON.stringify(value)), ...cuts])
  for (const [at, change] of changes.entries()) {
    const about = `${change.path.join('.')} ${change.what}`
    const text = JSON.stringify(change.value)
    const [command, program] = [await byCommand(text), programVerdicts[at] ?? UNKNOWN]
    const dropped = await byDrop(text, published.keys)
    const isOfKeys = change.path[0] === 'keys'
    if (isOfKeys) {
      // An online page ignores the keys in a file. An offline page has to use them.
      expect(dropped.says, about).not.toBe('differs')
      expect((await byDrop(text, null)).says, about).toBe(command.says)
    } else expect(dropped.says, about).toBe(command.says)
    expect(program.says, about).toBe(command.says)
    if (areNewestTermsChanged(change, file)) continue
    const verdicts = [command, program]
    // The page gets the parts of the file as replies of the server, which have no `format` and no `version`. So it
    // cannot see a change of these fields.
    const part = String(change.path[0] ?? change.what.split(' ')[0])
    if (part !== 'format' && part !== 'version')
      verdicts.push(await byPage(order.trx, Object(change.value) as CheckFile))
    if (at % 4 === 0) verdicts.push(await byCommand(text, published.log))
    const allowed = whatIsLeft(change, file)
    for (const verdict of verdicts) {
      if (verdict.says === 'matches') expect(allowed, about).toContain(verdict.result)
      // A missing or differently written part may make the file malformed.
      else if (verdict.says === 'differs' && !verdict.faults?.includes('form')) expect(allowed, about).toEqual([])
    }
    expectSameWords(dropped, command, program, isOfKeys, about)
  }
  for (const [at, cut] of cuts.entries()) {
    const verdicts = [await byDrop(cut, published.keys), await byCommand(cut), programVerdicts[changes.length + at]]
    expect(verdicts).toEqual([UNKNOWN, UNKNOWN, UNKNOWN])
  }
}

/**
 * Combines both receipts of one order with the pieces of the tick log of another order, and tries similar exchanges.
 */
async function exchange(orders: readonly SimulatedOrder[], published: Published): Promise<void> {
  for (const order of orders) {
    for (const other of orders) {
      const [own, strange] = [fileOf(order, published), fileOf(other, published)]
      if (order === other || own.result === null || strange.result === null) continue
      const [ownEnd, strangeEnd] = [factsOf(own)?.decided_head.q, factsOf(strange)?.decided_head.q]
      const mixed: readonly (readonly [CheckFile, BundleFault])[] = [
        [{ ...own, accepted: strange.accepted }, 'terms'],
        [{ ...own, result: strange.result }, 'terms'],
        [{ ...own, result: own.accepted, accepted: own.result }, 'terms'],
        ...(ownEnd === strangeEnd ? [] : ([[{ ...own, evidence: strange.evidence }, 'head']] as const)),
      ]
      const programVerdicts = byProgram(mixed.map(([file]) => JSON.stringify(file)))
      for (const [at, [file, fault]] of mixed.entries()) {
        const text = JSON.stringify(file)
        expect((await byPage(order.trx, file)).faults).toContain(fault)
        expect((await byDrop(text, published.keys)).faults).toContain(fault)
        expect((await byCommand(text)).faults).toContain(faultText(fault, null))
        expect(programVerdicts[at]?.says).toBe('differs')
      }
      // All parts are valid, but they belong to another order than requested.
      expect((await byPage(order.trx, strange)).faults).toEqual(['terms'])
    }
  }
}

/**
 * Changes the exported days of the tick log, or the published heads (the last hash of each day), while the check file
 * stays unchanged.
 */
async function changeLog({ orders, days }: Simulated, published: Published, draw: Draw): Promise<void> {
  const text = JSON.stringify(fileOf(orders[0] as SimulatedOrder, published))
  const [directory = ''] = published.log.slice(1)
  for (const [name, day] of days) {
    const lines = day.split('\r\n')
    const at = draw(lines.length - 1)
    const some = lines.slice(at, at + 3).map((line) => line.split(','))
    for (const { value, what, path } of sample(mutations(some), draw)) {
      if (!Array.isArray(value)) continue
      const changed = value.map((cells: unknown) => (Array.isArray(cells) ? cells.join(',') : ''))
      const whole = lines.toSpliced(at, some.length, ...changed).join('\r\n')
      if (whole === day) continue
      writeFileSync(join(directory, name), whole)
      const about = `${name} ${at} ${path.join('.')} ${what}`
      expect((await byCommand(text, [...published.log, ...published.published])).says, about).not.toBe('matches')
    }
    writeFileSync(join(directory, name), day)
  }
  const { data } = published.heads as { data: { days: readonly unknown[] } }
  for (const { value, what, path } of sample(mutations(data.days), draw)) {
    // Heads in another order, repeated heads and unknown fields do not change the verdict.
    if (['moved', 'doubled', 'added'].includes(what)) continue
    // `is_kept` says whether the file of a day is still available. This field is not part of the tick log, so a change
    // of the field is harmless.
    if (path.at(-1) === 'is_kept' || what.startsWith('is_kept ')) continue
    const file = join(folder, 'changed-heads.json')
    writeFileSync(file, JSON.stringify({ data: { days: value } }))
    const { says } = await byCommand(text, [...published.log, '--heads', file])
    expect(says, `heads ${path.join('.')} ${what}`).not.toBe('matches')
  }
}

/**
 * Whether only the newest trade terms are missing or changed. No later entry names the hash of these terms, and an
 * older order does not depend on them.
 */
function areNewestTermsChanged({ value }: Mutation, file: CheckFile): boolean {
  const termsOf = (one: unknown): unknown => Object(Object(one).evidence).terms
  const [before, after] = [termsOf(file), termsOf(value)]
  if (!Array.isArray(before) || !Array.isArray(after) || after.length > before.length) return false
  const count = Math.min(after.length, before.length - 1)
  const isChanged = JSON.stringify(before) !== JSON.stringify(after)
  return isChanged && JSON.stringify(before.slice(0, count)) === JSON.stringify(after.slice(0, count))
}

/**
 * Returns the verdicts that are allowed after a change. Empty when the change must be detected. The following changes
 * are harmless by design:
 */
function whatIsLeft(change: Mutation, file: CheckFile): string[] {
  const facts = factsOf(file)
  const own = facts?.result ?? 'accepted'
  const { path, what } = change
  const [part, inside] = path
  const changed = (name: string) => inside === name || (path.length === 1 && what.startsWith(`${name} `))
  // An added field is unknown to the check, which ignores it.
  if (what === 'added' && isRecord(valueAt(file, path))) return [own]
  // Few orders have an amended result or a sale, so a file may omit an empty `amended` or `sale`.
  const [name = ''] = what.split(' ')
  if (path.length === 0 && /^(?:amended|sale) (?:removed|renamed)$/.test(what) && Object(file)[name] === null)
    return [own]
  // Half of the file is missing, and the verdict says so.
  if (path.length === 1 && part === 'result' && what === 'null') return ['accepted']
  if (path.length === 1 && part === 'accepted' && what === 'null' && facts !== null) return [own]
  // The public form of a receipt has no `owner`.
  if ((part === 'accepted' || part === 'result') && path.length === 1 && /^owner (?:removed|renamed)$/.test(what))
    return [own]
  if (part === 'evidence') {
    // `line` and `next` are for drawing only, so no verdict depends on them.
    if (changed('line') || changed('next')) return [own]
    // Without a result (the order is open), no checker reads `exit_log`, the piece of the tick log about the end of the
    // order.
    if (changed('exit_log') && facts === null) return [own]
    if (what === 'first removed' && path.length === 2 && isStillEnough(file, String(inside))) return [own]
  }
  // The changed list still has the key itself, unchanged and in use at the time.
  if (part === 'keys' && isKeyAsGood(file, Object(change.value) as CheckFile)) return [own]
  return []
}

interface Batch {
  readonly first_seq: number
  readonly payload: string
}

/**
 * Whether the piece of the tick log in the file, which showed more batches than required, is still sufficient without
 * its first batch.
 */
function isStillEnough(file: CheckFile, name: string): boolean {
  const [, first] = (file.evidence as Record<string, readonly Batch[]>)[name] ?? []
  if (first === undefined) return false
  if (name === 'entry_log') return first.first_seq <= read(file.accepted).entry.q
  const facts = factsOf(file)
  if (facts === null) return false
  if (facts.exit !== null) return first.first_seq <= facts.exit.q
  return (
    Number(/^t \S+ \S+ \S+ \S+ \S+ (\d+)/m.exec(first.payload)?.[1]) < facts.expires_ms - facts.max_tick_age_ms - 5_000
  )
}

interface Key {
  readonly kid: unknown
  readonly x: unknown
  readonly kty?: unknown
  readonly crv?: unknown
  readonly from_ms: number
  readonly retired_ms: number | null
}

function isKeyAsGood(before: CheckFile, after: CheckFile): boolean {
  const keys = Array.isArray(after.keys) ? (after.keys as readonly Key[]) : []
  return [before.accepted, before.result].every((receipt) => {
    if (receipt === null) return true
    const [header, content] = (receipt as { signature: string }).signature.split('.').map(fromBase64Url)
    const { kid } = JSON.parse(header ?? '') as Key
    const { made_ms: signedMs } = JSON.parse(content ?? '') as { made_ms: number }
    const [was, is] = [before.keys as readonly Key[], keys].map((some) => some.find((key) => key?.kid === kid))
    if (is === undefined || is.x !== was?.x) return false
    const { kty = 'OKP', crv = 'Ed25519', from_ms, retired_ms } = is
    return kty === 'OKP' && crv === 'Ed25519' && from_ms <= signedMs && (retired_ms === null || signedMs < retired_ms)
  })
}

function fromBase64Url(text: string): string {
  return Buffer.from(text, 'base64url').toString()
}

/**
 * Expects page and command to agree. The program stops at its first fault, which must be one that page and command
 * report.
 */
function expectSameWords(page: Verdict, command: Verdict, program: Verdict, isOfKeys: boolean, about: string): void {
  if (isOfKeys || page.says !== 'differs' || page.order === undefined) return
  const { faults, logFault } = page.order.check
  for (const fault of faults) expect(command.faults, about).toContain(faultText(fault, logFault))
  const [word = ''] = program.faults ?? []
  // The program does not check the types of values, because the signature covers them.
  if (word === '' || faults.includes('form') || faults.includes('signature_form')) return
  expect(faults, about).toContain(word)
}

type Draw = (below: number) => number

function drawer(seed: number): Draw {
  const key = noiseKey(`changes ${seed}`)
  let drawn = 0
  return (below) => noiseBits(key, drawn++) % Math.max(1, below)
}

function shuffled<T>(list: readonly T[], draw: Draw): T[] {
  const left = [...list]
  return list.flatMap(() => left.splice(draw(left.length), 1))
}

/** Samples one change per place, or two of each kind per place, all equally likely. */
function sample(all: Iterable<Mutation>, draw: Draw): Mutation[] {
  const groups = new Map<string, { seen: number; readonly selection: Mutation[] }>()
  for (const mutation of all) {
    const name = IS_DEEP ? `${mutation.where} ${mutation.what}` : mutation.where
    const group = groups.get(name) ?? { seen: 0, selection: [] }
    groups.set(name, group)
    group.seen += 1
    if (group.selection.length < (IS_DEEP ? 2 : 1)) group.selection.push(mutation)
    else {
      const at = draw(group.seen)
      if (at < group.selection.length) group.selection[at] = mutation
    }
  }
  return [...groups.values()].flatMap(({ selection }) => selection)
}

function valueAt(value: unknown, path: Mutation['path']): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
