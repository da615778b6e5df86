import ArrowRight from 'lucide-react/icons/arrow-right'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import X from 'lucide-react/icons/x'
import { isOutside } from '#core/content/safe-link.ts'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'

interface AnnouncementStripProps {
  announcement: { readonly tone: 'info' | 'warn'; readonly text: string; readonly link: string }
  readMore: string
  closeLabel: string
  onClose?: (() => void) | undefined
}

/** A short message of the operator above a screen, with a link to more and a close button. */
export function AnnouncementStrip({ announcement, readMore, closeLabel, onClose }: AnnouncementStripProps) {
  const { tone, text, link } = announcement
  const isWarning = tone === 'warn'
  const Icon = isWarning ? TriangleAlert : Info
  return (
    <div className={cx('border-b border-line', isWarning ? 'bg-warn-tint' : 'bg-brand-tint')}>
      <div className="mx-auto flex max-w-[1120px] items-start gap-2.5 ps-(--gutter) pe-1 text-small text-fg">
        <Icon
          size={18}
          strokeWidth={1.75}
          className={cx('mt-3.25 shrink-0', isWarning ? 'text-warn' : 'text-brand')}
          aria-hidden="true"
        />
        <div className="flex min-w-0 flex-1 flex-wrap gap-x-2.5 py-3 [overflow-wrap:anywhere]">
          <span dir="auto" className="min-w-0">
            {text}
          </span>
          {link !== '' && (
            <Link
              href={link}
              external={isOutside(link)}
              className="hit inline-flex items-center gap-1 font-semibold text-brand underline underline-offset-2"
            >
              {readMore}
              <ArrowRight size={14} className="flip" aria-hidden="true" />
            </Link>
          )}
        </div>
        <IconButton label={closeLabel} icon={<X size={18} strokeWidth={1.75} aria-hidden="true" />} onClick={onClose} />
      </div>
    </div>
  )
}
