import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldX from 'lucide-react/icons/shield-x'
import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'

/** The verdict on a file without prices. The first line is the headline. A mismatch is an alert, so it interrupts screen readers. */
export function VerdictBox({ isFaultless, lines }: { isFaultless: boolean; lines: readonly string[] }) {
  const Icon = isFaultless ? ShieldCheck : ShieldX
  const [headline, ...more] = isFaultless ? lines : [t('check.differs'), ...lines]
  return (
    <div
      role={isFaultless ? 'status' : 'alert'}
      className={cx(
        'flex items-start gap-4 rounded-[16px] p-5',
        isFaultless ? 'bg-ink text-on-ink' : 'bg-(--red-solid) text-white',
      )}
    >
      <Icon size={36} strokeWidth={1.5} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 className="text-heading">{headline}</h2>
        {more.map((line) => (
          <p key={line} className="mt-1 text-small">
            {line}
          </p>
        ))}
      </div>
    </div>
  )
}
