import { plainText } from '#core/content/markup.ts'
import { cleanText } from '#server/platform/html/sanitize-markup.ts'
import type { Words } from '#server/site/content/content-texts.ts'

/** Sanitises texts for storage: the title loses all markup, and the text keeps only the site's own. */
export function cleanWords({ title, text }: Words): Words {
  return { title: cleanLine(title), text: cleanText(text) }
}

/** Removes all markup from a text that is displayed as plain text. Pasted HTML keeps its words. */
export function cleanLine(text: string): string {
  const cleaned = cleanText(text)
  return cleaned === text ? text : plainText(cleaned)
}
