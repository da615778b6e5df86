import { types } from 'pg'

const BYTEA = 17
const INT8 = 20
const INT8_ARRAY = 1016

/** Parses only this pool's results. The driver's global settings stay unchanged. */
export function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  switch (oid) {
    case INT8:
      return BigInt
    case INT8_ARRAY:
      return parseInt8Array
    case BYTEA:
      return parseBytea
    default:
      return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
  }
}

/** Parses `{1,NULL,-3}`. Nested arrays do not occur. */
function parseInt8Array(text: string): (bigint | null)[] {
  const inner = text.slice(1, -1)
  if (inner === '') return []
  return inner.split(',').map((item) => (item === 'NULL' ? null : BigInt(item)))
}

/** Parses `\x0aff` to a plain Uint8Array, as in the embedded database, instead of Node's Buffer. */
function parseBytea(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}
