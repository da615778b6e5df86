import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from '#ui/icon-button.tsx'
import { t } from '#back-office/i18n/t.ts'

interface SidePaneProps {
  /** Screen readers announce the title when the pane opens. */
  title: ReactNode
  subtitle?: ReactNode
  onClose: () => void
  /** True while the content is loading. */
  isBusy?: boolean | undefined
  children: ReactNode
  /** The buttons of the actions, always visible at the bottom of the pane. */
  footer?: ReactNode
}

/** A pane of 392 px beside a list; on narrow windows the pane covers the list. Esc closes the pane. */
export function SidePane({ title, subtitle, onClose, isBusy, children, footer }: SidePaneProps) {
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc closes the pane wherever the focus is in it
    <section
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
      className="fixed inset-0 z-40 flex flex-col bg-surface lg:static lg:z-auto lg:h-dvh lg:w-[392px] lg:shrink-0 lg:border-s lg:border-line"
    >
      <header className="flex min-h-16 items-center gap-2 border-b border-line ps-5 pe-2">
        <div className="min-w-0 flex-1">
          <h2 id={titleId} ref={heading} tabIndex={-1} className="truncate font-semibold outline-none">
            {title}
          </h2>
          {subtitle !== undefined && <p className="truncate text-caption text-fg-3">{subtitle}</p>}
        </div>
        <IconButton label={t('common.close')} icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it */}
      <div tabIndex={0} className="flex-1 overflow-y-auto px-5 py-4" aria-busy={isBusy}>
        {children}
      </div>
      {footer && <footer className="border-t border-line px-5 py-3.5">{footer}</footer>}
    </section>
  )
}
