import { copyText } from '#ui/copy-text.ts'

/** Hands a link to the system's sharing, or copies it where there is none; answers what came of it. */
export async function shareLink(url: string): Promise<'shared' | 'copied' | 'dismissed' | 'failed'> {
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ url })
      return 'shared'
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'dismissed'
    // Not allowed, or nothing to share with: a copy does as well.
  }
  return (await copyText(url)) ? 'copied' : 'failed'
}
