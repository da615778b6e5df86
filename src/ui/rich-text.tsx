import type { Block, Inline } from '#core/content/markup.ts'
import { isOutside } from '#core/content/safe-link.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'

interface RichTextProps {
  blocks: readonly Block[]
  className?: string | undefined
}

/**
 * Renders markup written by staff, block by block. Content becomes text nodes only, so no script in the markup can run.
 */
export function RichText({ blocks, className }: RichTextProps) {
  return (
    <div className={cx('flex flex-col gap-3 [overflow-wrap:anywhere]', className)} dir="auto">
      {blocks.map((block, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the blocks of a text never move
        <BlockView key={place} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'heading') {
    return (
      <h2 className="mt-2 text-heading first:mt-0">
        <Inlines inlines={block.inlines} />
      </h2>
    )
  }
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Inlines inlines={block.inlines} />
      </p>
    )
  }
  return (
    <ul className="flex list-disc flex-col gap-2 ps-5 marker:text-fg-3">
      {block.items.map((inlines, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- nor do the items of a list
        <li key={place}>
          <Inlines inlines={inlines} />
        </li>
      ))}
    </ul>
  )
}

function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, place) => {
    const key = `${place} ${inline.text}`
    if (inline.kind === 'bold') {
      return (
        <strong key={key} className="font-semibold text-fg">
          {inline.text}
        </strong>
      )
    }
    if (inline.kind === 'link') {
      return (
        <Link
          key={key}
          href={inline.to}
          external={isOutside(inline.to)}
          className="text-brand underline underline-offset-2"
        >
          {inline.text}
        </Link>
      )
    }
    return inline.text
  })
}
