import { z } from 'zod'
import { toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { DigitText, RowLimit } from '#server/operator-cli/inputs.ts'
import { table } from '#server/operator-cli/table.ts'
import { listActions } from '#server/audit/audit.queries.ts'
import { type BrokenLine, readChainEnd, verifyChain, writeChainEnd } from '#server/audit/verify-audit-chain.ts'

export const actionsCommands: readonly Command[] = [
  defineCommand({
    name: 'actions list',
    summary: 'Lists the recorded actions, newest first.',
    takes: [],
    options: { limit: 'words' },
    input: z.object({ limit: RowLimit }),
    effect: 'looks',
    run: async ({ ctx }, { limit }) => {
      const actions = await listActions(ctx.db, limit)
      if (actions.length === 0) return said('No entries yet.')
      const rows = actions.map(({ at, who, what, target, reason, outcome, before, after }) => [
        toIso(at),
        who,
        what,
        target,
        outcome,
        change(before, after),
        reason,
      ])
      return said(...table(['Time', 'Who', 'Action', 'Subject', 'Outcome', 'Change', 'Reason'], rows))
    },
  }),
  defineCommand({
    name: 'actions verify',
    summary:
      'Checks that no entry of the audit log was changed or lost. --noted NUMBER:HASH: the value that an earlier check printed.',
    takes: [],
    options: { noted: 'words' },
    input: z.object({
      noted: DigitText.pipe(
        z.string().regex(/^\d{1,15}:[0-9a-f]{64}$/, 'must be a number, a colon and a hash of 64 characters'),
      ).optional(),
    }),
    effect: 'looks',
    run: async ({ ctx }, { noted }) => {
      const { lines, end, broken } = await verifyChain(ctx.db, noted === undefined ? null : readChainEnd(noted))
      if (broken) return refused(`The log is incomplete. ${BROKEN[broken.why](broken)}`)
      if (!end) return said('No entries yet.')
      return said(
        `${lines} entries, all unchanged. Store this value elsewhere and pass it to --noted later:`,
        writeChainEnd(end),
      )
    },
  }),
]

const BROKEN: Readonly<Record<BrokenLine['why'], (line: BrokenLine) => string>> = {
  changed: ({ seq, id }) => `Entry ${seq} (${id}) was changed after it was written.`,
  moved: ({ seq, id }) => `Entry ${seq} (${id}) does not follow the previous entry: entries were removed or inserted.`,
  unchained: ({ id }) => `An entry (${id}) was written outside the chain.`,
  cut: ({ seq }) => `Entry ${seq} from --noted is missing: entries were cut off the end.`,
}

function change(before: unknown, after: unknown): string {
  if (after === null) return ''
  return `${before === null ? 'nothing' : JSON.stringify(before)} -> ${JSON.stringify(after)}`
}
