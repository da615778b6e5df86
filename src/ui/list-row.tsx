import ChevronRight from 'lucide-react/icons/chevron-right'
import ExternalLink from 'lucide-react/icons/external-link'
import { Children, type ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'

/** A card of rows. The lines between rows start where the labels start. */
export function List({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <ul className={cx('card overflow-hidden', className)}>
      {Children.map(children, (row) =>
        row === null || row === false || row === undefined ? null : (
          <li className="relative not-first:before:absolute not-first:before:start-12 not-first:before:end-0 not-first:before:top-0 not-first:before:h-px not-first:before:bg-line">
            {row}
          </li>
        ),
      )}
    </ul>
  )
}

interface ListRowProps {
  icon?: ReactNode
  label: ReactNode
  /** A second line below the label. */
  detail?: ReactNode
  /** Muted text at the end. */
  value?: ReactNode
  /** Link target. Without `href` and `onClick` the row is not interactive. */
  href?: string | undefined
  /** Opens in a new tab and shows an icon for it. */
  external?: boolean | undefined
  onClick?: (() => void) | undefined
  /** Replaces the chevron at the end: a switch, a check mark. Null for nothing. */
  end?: ReactNode
  disabled?: boolean | undefined
}

const ROW = 'flex min-h-13 w-full flex-wrap items-center gap-x-3 py-1.5 ps-4 pe-3.5 text-start'
const PRESSABLE = 'transition-colors hover:bg-surface-2 focus-visible:-outline-offset-2 disabled:opacity-55'

/** One row of 52 px: icon, label, value, chevron. */
export function ListRow(props: ListRowProps) {
  const { icon, label, detail, value, href, external = false, onClick, end, disabled } = props
  const goesOn = href !== undefined || onClick !== undefined
  const body = (
    <>
      {icon !== undefined && <span className="grid w-5 shrink-0 place-items-center text-fg-2">{icon}</span>}
      <span className="min-w-min flex-1">
        <span className="block font-list">{label}</span>
        {detail !== undefined && <span className="block text-label text-fg-2">{detail}</span>}
      </span>
      {value !== undefined && <span className="text-end text-label text-fg-3">{value}</span>}
      {end === undefined ? goesOn && <Onward external={external} /> : end}
    </>
  )
  if (href !== undefined) {
    return (
      <Link href={href} external={external} className={cx(ROW, PRESSABLE)}>
        {body}
      </Link>
    )
  }
  if (onClick !== undefined) {
    return (
      <button type="button" onClick={onClick} disabled={disabled} className={cx(ROW, PRESSABLE)}>
        {body}
      </button>
    )
  }
  return <div className={ROW}>{body}</div>
}

function Onward({ external }: { external: boolean }) {
  return external ? (
    <ExternalLink size={16} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
  ) : (
    <ChevronRight size={18} className="flip text-fg-3" aria-hidden="true" />
  )
}
