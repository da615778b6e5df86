import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/icon-button.tsx'

interface HeaderProps {
  /** Start of the header: logo, avatar with name, or symbol button. */
  start: ReactNode
  /** End of the header: icon buttons, "Log in". */
  end?: ReactNode
  className?: string | undefined
}

/** The header of a main page on phones and tablets, 56 px. Pass `lg:hidden` where the top bar replaces it. */
export function Header({ start, end, className }: HeaderProps) {
  return (
    <header
      className={cx(
        '@container/header sticky top-0 z-10 flex min-h-(--header-h) items-center gap-2 bg-bg ps-4 pe-1.5',
        className,
      )}
    >
      <div className="min-w-0 flex-1">{start}</div>
      <div className="flex shrink-0 items-center">{end}</div>
    </header>
  )
}

interface SubHeaderProps {
  title: ReactNode
  /** The name of the section, such as "Wallet", in a small line above the title. */
  crumb?: ReactNode
  backLabel: string
  onBack: () => void
  /** The demo pill. Headers up to 21 rem wide hide it; with a crumb, headers up to 32 rem. */
  demo?: ReactNode
  /** The demo note as a line below the title. The header shows this line at the widths at which it hides the pill. */
  demoLine?: ReactNode
  end?: ReactNode
  className?: string | undefined
}

/** The header of a subpage: back, title, demo pill. */
export function SubHeader({ title, crumb, backLabel, onBack, demo, demoLine, end, className }: SubHeaderProps) {
  return (
    <header
      className={cx(
        '@container/header sticky top-0 z-10 flex min-h-(--header-h) flex-wrap items-center gap-1 bg-bg ps-1 pe-1.5',
        className,
      )}
    >
      <IconButton
        label={backLabel}
        onClick={onBack}
        icon={<ArrowLeft size={22} strokeWidth={1.75} className="flip" aria-hidden="true" />}
      />
      {/* Up to 16 rem the title is below the buttons: beside them, large text would break within words. */}
      <div className="min-w-0 flex-1 @max-[16rem]/header:order-last @max-[16rem]/header:basis-full @max-[16rem]/header:px-3 @max-[16rem]/header:pb-2">
        {crumb !== undefined && <p className="text-micro font-medium text-fg-3">{crumb}</p>}
        <h1 className="text-heading leading-tight wrap-anywhere" tabIndex={-1}>
          {title}
        </h1>
        {demoLine !== undefined && (
          <div className={crumb === undefined ? '@min-[21rem]/header:hidden' : '@min-[32rem]/header:hidden'}>
            {demoLine}
          </div>
        )}
      </div>
      {demo !== undefined && (
        <div className={crumb === undefined ? '@max-[21rem]/header:hidden' : '@max-[32rem]/header:hidden'}>{demo}</div>
      )}
      {end !== undefined && <div className="ms-auto flex shrink-0 items-center">{end}</div>}
    </header>
  )
}

/** Style of a text button in a header: "Log in". */
export const HEADER_WORD =
  'flex h-11 items-center px-2.5 text-small font-semibold whitespace-nowrap text-brand hover:underline underline-offset-4'
