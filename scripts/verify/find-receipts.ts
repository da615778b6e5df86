import { z } from 'zod'
import { type FileContent, readBundleFile, readKeys } from '#core/proof/bundle-file.ts'
import { checkSignature, type SigningKey } from '#core/proof/check-signature.ts'
import { isUnderRoot, type Receipt, type SignedRoot } from '#core/proof/receipt.ts'
import type { LogRoot, ReadTile } from '#core/register/log-proofs.ts'
import { tilePath } from '#core/register/tile-path.ts'
import { parseJson } from '#core/text/parse-json.ts'
import { instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { CannotCheck, faultText, FILE_FAULTS } from './check-verdict.ts'
import { findBatch, type ServedRegister } from './omitted-receipt.ts'
import { fetchBytes, readText } from './read-bytes.ts'

/**
 * If the newest state of the register is older than a receipt, and the receipt is older than 5 minutes, the register no
 * longer grows.
 */
const STANDS_STILL_MS = 5 * MINUTE_MS

interface Search {
  /** The address of the register. */
  readonly prefix: string
  readonly state: LogRoot
  /** The path of the receipt file. */
  readonly file: string
  /** The path of a file with the published keys. If it is undefined, the keys are fetched from the site. */
  readonly keys: string | undefined
  /** The present time in ms by the clock of this machine. */
  readonly nowMs: number
}

/**
 * Searches the register for the receipts in a file. The search trusts neither the keys nor the facts in the file: a key
 * that the site published must have signed the receipts.
 */
export async function findReceipts(
  search: Search,
): Promise<{ readonly found: readonly string[]; readonly faults: readonly string[] }> {
  const { file, nowMs } = search
  const content = readBundleFile(readText(file))
  if (typeof content === 'string') throw new CannotCheck(FILE_FAULTS[content])
  const keys = await keysOf(search)
  const register = servedRegister(search)
  const found: string[] = []
  const faults: string[] = []
  for (const [kind, receipt] of receiptsOf(content)) {
    const signed = signedRoot(receipt, keys, file)
    const at = await findBatch(register, signed)
    const signedAt = toIso(instant(signed.made_ms))
    if (at === 'omitted') faults.push(`The register leaves out the receipt "${kind}", signed ${signedAt}.`)
    else if (at !== 'early') found.push(`The receipt "${kind}" is in the register since ${toIso(instant(at))}.`)
    else if (nowMs > signed.made_ms + STANDS_STILL_MS)
      throw new CannotCheck(`The register has nothing newer than the receipt "${kind}", signed ${signedAt}.`)
    else found.push(`The receipt "${kind}", signed ${signedAt}, need not be in the register yet.`)
  }
  return { found, faults }
}

async function keysOf({ prefix, keys: file }: Search): Promise<readonly SigningKey[]> {
  const text = file === undefined ? await fetchText(prefix, '/api/proof/keys') : readText(file)
  const keys = readKeys(parseJson(text))
  if (keys === null) throw new CannotCheck('The keys cannot be read as they are published.')
  return keys
}

/** Checks that a published key signed the receipt, and returns the signed root of the batch that contains it. */
function signedRoot(receipt: Receipt, keys: readonly SigningKey[], file: string): SignedRoot {
  const signed = checkSignature(SERVER_TOOLS, receipt.signature, keys)
  if (typeof signed === 'string') throw new CannotCheck(`${file}: ${faultText(signed, null)}`)
  if (!isUnderRoot(sha256, receipt, signed.root)) throw new CannotCheck(`${file}: ${faultText('root', null)}`)
  return signed.root
}

function servedRegister({ prefix, state }: Search): ServedRegister {
  const tiles = new Map<string, Promise<Buffer>>()
  const readTile: ReadTile = (level, index, width) => readOnce(tilePath({ level, index, width }))
  const readOnce = (path: string): Promise<Buffer> => {
    const bytes = tiles.get(path) ?? fetchBytes(`${prefix}/${path}`)
    tiles.set(path, bytes)
    return bytes
  }
  return {
    state,
    tree: { sha256, size: state.size, readTile },
    readEntries: readOnce,
    readRoots: async (index) => {
      const reply = Roots.safeParse(parseJson(await fetchText(prefix, `/api/proof/register/batches/${index}`)))
      return reply.success ? reply.data.data.roots : []
    },
  }
}

const Roots = z.object({ data: z.object({ roots: z.array(z.string().regex(/^[0-9a-f]{64}$/)) }) })

async function fetchText(prefix: string, path: string): Promise<string> {
  return (await fetchBytes(new URL(path, prefix).href)).toString()
}

function receiptsOf({ accepted, result, amended, sale }: FileContent): readonly (readonly [string, Receipt])[] {
  const all = Object.entries({ accepted, result, amended, sale })
  return all.flatMap(([kind, receipt]) => (receipt ? [[kind, receipt] as const] : []))
}
