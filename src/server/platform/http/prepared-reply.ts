import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export const PREPARED_TYPE = 'application/json; charset=utf-8'

/** The bytes of a reply in one encoding, identified by their content. */
export interface PreparedVariant {
  readonly encoding: 'br' | 'gzip' | null
  /** A strong entity tag: it differs whenever the bytes differ. */
  readonly etag: string
  readonly body: Buffer
}

/** A reply that is built once and sent to many clients, which may cache it. */
export interface PreparedReply {
  readonly cacheControl: string
  readonly plain: PreparedVariant
  readonly gzip: PreparedVariant
  readonly br: PreparedVariant
  /** The size of all variants together, in bytes. */
  readonly bytes: number
}

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)
/** Moderate compression: built once and sent often, but the first client waits for it. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Builds the bytes of a reply in each encoding, and their entity tags. */
export async function prepareReply(value: object, cacheControl: string): Promise<PreparedReply> {
  const body = Buffer.from(JSON.stringify(value))
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const [zipped, brotli] = await Promise.all([toGzip(body), toBrotli(body, BROTLI)])
  return {
    cacheControl,
    plain: { encoding: null, etag: `"${hash}"`, body },
    gzip: { encoding: 'gzip', etag: `"${hash}-gz"`, body: zipped },
    br: { encoding: 'br', etag: `"${hash}-br"`, body: brotli },
    bytes: body.length + zipped.length + brotli.length,
  }
}

const TAKES = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i,
}

/** The smallest variant that the client accepts. */
export function variantFor(reply: PreparedReply, acceptEncoding: string | string[] | undefined): PreparedVariant {
  if (acceptEncoding === undefined) return reply.plain
  const accepted = String(acceptEncoding)
  if (TAKES.br.test(accepted)) return reply.br
  return TAKES.gzip.test(accepted) ? reply.gzip : reply.plain
}

/** Whether the client has exactly these bytes. */
export function isTagMatch(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
