import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldX from 'lucide-react/icons/shield-x'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'

interface VerdictFrameProps {
  isFaultless: boolean
  /** The headline when the check has found no fault. */
  headline: string | undefined
  /** Draws the icon in the brand's colour when the check has found no fault. */
  tinted?: boolean
  children: ReactNode
}

/** The frame of a verdict. A mismatch is an alert, so it interrupts screen readers. */
export function VerdictFrame({ isFaultless, headline, tinted = false, children }: VerdictFrameProps) {
  const Icon = isFaultless ? ShieldCheck : ShieldX
  return (
    <div
      role={isFaultless ? 'status' : 'alert'}
      className={cx(
        'flex items-start gap-4 rounded-[16px] p-5',
        isFaultless ? 'bg-ink text-on-ink' : 'bg-(--red-solid) text-white',
      )}
    >
      <Icon
        size={36}
        strokeWidth={1.5}
        className={cx('mt-0.5 shrink-0', isFaultless && tinted && 'text-ink-brand')}
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1">
        <h2 className="text-heading">{isFaultless ? headline : t('check.differs')}</h2>
        {children}
      </div>
    </div>
  )
}

/** The verdict on a file without prices. The first line is the headline. */
export function VerdictBox({ isFaultless, lines }: { isFaultless: boolean; lines: readonly string[] }) {
  const [headline, ...more] = lines
  return (
    <VerdictFrame isFaultless={isFaultless} headline={headline}>
      {(isFaultless ? more : lines).map((line) => (
        <p key={line} className="mt-1 text-small">
          {line}
        </p>
      ))}
    </VerdictFrame>
  )
}
