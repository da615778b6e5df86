import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const IS_TEXT = /\.(js|css|html|svg|json|txt|webmanifest)$/
/** Smaller replies fit one packet uncompressed. The server does not compress them either. */
const WORTH_BYTES = 1_024

const packings = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) }

/**
 * Writes a compressed copy of every built text file at the highest level, so that the server does not compress at run
 * time.
 */
export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => IS_TEXT.test(name))
      await Promise.all(files.map((name) => pack(join(folder, name))))
    },
  }
}

async function pack(file: string): Promise<void> {
  const text = readFileSync(file)
  if (text.byteLength < WORTH_BYTES) return
  for (const [ending, compress] of Object.entries(packings)) {
    const packed = await compress(text)
    if (packed.byteLength < text.byteLength) writeFileSync(file + ending, packed)
  }
}
