import { toBase64 } from '#core/proof/bytes.ts'
import { parseSize } from '#core/register/checkpoint.ts'
import { consistencyProof } from '#core/register/log-proofs.ts'
import { checkLine, type NoteSignature } from '#core/register/open-note.ts'
import { parseNote, parseNoteLine } from '#core/register/signed-note.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type StoredCheckpoint, storedTree } from '#server/register/register.queries.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { type Witness, witnessOf } from '#server/register/witnesses.queries.ts'

/**
 * The reply of a witness. `knows`: the witness has seen another size than the request names. `differs`: the witness has
 * seen other entries.
 */
export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly signature: NoteSignature }
  | { readonly kind: 'knows'; readonly size: number }
  | { readonly kind: 'differs' }
  | { readonly kind: 'problem'; readonly problem: string }

const WAIT_MS = 10 * SECOND_MS
const MAX_REPLY_LETTERS = 20_000

/** Asks a witness to cosign a checkpoint, as C2SP tlog-witness describes. */
export async function askWitness(db: Db, witness: Witness, checkpoint: StoredCheckpoint): Promise<WitnessAnswer> {
  const oldSize = Math.min(witness.size ?? 0, checkpoint.size)
  const proof = await consistencyProof(storedTree(db, checkpoint.size), oldSize)
  const body = [`old ${oldSize}`, ...proof.map(toBase64), '', checkpoint.note].join('\n')
  try {
    const response = await fetch(`${witness.url.replace(/\/+$/, '')}/add-checkpoint`, {
      method: 'POST',
      redirect: 'error',
      body,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      signal: AbortSignal.timeout(WAIT_MS),
    })
    return readAnswer(witness, checkpoint, response.status, await readLimited(response))
  } catch (error) {
    return { kind: 'problem', problem: error instanceof Error ? error.message : String(error) }
  }
}

function readAnswer(witness: Witness, { note }: StoredCheckpoint, status: number, text: string): WitnessAnswer {
  if (status === 409) {
    const size = parseSize(text.trim())
    return size === null ? { kind: 'problem', problem: 'it answered 409 without a size' } : { kind: 'knows', size }
  }
  if (status === 422) return { kind: 'differs' }
  if (status !== 200) return { kind: 'problem', problem: `it answered ${status}` }
  const signed = parseNote(note)?.text ?? ''
  for (const line of text.split('\n')) {
    const read = witnessOf([witness], line) && parseNoteLine(line)
    const signature = read && checkLine(SERVER_TOOLS, signed, witness.key, read)
    if (signature) return { kind: 'cosigned', signature }
  }
  return { kind: 'problem', problem: 'its answer has no valid signature of its key' }
}

async function readLimited(response: Response): Promise<string> {
  const parts: string[] = []
  let letters = 0
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    const part = decoder.decode(bytes as Uint8Array, { stream: true })
    letters += part.length
    if (letters > MAX_REPLY_LETTERS) throw new Error('its answer is too long')
    parts.push(part)
  }
  return parts.join('')
}
