import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const LOCAL_BYTES = 30
const DEFLATED = 8

/** Returns the content of the only file in a ZIP archive. Throws when the archive has another form. */
export function unzip(archive: Buffer): Buffer {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + END_BYTES > archive.length || archive.readUInt32LE(end) !== END)
    throw new Error('this is no ZIP archive')
  if (archive.readUInt16LE(end + 10) !== 1) throw new Error('the ZIP archive has more than one file')
  const entry = archive.readUInt32LE(end + 16)
  if (archive.readUInt32LE(entry) !== ENTRY) throw new Error('the ZIP archive is damaged')
  const method = archive.readUInt16LE(entry + 10)
  const length = archive.readUInt32LE(entry + 20)
  const local = archive.readUInt32LE(entry + 42)
  const start = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const content = archive.subarray(start, start + length)
  return method === DEFLATED ? inflateRawSync(content) : Buffer.from(content)
}
