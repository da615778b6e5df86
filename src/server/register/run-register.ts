import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { askWitness, type WitnessAnswer } from '#server/register/ask-witness.ts'
import { closeMinute, type RegisterParts } from '#server/register/close-minute.ts'
import { currentHalt, haltRegister } from '#server/register/halts.queries.ts'
import { newestCheckpoint } from '#server/register/register.queries.ts'
import { insertCosignature, listWitnesses, noteAnswer, type Witness } from '#server/register/witnesses.queries.ts'

const ASK_PAUSE_MS = 5 * SECOND_MS

/**
 * Adds new entries to the register each minute, and asks the witnesses to cosign them. Runs on one server at a time.
 * Returns a function that stops it.
 */
export async function runRegister(parts: RegisterParts): Promise<() => Promise<void>> {
  const { ctx } = parts
  const close = async (): Promise<void> => {
    if ((await currentHalt(ctx.db)) === null) await closeMinute(parts)
  }
  // After a restored backup, witnesses know a larger register. They must be asked before a new state is signed.
  await askWitnesses(ctx, await listWitnesses(ctx.db))
  // Entries that were announced before the start must not wait until the minute ends.
  await close()
  const stopClosing = runPeriodically(ctx, {
    pauseMs: () => MINUTE_MS - (ctx.now() % MINUTE_MS),
    run: close,
    failure: 'cannot add the last minute to the register; the next attempt follows',
  })
  const stopAsking = runPeriodically(ctx, {
    pauseMs: () => ASK_PAUSE_MS,
    run: () => askDueWitnesses(ctx),
    failure: 'cannot ask the witnesses of the register; the next attempt follows',
  })
  return async () => {
    await Promise.all([stopClosing(), stopAsking()])
  }
}

/** Requests a cosignature of the newest checkpoint from each witness that is due. */
async function askDueWitnesses(ctx: Ctx): Promise<void> {
  const isDue = ({ lastRequestMs, everySeconds }: Witness): boolean =>
    ctx.now() - (lastRequestMs ?? 0) >= everySeconds * SECOND_MS
  await askWitnesses(ctx, (await listWitnesses(ctx.db)).filter(isDue))
}

async function askWitnesses(ctx: Ctx, witnesses: readonly Witness[]): Promise<void> {
  const checkpoint = await newestCheckpoint(ctx.db)
  if (checkpoint === null || (await currentHalt(ctx.db)) !== null) return
  await Promise.all(witnesses.map((witness) => ask(ctx, witness, checkpoint)))
}

async function ask(ctx: Ctx, witness: Witness, checkpoint: Parameters<typeof askWitness>[2]): Promise<void> {
  let answer = await askWitness(ctx.db, witness, checkpoint)
  // The witness has cosigned another size than this server knows, because the answer to an earlier request was lost.
  // The proof must begin at the cosigned size.
  if (answer.kind === 'knows' && answer.size <= checkpoint.size)
    answer = await askWitness(ctx.db, { ...witness, size: answer.size }, checkpoint)
  const lastRequestMs = ctx.now()
  if (answer.kind === 'cosigned') {
    await insertCosignature(ctx.db, checkpoint.size, answer.signature)
    await noteAnswer(ctx.db, witness.name, { lastRequestMs, size: checkpoint.size, problem: '' })
    return
  }
  const problem = problemOf(answer)
  await noteAnswer(ctx.db, witness.name, { lastRequestMs, size: null, problem })
  if (problem !== witness.problem) ctx.log.warn({ witness: witness.name, problem }, 'a witness did not cosign')
  const newest = await newestCheckpoint(ctx.db)
  if (answer.kind === 'differs' || (answer.kind === 'knows' && answer.size > (newest?.size ?? 0))) {
    const knownSize = answer.kind === 'knows' ? answer.size : null
    await haltRegister(ctx, ctx.db, { cause: 'witness', knownSize })
  }
}

function problemOf(answer: Exclude<WitnessAnswer, { readonly kind: 'cosigned' }>): string {
  if (answer.kind === 'problem') return answer.problem
  return answer.kind === 'knows' ? `it has seen ${answer.size} entries` : 'it has seen other entries'
}
