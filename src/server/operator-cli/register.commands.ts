import { z } from 'zod'
import { parseVerifierKey, KEY_TYPES } from '#core/register/signed-note.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { DigitText } from '#server/operator-cli/inputs.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { currentHalt, endHalts } from '#server/register/halts.queries.ts'
import { beginAgain, readIdentity } from '#server/register/identity.queries.ts'
import { type RecoveryFault, recoverRegister } from '#server/register/recover.ts'
import { newestCheckpoint } from '#server/register/register.queries.ts'
import {
  deleteWitness,
  forgetSeenSizes,
  insertWitness,
  listWitnesses,
  newestCosignatures,
} from '#server/register/witnesses.queries.ts'

const WHY_NOT: Readonly<Record<RecoveryFault, string>> = {
  unreachable: 'That address does not answer with a register and all its entries.',
  other_register: 'That is another register: its state is not signed by a key of this one.',
  not_larger: 'That copy has no entry that this register lacks. Try another copy, or run register begin-again.',
  differs: 'The entries there and here differ, so nothing was changed. Try another copy, or run register begin-again.',
}

const HttpUrl = z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' })

export const registerCommands: readonly Command[] = [
  defineCommand({
    name: 'register show',
    summary: 'Shows the name, size and age of the register, whether it is halted, and what its witnesses have seen.',
    takes: [],
    options: {},
    input: z.object({}),
    effect: 'looks',
    run: async ({ ctx }) => {
      const identity = await readIdentity(ctx.db)
      const newest = await newestCheckpoint(ctx.db)
      const halt = await currentHalt(ctx.db)
      const cosigned = await newestCosignatures(ctx.db)
      return said(
        `${identity?.origin ?? 'no register yet'}: ${newest?.size ?? 0} entries${newest ? `, signed ${toIso(instant(newest.atMs))}` : ''}.`,
        ...(halt ? [`Halted since ${toIso(instant(halt.atMs))}: no orders are taken.`] : []),
        ...(await listWitnesses(ctx.db)).map(
          ({ name, key, isOurs, problem }) =>
            `${name}${isOurs ? ' (ours)' : ''}: ${cosigned.get(key.name)?.size ?? 0} entries${problem === '' ? '' : `. Last answer: ${problem}`}`,
        ),
      )
    },
  }),
  defineCommand({
    name: 'register add-witness',
    summary:
      'Asks a witness to cosign the register from now on. The key is what the witness prints about itself. Say --ours when the operator runs it.',
    takes: ['key', 'url'],
    options: { 'run-by': 'words', every: 'words', ours: 'flag' },
    input: z.object({
      key: z.string(),
      url: HttpUrl,
      'run-by': z.string().min(2, 'must have at least 2 characters').max(100),
      every: DigitText.pipe(z.coerce.number<string>().int().min(10).max(86_400)).default(60),
      ours: z.boolean().default(false),
    }),
    effect: 'changes',
    run: async ({ ctx }, input, actor) => {
      const { key, url, ours } = input
      const parsed = parseVerifierKey(sha256, key)
      if (parsed?.type !== KEY_TYPES.witness) return refused('That is not the key of a witness.')
      const known = await listWitnesses(ctx.db)
      if (known.some(({ name, verifierKey }) => name === parsed.name || verifierKey === key))
        return refused(`The witness ${parsed.name} is known already.`)
      await ctx.db.transaction().execute(async (tx) => {
        const witness = {
          name: parsed.name,
          verifierKey: key,
          url,
          everySeconds: input.every,
          runBy: input['run-by'],
          isOurs: ours,
        }
        await insertWitness(tx, witness, ctx.now())
        await recordAction(tx, ctx, actor, { target: parsed.name, outcome: 'done', after: witness })
      })
      return said(`${parsed.name} is asked every ${input.every} seconds.`)
    },
  }),
  defineCommand({
    name: 'register remove-witness',
    summary: 'Stops asking a witness. What it has cosigned stays.',
    takes: ['name'],
    options: {},
    input: z.object({ name: z.string() }),
    effect: 'changes',
    run: async ({ ctx }, { name }, actor) => {
      const isRemoved = await ctx.db.transaction().execute(async (tx) => {
        if (!(await deleteWitness(tx, name))) return false
        await recordAction(tx, ctx, actor, { target: name, outcome: 'done' })
        return true
      })
      return isRemoved ? said(`${name} is not asked any more.`) : refused(`There is no witness ${name}.`)
    },
  }),
  defineCommand({
    name: 'register recover',
    summary:
      'Brings lost entries back from a copy of the register, for example of a witness that keeps one, and ends the halt.',
    takes: ['url'],
    options: {},
    input: z.object({ url: HttpUrl }),
    effect: 'changes',
    run: async ({ ctx }, { url }, actor) => {
      const recovered = await recoverRegister(ctx, url)
      const outcome = recovered.ok ? 'done' : 'refused'
      await recordAction(ctx.db, ctx, actor, { target: url, outcome })
      return recovered.ok
        ? said(`The register has ${recovered.value} entries again.`)
        : refused(WHY_NOT[recovered.refusal])
    },
  }),
  defineCommand({
    name: 'register begin-again',
    summary:
      'Begins a new register when the lost entries of the old one cannot be found. The new beginning is public. Only while the register is halted.',
    takes: [],
    options: { reason: 'words' },
    input: z.object({ reason: z.string().min(20, 'must have at least 20 characters').max(500) }),
    effect: 'changes',
    run: async ({ ctx }, { reason }, actor) => {
      if ((await currentHalt(ctx.db)) === null) return refused('The register is not halted.')
      const origin = await ctx.db.transaction().execute(async (tx) => {
        const begun = await beginAgain({ db: tx, now: () => ctx.now() })
        await forgetSeenSizes(tx)
        await endHalts(tx, ctx.now())
        await recordAction(tx, ctx, actor, { target: begun, outcome: 'done', reason })
        return begun
      })
      return said(`The register is now ${origin}. Ask each witness to follow it.`)
    },
  }),
]
