import { plainText } from '#core/content/markup.ts'
import { cleanText } from '#server/platform/html/sanitize-markup.ts'
import type { Words } from '#server/site/content/content-texts.ts'

/** Words as they are kept: a title without markup, a text with ours, whatever was pasted. */
export function cleanWords({ title, text }: Words): Words {
  return { title: cleanLine(title), text: cleanText(text) }
}

/** A text that is drawn as it is, without markup. HTML that was pasted leaves its words. */
export function cleanLine(text: string): string {
  const cleaned = cleanText(text)
  return cleaned === text ? text : plainText(cleaned)
}
