import { RichText } from '#ui/rich-text.tsx'
import { htmlBlocks } from '#web/forms/html-blocks.ts'

/** The operator's description of a gateway or method. */
export function OperatorText({ html }: { html: string }) {
  const blocks = htmlBlocks(html)
  return blocks.length === 0 ? null : <RichText blocks={blocks} className="px-0.5 text-small text-fg-2" />
}
