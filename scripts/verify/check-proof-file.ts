import { z } from 'zod'
import { liabilities } from '#contract/proof.ts'
import { money, moneyText } from '#core/money/money.ts'
import { totalLiability } from '#core/proof/liability.ts'
import { findFaults, owedIn, type OwnProof, type ProofFault, readProof } from '#core/proof/own-proof.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { CannotCheck, type Checked, COULD_NOT_CHECK, DIFFERS, MATCHES } from './check-verdict.ts'
import { readJsonFile } from './read-json-file.ts'
import { readOptions } from './read-options.ts'

const USAGE = 'Usage: npm run check:liabilities -- FILE [--root HEX] [--days FILE]'
/** The messages for the faults of a proof. */
export const FAULTS: Readonly<Record<ProofFault, string>> = {
  form: 'It is not written as a proof has to be.',
  account: 'It is the proof of another account.',
  amounts: 'The parts do not come to what the proof says was owed.',
  tree: 'A part is not under the root, or the total is another one.',
  record: 'The record of the day is not covered by its head.',
  published: 'The record is not the published one, or the published records do not follow on from each other.',
}

/** The records in the format of the public call. */
const Published = z.object({ data: z.object({ days: liabilities.reply.shape.days }) })

/** Checks a proof file. Returns the exit code and the lines to print. */
export function checkProofFile(args: readonly string[]): Checked {
  try {
    return check(args)
  } catch (error) {
    return { exitCode: COULD_NOT_CHECK, lines: [error instanceof Error ? error.message : String(error)] }
  }
}

function check(args: readonly string[]): Checked {
  const { file, options: values } = readOptions(args, ['root', 'days'], USAGE)
  if (values.root !== undefined && !/^[0-9a-f]{64}$/i.test(values.root)) {
    throw new CannotCheck('A root has 64 hexadecimal digits.')
  }
  const proof = readProof(readJsonFile(file))
  if (proof === null) throw new CannotCheck(`${file} does not hold a proof as it is downloaded.`)
  const published = values.days === undefined ? {} : { published: daysFrom(values.days) }
  const faults = findFaults(sha256, proof, published).map((fault) => FAULTS[fault])
  if (values.root !== undefined && values.root.toLowerCase() !== proof.record.root) {
    faults.push(`Its root is another one than ${values.root}.`)
  }
  if (faults.length > 0) return { exitCode: DIFFERS, lines: [...faults, 'THIS DOES NOT MATCH.'] }
  const isCompared = values.root !== undefined || values.days !== undefined
  return {
    exitCode: MATCHES,
    lines: [
      ...describe(proof),
      isCompared ? 'It matches what was published.' : 'It matches this root. Compare it with the published one.',
    ],
  }
}

function daysFrom(file: string) {
  const found = Published.safeParse(readJsonFile(file))
  if (!found.success) throw new CannotCheck(`${file} does not hold the records as they are published.`)
  return found.data.data.days
}

function* describe(proof: OwnProof): Generator<string> {
  const { record, account } = proof
  const amount = (value: bigint) => `${moneyText(money(value))} ${record.currency}`
  yield `Account ${account.id}, ${record.taken_at}: ${amount(totalLiability(owedIn(proof)))} owed`
  yield `Owed to all: ${amount(BigInt(record.total))}`
  yield `Root: ${record.root}`
}
