const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** "$1.2M", "−$300": an amount where there is no room for all of it. */
export function shortMoney(value: number): string {
  return `${value < 0 ? '\u2212' : ''}$${COMPACT.format(Math.abs(value))}`
}

const COUNT = new Intl.NumberFormat('en')

/** "12,345" */
export function whole(value: number): string {
  return COUNT.format(value)
}
