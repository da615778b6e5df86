import { calls } from '#contract/calls.ts'
import { toBase64 } from '#core/proof/bytes.ts'
import { consistencyProof } from '#core/register/log-proofs.ts'
import { checkLine } from '#core/register/open-note.ts'
import { formatVerifierKey, parseNote, parseNoteLine } from '#core/register/signed-note.ts'
import { refuse } from '#core/result.ts'
import { instant, SECOND_MS, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { currentHalt } from '#server/register/halts.queries.ts'
import { knownKeys, readIdentity } from '#server/register/identity.queries.ts'
import { checkpointOfSize, newestCheckpoint, storedTree } from '#server/register/register.queries.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { insertCosignature, listWitnesses, newestCosignatures, witnessOf } from '#server/register/witnesses.queries.ts'

/** Registers the calls of the register, which anyone may make. */
export function registerRoutes(register: Register, ctx: Ctx): void {
  const take = createRateLimiter(READ_LIMITS.register)
  const takeCosignature = createRateLimiter(READ_LIMITS.cosignatures)

  register(calls.proofRegister, async () => {
    const identity = await readIdentity(ctx.db)
    if (identity === null) return refuse('register_empty')
    const checkpoint = await newestCheckpoint(ctx.db)
    const halt = await currentHalt(ctx.db)
    const cosigned = await newestCosignatures(ctx.db)
    const witnesses = (await listWitnesses(ctx.db)).map(({ name, verifierKey, runBy, isOurs, key }) => {
      const newest = cosigned.get(key.name)
      const at = newest === undefined ? null : toIso(instant(newest.seconds * SECOND_MS))
      return { name, verifier_key: verifierKey, run_by: runBy, is_ours: isOurs, size: newest?.size ?? null, at }
    })
    const newest = checkpoint && {
      size: checkpoint.size,
      root: toBase64(checkpoint.root),
      at: toIso(instant(checkpoint.atMs)),
    }
    const keys = (await knownKeys(ctx.db)).map((key) => ({
      verifier_key: formatVerifierKey(sha256, key),
      is_retired: key.isRetired,
    }))
    return answer({ ...identity, keys, newest, halted_since: halt && toIso(instant(halt.atMs)), witnesses })
  })

  register(calls.proofConsistency, async ({ query: { from, to }, from: caller }) => {
    const seconds = take(subnetOf(caller.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const size = (await newestCheckpoint(ctx.db))?.size ?? 0
    if (from > to || to > size) return refuse('register_size', { params: { size } })
    return answer({ hashes: (await consistencyProof(storedTree(ctx.db, to), from)).map(toBase64) })
  })

  register(calls.addCosignature, async ({ body: { size, line }, from }) => {
    const seconds = takeCosignature(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const checkpoint = await checkpointOfSize(ctx.db, size)
    const witness = witnessOf(await listWitnesses(ctx.db), line)
    const [read, note] = [parseNoteLine(line), checkpoint && parseNote(checkpoint.note)]
    const signature = witness && read && note && checkLine(SERVER_TOOLS, note.text, witness.key, read)
    if (!signature) return refuse('cosignature_unknown')
    await insertCosignature(ctx.db, size, signature)
    return answer({})
  })
}
