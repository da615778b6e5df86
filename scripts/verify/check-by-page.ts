import { vi } from 'vitest'
import { readBundleFile } from '#core/proof/bundle-file.ts'
import { checkFile } from '#web/receipts/check-order.ts'

/**
 * Checks a file as the check page does. `keys` are the keys that the server would send. If `keys` is null, the server
 * counts as unreachable. Returns null for a file that is not a check file.
 */
export async function checkByPage(text: string, keys: readonly object[] | null) {
  vi.stubGlobal('fetch', () =>
    keys === null
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(Response.json({ data: { keys } })),
  )
  const content = readBundleFile(text)
  return typeof content === 'string' ? null : await checkFile(content)
}
