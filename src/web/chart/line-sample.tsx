/** A piece of an indicator's line: its colour and dashes. */
export function LineSample({ colour }: { colour: number }) {
  return (
    <svg width="14" height="4" viewBox="0 0 14 4" className={`shrink-0 ${COLOURS[colour] ?? ''}`} aria-hidden="true">
      <path d="M0 2h14" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray={DASHES[colour]} />
    </svg>
  )
}

const COLOURS = ['text-(--chart-1)', 'text-(--chart-2)', 'text-(--chart-3)', 'text-(--chart-4)', 'text-(--chart-5)']
/** The patterns of the chart's line styles: solid, dashed, long dashes, dotted, and dots with large gaps. */
const DASHES = [undefined, '4 2', '6 2', '2 2', '2 4']
