import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

interface SplitPart {
  key: string
  label: ReactNode
  /** The value below the label. */
  value: ReactNode
  /** The share of this part in the bar, in any unit. */
  weight: number
  tone: 'brand' | 'flame' | 'line'
}

const TONES = { brand: 'bg-brand', flame: 'bg-flame', line: 'bg-line-strong' } as const

/** The parts of a balance: an 8 px bar with a legend that names them. */
export function SplitBar({ parts, className }: { parts: readonly SplitPart[]; className?: string | undefined }) {
  const filled = parts.filter((part) => part.weight > 0)
  return (
    <div className={className}>
      <div className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-surface-3" aria-hidden="true">
        {filled.map((part) => (
          <i key={part.key} style={{ flexGrow: part.weight }} className={cx('min-w-1 basis-0', TONES[part.tone])} />
        ))}
      </div>
      <dl className="mt-2.5 flex flex-wrap justify-between gap-x-2 gap-y-2">
        {parts.map((part) => (
          <div key={part.key}>
            <dt className="flex items-center gap-1.5 text-caption whitespace-nowrap text-fg-3">
              <i className={cx('size-2 rounded-[3px]', TONES[part.tone])} aria-hidden="true" />
              {part.label}
            </dt>
            <dd className="text-small font-semibold">{part.value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
