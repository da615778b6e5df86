import { fileURLToPath } from 'node:url'

/** The project's folder: two up both from this file and from `dist/server/main.mjs`, which has it inside. */
const ROOT = new URL('../../', import.meta.url)

/** Where a file or folder of the project is, for what is read while the server runs: data, texts, the built apps. */
export function projectFile(path: string): string {
  return fileURLToPath(new URL(path, ROOT))
}
