import { z } from 'zod'
import { toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { RowLimit } from '#server/operator-cli/inputs.ts'
import { table } from '#server/operator-cli/table.ts'
import { listActions } from '#server/audit/audit.queries.ts'
import { type BrokenLine, readChainEnd, verifyChain, writeChainEnd } from '#server/audit/verify-audit-chain.ts'

export const actionsCommands: readonly Command[] = [
  defineCommand({
    name: 'actions list',
    summary: 'Who did what with these commands, newest first.',
    takes: [],
    options: { limit: 'words' },
    input: z.object({ limit: RowLimit }),
    effect: 'looks',
    run: async ({ ctx }, { limit }) => {
      const actions = await listActions(ctx.db, limit)
      if (actions.length === 0) return said('Nothing yet.')
      const rows = actions.map(({ at, who, what, target, reason, outcome, before, after }) => [
        toIso(at),
        who,
        what,
        target,
        outcome,
        change(before, after),
        reason,
      ])
      return said(...table(['At', 'Who', 'What', 'To', 'Outcome', 'Change', 'Reason'], rows))
    },
  }),
  defineCommand({
    name: 'actions verify',
    summary:
      'Proves that no line of that log was changed or lost. --noted NUMBER:HASH: what an earlier check ended with.',
    takes: [],
    options: { noted: 'words' },
    input: z.object({
      noted: z
        .string()
        .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'is a number, a colon and the 64 signs of a hash')
        .optional(),
    }),
    effect: 'looks',
    run: async ({ ctx }, { noted }) => {
      const { lines, end, broken } = await verifyChain(ctx.db, noted === undefined ? null : readChainEnd(noted))
      if (broken) return refused(`The log is not whole. ${BROKEN[broken.why](broken)}`)
      if (!end) return said('Nothing yet.')
      return said(
        `${lines} lines, every one as it was written. Note this elsewhere, and give it to --noted later:`,
        writeChainEnd(end),
      )
    },
  }),
]

const BROKEN: Readonly<Record<BrokenLine['why'], (line: BrokenLine) => string>> = {
  changed: ({ seq, id }) => `Line ${seq} (${id}) is not what was written.`,
  moved: ({ seq, id }) => `Line ${seq} (${id}) does not follow the line before it: some are missing, or were put in.`,
  unchained: ({ id }) => `A line (${id}) was written past the chain.`,
  cut: ({ seq }) => `Line ${seq}, which was noted, is not there: lines were cut off the end.`,
}

function change(before: unknown, after: unknown): string {
  if (after === null) return ''
  return `${before === null ? 'nothing' : JSON.stringify(before)} -> ${JSON.stringify(after)}`
}
