import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useId, useState } from 'react'
import { cx } from '#ui/cx.ts'

interface AccordionItem {
  key: string
  title: ReactNode
  content: ReactNode
}

interface AccordionProps {
  items: readonly AccordionItem[]
  /** Key of the item that is open initially. */
  initial?: string | undefined
  /** Allows the full width, for tables and other content that is not running text. */
  isWide?: boolean | undefined
}

/** Questions and answers in one card. One answer can be open at a time. */
export function Accordion({ items, initial, isWide = false }: AccordionProps) {
  const [open, setOpen] = useState<string | null>(initial ?? null)
  const id = useId()
  return (
    <div className="card overflow-hidden">
      {items.map(({ key, title, content }) => {
        const isOpen = key === open
        const Sign = isOpen ? Minus : Plus
        return (
          <div key={key} className="px-4 not-first:border-t not-first:border-line">
            <h3>
              <button
                type="button"
                id={`${id}-${key}-title`}
                aria-expanded={isOpen}
                aria-controls={`${id}-${key}`}
                onClick={() => setOpen(isOpen ? null : key)}
                className="flex min-h-14 w-full items-center gap-3 py-2 text-start font-semibold"
              >
                <span className="flex-1">{title}</span>
                <Sign size={18} className="text-fg-3" aria-hidden="true" />
              </button>
            </h3>
            <section
              id={`${id}-${key}`}
              aria-labelledby={`${id}-${key}-title`}
              hidden={!isOpen}
              className={cx('pb-4 text-fg-2', !isWide && 'max-w-[46ch]')}
            >
              {content}
            </section>
          </div>
        )
      })}
    </div>
  )
}
