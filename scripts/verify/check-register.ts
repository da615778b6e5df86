import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sameBytes, toHex } from '#core/proof/bytes.ts'
import type { Checkpoint } from '#core/register/checkpoint.ts'
import { consistencyProof, isConsistent, type LogTree, rootOfLog } from '#core/register/log-proofs.ts'
import { type NoteFault, openNote } from '#core/register/open-note.ts'
import { type Policy, readPolicy } from '#core/register/policy.ts'
import { tilePath } from '#core/register/tile-path.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { CannotCheck, type Checked, COULD_NOT_CHECK, DIFFERS, MATCHES } from './check-verdict.ts'
import { findReceipts } from './find-receipts.ts'
import { fetchBytes, readText } from './read-bytes.ts'

const USAGE = 'Usage: npm run check:register -- --policy FILE [--from URL [--receipt FILE [--keys FILE]]] [NOTE…]'
/** 60 s: how long a cache may serve an older state. */
const CACHED_MS = 60_000
const FAULTS: Readonly<Record<NoteFault, string>> = {
  note_form: 'it is not written as a signed state has to be',
  note_signature: 'a signature is wrong',
  note_unsigned: 'no log of the policy has signed it',
}

/** A signed state of the register, and the name of the file or address that it came from. */
interface NamedState extends Checkpoint {
  readonly name: string
}

interface CheckTime {
  readonly nowMs: number
  readonly wait: (ms: number) => Promise<unknown>
}

/** Checks signed states against a policy, against each other, and against the hashes that the register serves. */
export async function checkRegister(
  args: readonly string[],
  { nowMs = Date.now(), wait = setTimeout }: Partial<CheckTime> = {},
): Promise<Checked> {
  try {
    return await check(args, { nowMs, wait })
  } catch (error) {
    return { exitCode: COULD_NOT_CHECK, lines: [error instanceof Error ? error.message : String(error)] }
  }
}

async function check(args: readonly string[], { nowMs, wait }: CheckTime): Promise<Checked> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      policy: { type: 'string' },
      from: { type: 'string' },
      receipt: { type: 'string' },
      keys: { type: 'string' },
    },
  })
  const isWithoutState = positionals.length === 0 && values.from === undefined
  if (values.policy === undefined || isWithoutState || (values.receipt !== undefined && values.from === undefined))
    throw new CannotCheck(USAGE)
  const policy = policyFrom(values.policy)
  const prefix = values.from?.replace(/\/+$/, '')
  const opened = positionals.map((file) => openState(policy, file, readText(file)))
  if (prefix !== undefined) opened.push(await fetchServed(policy, prefix, { given: opened, wait }))
  const faults = opened.filter((state) => typeof state === 'string')
  const states = opened.filter((state) => typeof state !== 'string')
  faults.push(...contradictions(states))
  const last = states.at(-1)
  const served = prefix !== undefined && last?.name === prefix ? last : null
  const compared = served === null ? null : await compareWithServed(served, states.slice(0, -1))
  faults.push(...(compared?.faults ?? []))
  const { receipt: file, keys } = values
  const receipts =
    served !== null && file !== undefined
      ? await findReceipts({ prefix: served.name, state: served, file, keys, nowMs })
      : null
  faults.push(...(receipts?.faults ?? []))
  if (faults.length > 0) return { exitCode: DIFFERS, lines: [...faults, 'THIS DOES NOT MATCH.'] }
  const [other] = compared?.others ?? []
  if (other !== undefined) throw new CannotCheck(other)
  const described = states.map(({ name, origin, size }) => `${name}: ${origin}, ${size} entries`)
  const isAlone = prefix === undefined && states.length > 1
  const note = isAlone ? ['States of different size were not compared. Name the register: --from URL'] : []
  return { exitCode: MATCHES, lines: [...described, ...(receipts?.found ?? []), ...note, 'It matches the policy.'] }
}

function policyFrom(file: string): Policy {
  const policy = readPolicy(sha256, readText(file))
  if (!('line' in policy)) return policy
  throw new CannotCheck(policy.line === 0 ? `${file} has no quorum line.` : `${file}: line ${policy.line} is wrong.`)
}

/** Opens a state. Returns a sentence when the policy does not accept it. */
function openState({ logs, witnesses, isQuorum }: Policy, name: string, note: string): NamedState | string {
  const opened = openNote(SERVER_TOOLS, note, [...logs, ...witnesses])
  if (typeof opened === 'string') return `${name}: ${FAULTS[opened]}.`
  if (!isQuorum(opened.signatures.map(({ key }) => key)))
    return `${name}: too few witnesses of the policy have signed it.`
  return { name, ...opened.checkpoint }
}

/**
 * Fetches the state that the register serves. A cache may serve an older state for up to a minute, so a state with fewer
 * entries than a given one is fetched again after that time. A register that was cut back still has fewer entries then.
 */
async function fetchServed(
  policy: Policy,
  prefix: string,
  { given, wait }: Pick<CheckTime, 'wait'> & { readonly given: readonly (NamedState | string)[] },
): Promise<NamedState | string> {
  const fetchState = async () => openState(policy, prefix, (await fetchBytes(`${prefix}/checkpoint`)).toString())
  const served = await fetchState()
  if (typeof served === 'string') return served
  const isOlder = given.some(
    (state) => typeof state !== 'string' && state.origin === served.origin && state.size > served.size,
  )
  if (!isOlder) return served
  await wait(CACHED_MS)
  return await fetchState()
}

/** Two signed states of the same size with different roots prove that the operator showed two registers. */
function contradictions(states: readonly NamedState[]): string[] {
  return states.flatMap((one, at) =>
    states
      .slice(at + 1)
      .filter(({ origin, size, root }) => origin === one.origin && size === one.size && toHex(root) !== toHex(one.root))
      .map((other) => `${one.name} and ${other.name} exclude each other: two registers with ${one.size} entries.`),
  )
}

/**
 * Compares the served state with the hashes that the register serves, and the other states with the served state. The
 * proof between two signed states binds both roots. Hashes alone would not: a request for hashes shows which state they
 * are for, so a server could answer each request from the register that it showed to that user.
 */
async function compareWithServed(
  served: NamedState,
  states: readonly NamedState[],
): Promise<{ readonly faults: readonly string[]; readonly others: readonly string[] }> {
  const tree = servedTree(served)
  const faults: string[] = []
  const others: string[] = []
  if (!sameBytes(await rootOfLog(tree), served.root))
    faults.push(`${served.name}: the served hashes are not those of the signed state.`)
  for (const state of states) {
    const { name, origin, size } = state
    if (origin !== served.origin)
      others.push(`${name} is a state of ${origin}, which cannot be compared with a state of ${served.origin}.`)
    else if (size > served.size)
      faults.push(`${name} has ${size} entries: the register at ${served.name} has only ${served.size} entries now.`)
    else if (!isConsistent(sha256, state, served, await consistencyProof(tree, size)))
      faults.push(`${name}: the register at ${served.name} had other entries then.`)
  }
  return { faults, others }
}

/** The register as its site serves it. Each tile is fetched once. */
function servedTree({ name: prefix, size }: NamedState): LogTree {
  const tiles = new Map<string, Promise<Uint8Array>>()
  return {
    sha256,
    size,
    readTile: (level, index, width) => {
      const address = `${prefix}/${tilePath({ level, index, width })}`
      const bytes = tiles.get(address) ?? fetchBytes(address)
      tiles.set(address, bytes)
      return bytes
    },
  }
}
