// `npm run check:liabilities -- FILE [--root HEX] [--days FILE]`: looks whether a downloaded proof of what was owed to an
// account is right, without a server. The format is described in docs/liabilities.md.
// Exit codes: 0 it matches, 1 it does not, 2 it could not be checked.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { liabilities, OwnProofOut } from '#contract/proof.ts'
import { money, moneyText } from '#core/money/money.ts'
import { findFaults, owedIn, type OwnProof, type ProofFault } from '#core/proof/own-proof.ts'
import { owedInAll } from '#core/proof/owed.ts'
import { sha256 } from '#server/liabilities/sha256.ts'

const MATCHES = 0
const DIFFERS = 1
const COULD_NOT_CHECK = 2

const USAGE = 'npm run check:liabilities -- FILE [--root HEX] [--days FILE]'
const FAULTS: Readonly<Record<ProofFault, string>> = {
  form: 'It is not written as a proof has to be.',
  account: 'It is the proof of another account.',
  amounts: 'The parts do not come to what the proof says was owed.',
  tree: 'A part is not under the root, or the total is another one.',
  record: 'The record of the day is not covered by its head.',
  published: 'The record is not the published one, or the published records do not follow on from each other.',
}
/** As the public call answers it, or only its list. */
const Published = z.union([
  z.object({ data: z.object({ days: liabilities.reply.shape.days }) }).transform(({ data }) => data.days),
  z.object({ days: liabilities.reply.shape.days }).transform(({ days }) => days),
  liabilities.reply.shape.days,
])

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { root: { type: 'string' }, days: { type: 'string' } },
  })
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new Error(`Usage: ${USAGE}`)
  const proof = read(file, OwnProofOut)
  const published = values.days === undefined ? undefined : read(values.days, Published)
  const faults = findFaults(sha256, proof, { ...(published && { published }) }).map((fault) => FAULTS[fault])
  if (values.root !== undefined && values.root !== proof.record.root) {
    faults.push(`Its root is ${proof.record.root}, not ${values.root}.`)
  }
  for (const line of describe(proof)) console.log(line)
  for (const fault of faults) console.log(fault)
  if (faults.length > 0) console.log('THIS DOES NOT MATCH.')
  else if (values.root === undefined && published === undefined) {
    console.log('It matches the root it names. Compare that root with the published one, or give it with --root.')
  } else console.log('It matches what was published.')
  process.exitCode = faults.length === 0 ? MATCHES : DIFFERS
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = COULD_NOT_CHECK
}

function read<T>(file: string, schema: z.ZodType<T>): T {
  const found = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!found.success) throw new Error(`${file} is not what it should be:\n${z.prettifyError(found.error)}`)
  return found.data
}

function* describe(proof: OwnProof): Generator<string> {
  const { record, account } = proof
  const amount = (value: bigint) => `${moneyText(money(value))} ${record.currency}`
  yield `Account ${account.id}, ${record.taken_at}: ${amount(owedInAll(owedIn(proof)))} owed`
  yield `Total owed to all: ${amount(BigInt(record.total))}`
  yield `Root: ${record.root}`
}
