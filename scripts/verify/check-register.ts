import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type FileContent, readBundleFile } from '#core/proof/bundle-file.ts'
import { toHex } from '#core/proof/bytes.ts'
import { checkSignature } from '#core/proof/check-signature.ts'
import type { Receipt } from '#core/proof/receipt.ts'
import type { Checkpoint } from '#core/register/checkpoint.ts'
import { type ReadTile, rootOfLog } from '#core/register/log-proofs.ts'
import { type NoteFault, openNote } from '#core/register/open-note.ts'
import { type Policy, readPolicy } from '#core/register/policy.ts'
import { tilePath } from '#core/register/tile-path.ts'
import { parseJson } from '#core/text/parse-json.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { CannotCheck, COULD_NOT_CHECK, DIFFERS, faultText, FILE_FAULTS, MATCHES } from './check-verdict.ts'
import { findBatch, type ServedRegister } from './omitted-receipt.ts'

const USAGE = 'Usage: npm run check:register -- --policy FILE [--from URL [--receipt FILE]] [NOTE…]'
const FAULTS: Readonly<Record<NoteFault, string>> = {
  note_form: 'it is not written as a signed state has to be',
  note_signature: 'a signature is wrong',
  note_unsigned: 'no log of the policy has signed it',
}
const WAIT_MS = 30_000

interface Checked {
  readonly exitCode: number
  readonly lines: readonly string[]
}

/** A signed state and where it came from. */
interface NamedState extends Checkpoint {
  readonly name: string
}

/** Checks signed states against a policy, against each other, and against the hashes that the register serves. */
export async function checkRegister(args: readonly string[]): Promise<Checked> {
  try {
    return await check(args)
  } catch (error) {
    return { exitCode: COULD_NOT_CHECK, lines: [error instanceof Error ? error.message : String(error)] }
  }
}

async function check(args: readonly string[]): Promise<Checked> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { policy: { type: 'string' }, from: { type: 'string' }, receipt: { type: 'string' } },
  })
  const isWithoutState = positionals.length === 0 && values.from === undefined
  if (values.policy === undefined || isWithoutState || (values.receipt !== undefined && values.from === undefined))
    throw new CannotCheck(USAGE)
  const policy = policyFrom(values.policy)
  const prefix = values.from?.replace(/\/+$/, '')
  const notes = positionals.map((file) => ({ name: file, note: readText(file) }))
  if (prefix !== undefined) notes.push({ name: prefix, note: (await fetchBytes(`${prefix}/checkpoint`)).toString() })
  const opened = notes.map(({ name, note }) => openState(policy, name, note))
  const faults = opened.filter((state) => typeof state === 'string')
  const states = opened.filter((state) => typeof state !== 'string')
  faults.push(...contradictions(states))
  if (prefix !== undefined) for (const state of states) faults.push(...(await differences(prefix, state)))
  const newest = states.at(-1)
  const isShown = prefix !== undefined && newest?.name === prefix
  const receipts = isShown && values.receipt !== undefined ? await findReceipts(prefix, newest, values.receipt) : null
  faults.push(...(receipts?.faults ?? []))
  if (faults.length > 0) return { exitCode: DIFFERS, lines: [...faults, 'THIS DOES NOT MATCH.'] }
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

/** Two signed states of the same size with different roots prove that the operator showed two registers. */
function contradictions(states: readonly NamedState[]): string[] {
  return states.flatMap((one, at) =>
    states
      .slice(at + 1)
      .filter(({ origin, size, root }) => origin === one.origin && size === one.size && toHex(root) !== toHex(one.root))
      .map((other) => `${one.name} and ${other.name} exclude each other: two registers with ${one.size} entries.`),
  )
}

/** Computes the root of a state from the hashes that the register serves. */
async function differences(prefix: string, { name, size, root }: NamedState): Promise<string[]> {
  const readTile: ReadTile = (level, index, width) => fetchBytes(`${prefix}/${tilePath({ level, index, width })}`)
  const computed = await rootOfLog({ sha256, size, readTile })
  return toHex(computed) === toHex(root) ? [] : [`${name}: the register at ${prefix} had other entries then.`]
}

/** Searches the register for the receipts in a file. */
async function findReceipts(
  prefix: string,
  state: NamedState,
  file: string,
): Promise<{ readonly found: readonly string[]; readonly faults: readonly string[] }> {
  const content = readBundleFile(readText(file))
  if (typeof content === 'string') throw new CannotCheck(FILE_FAULTS[content])
  const readTile: ReadTile = (level, index, width) => fetchBytes(`${prefix}/${tilePath({ level, index, width })}`)
  const register: ServedRegister = {
    state,
    tree: { sha256, size: state.size, readTile },
    readEntries: (path) => fetchBytes(`${prefix}/${path}`),
    readRoots: async (index) => {
      const site = new URL(`/api/proof/register/batches/${index}`, prefix)
      const reply = Roots.safeParse(parseJson((await fetchBytes(site.href)).toString()))
      return reply.success ? reply.data.data.roots : []
    },
  }
  const found: string[] = []
  const faults: string[] = []
  for (const [kind, receipt] of Object.entries(receiptsOf(content))) {
    const signed = checkSignature(SERVER_TOOLS, receipt.signature, content.keys ?? [])
    if (typeof signed === 'string') throw new CannotCheck(`${file}: ${faultText(signed, null)}`)
    const at = await findBatch(register, signed.root)
    const signedAt = toIso(instant(signed.root.made_ms))
    if (at === 'omitted') faults.push(`The register leaves out the receipt "${kind}", signed ${signedAt}.`)
    else if (at === 'early') found.push(`The receipt "${kind}", signed ${signedAt}, need not be in the register yet.`)
    else found.push(`The receipt "${kind}" is in the register since ${toIso(instant(at))}.`)
  }
  return { found, faults }
}

function receiptsOf({ accepted, result, amended, sale }: FileContent): Readonly<Record<string, Receipt>> {
  const all = Object.entries({ accepted, result, amended, sale })
  return Object.fromEntries(all.flatMap(([kind, receipt]) => (receipt ? [[kind, receipt]] : [])))
}

const Roots = z.object({ data: z.object({ roots: z.array(z.string().regex(/^[0-9a-f]{64}$/)) }) })

async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) })
  if (!response.ok) throw new CannotCheck(`${url} answers ${response.status}.`)
  return Buffer.from(await response.arrayBuffer())
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CannotCheck(`${file} cannot be read.`)
  }
}
