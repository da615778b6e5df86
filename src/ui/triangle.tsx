import { cx } from '#ui/cx.ts'

export type Direction = 'up' | 'down'

/** A small filled triangle. Drawn as SVG, as font glyphs differ between systems. */
export function Triangle({
  direction,
  size = 8,
  className,
}: {
  direction: Direction
  size?: number
  className?: string
}) {
  return (
    <svg
      width={size}
      height={size * 0.75}
      viewBox="0 0 8 6"
      fill="currentColor"
      aria-hidden="true"
      className={cx('triangle', className)}
    >
      <path d={direction === 'up' ? 'M4 0 8 6H0z' : 'M4 6 0 0h8z'} />
    </svg>
  )
}

/** Buy or sell as an arrow. */
export function DirectionArrow({ direction, size = 20 }: { direction: Direction; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={direction === 'up' ? 'm5 12 7-7 7 7M12 19V5' : 'm19 12-7 7-7-7M12 5v14'} />
    </svg>
  )
}

/** The two small triangles in the header of a sortable column. The active one is opaque. */
export function SortMark({ sorted }: { sorted: 'ascending' | 'descending' | null }) {
  const dim = sorted === null ? 0.55 : 0.3
  return (
    <svg width="8" height="10" viewBox="0 0 8 10" fill="currentColor" aria-hidden="true">
      <path d="M4 .5 7 4H1z" opacity={sorted === 'ascending' ? 1 : dim} />
      <path d="M4 9.5 1 6h6z" opacity={sorted === 'descending' ? 1 : dim} />
    </svg>
  )
}

/** The square with an arrow before the title of an order. */
export function DirectionTile({ direction }: { direction: Direction }) {
  return (
    <span
      className={cx(
        'grid size-10 shrink-0 place-items-center rounded-chip',
        direction === 'up' ? 'bg-up-tint text-up' : 'bg-down-tint text-down',
      )}
    >
      <DirectionArrow direction={direction} />
    </span>
  )
}
