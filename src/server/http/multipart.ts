import type { FastifyRequest } from 'fastify'

/** Parts named `fields[label]` belong to the form the operator designed. */
const FORM_FIELD = /^fields\[(.{1,100})\]$/su

/**
 * A multipart body as the object the call's schema describes. Files have no call that takes them yet: they are read
 * past and left out, so that a field they stand for counts as not given. The limits are those the plugin was set up with.
 */
export async function readMultipart(request: FastifyRequest): Promise<Record<string, unknown>> {
  const values = new Map<string, unknown>()
  const fields = new Map<string, string>()
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      part.file.resume()
      continue
    }
    const value = typeof part.value === 'string' ? part.value : ''
    const label = FORM_FIELD.exec(part.fieldname)?.[1]
    if (label === undefined) values.set(part.fieldname, value)
    else fields.set(label, value)
  }
  if (fields.size > 0) values.set('fields', Object.fromEntries(fields))
  return Object.fromEntries(values)
}
