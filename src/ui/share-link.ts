import { copyText } from '#ui/copy-text.ts'

/** Shares a link with the system's dialog, or copies it when there is none. Returns the outcome. */
export async function shareLink(url: string): Promise<'shared' | 'copied' | 'dismissed' | 'failed'> {
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ url })
      return 'shared'
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'dismissed'
    // Sharing failed or is not allowed: the link is copied instead.
  }
  return (await copyText(url)) ? 'copied' : 'failed'
}
