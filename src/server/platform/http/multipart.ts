import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { ReceivedFile } from '#contract/files.ts'
import { formBudget } from '#server/platform/http/form-budget.ts'

/** Parts named `fields[label]` belong to the form that the operator designed. */
const FORM_FIELD = /^fields\[(.{1,100})\]$/su

/**
 * Parses a multipart body to the object of the call's schema. Files are read up to `maxFileBytes` and marked when they
 * are larger. A call without files (undefined) skips them, so that their fields count as missing.
 */
export async function readMultipart(
  request: FastifyRequest,
  maxFileBytes: number | undefined,
): Promise<Record<string, unknown>> {
  const values = new Map<string, unknown>()
  const fields = new Map<string, unknown>()
  const limits = maxFileBytes === undefined ? {} : { limits: { fileSize: maxFileBytes, files: 5 } }
  for await (const part of request.parts(limits)) {
    const value = part.type === 'file' ? await readFile(request, part, maxFileBytes) : textOf(part.value)
    if (value === null) continue
    const label = FORM_FIELD.exec(part.fieldname)?.[1]
    if (label === undefined) values.set(part.fieldname, value)
    else fields.set(label, value)
  }
  if (fields.size > 0) values.set('fields', Object.fromEntries(fields))
  return Object.fromEntries(values)
}

async function readFile(
  request: FastifyRequest,
  part: MultipartFile,
  maxFileBytes: number | undefined,
): Promise<ReceivedFile | null> {
  if (maxFileBytes === undefined) {
    part.file.resume()
    return null
  }
  const chunks: Uint8Array[] = []
  for await (const piece of part.file) {
    const chunk: Uint8Array = piece
    formBudget.take(request, chunk.length)
    chunks.push(chunk)
  }
  // Browsers send an empty part for a file that was not chosen.
  if (chunks.length === 0) return null
  return { bytes: new Uint8Array(Buffer.concat(chunks)), isCutOff: part.file.truncated }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
