import { plainText } from '#core/content/markup.ts'
import { sanitizeMarkup } from '#server/platform/html/sanitize-markup.ts'
import type { ContentText } from '#server/site/content/content-texts.ts'

/** Sanitises texts for storage: the title loses all markup, and the text keeps only the site's own markup. */
export function sanitizeContentText({ title, text }: ContentText): ContentText {
  return { title: sanitizeLine(title), text: sanitizeMarkup(text) }
}

/** Removes all markup from a text that is displayed as plain text. Of pasted HTML, the text between the tags stays. */
export function sanitizeLine(text: string): string {
  const cleaned = sanitizeMarkup(text)
  return cleaned === text ? text : plainText(cleaned)
}
