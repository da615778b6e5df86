import { cx } from '#ui/cx.ts'
import { CopyButton, type CopyLabels } from '#ui/copy-button.tsx'

interface CopyRowProps {
  /**
   * The full text, such as an address, a reference or a hash. The text can wrap anywhere, but prose wraps only between
   * words.
   */
  text: string
  isProse?: boolean
  labels: CopyLabels
  className?: string | undefined
}

/** A text with a copy button that shows for 2 s whether copying worked. */
export function CopyRow({ text, isProse = false, labels, className }: CopyRowProps) {
  return (
    <div className={className}>
      <div className="flex items-center gap-2 rounded-field bg-surface-2 py-2 ps-3.5 pe-2">
        <span className={cx('min-w-0 flex-1 select-all', isProse ? 'text-small break-words' : 'mono break-all')}>
          {text}
        </span>
        <CopyButton text={text} labels={labels} />
      </div>
    </div>
  )
}
