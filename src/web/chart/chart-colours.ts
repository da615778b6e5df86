/** The colours of the page with the current theme, resolved for the canvas. */
export interface ChartColours {
  bg: string
  text: string
  text2: string
  text3: string
  line: string
  lineStrong: string
  surface3: string
  brand: string
  brandSolid: string
  brandTint: string
  onBrand: string
  up: string
  down: string
  warn: string
  /** The colours of indicators. They differ from the colours of directions and orders. */
  lines: readonly string[]
}

export function readChartColours(element: Element): ChartColours {
  const styles = getComputedStyle(element)
  const token = (name: string) => styles.getPropertyValue(name).trim()
  return {
    bg: token('--bg'),
    text: token('--text'),
    text2: token('--text-2'),
    text3: token('--text-3'),
    line: token('--line'),
    lineStrong: token('--line-strong'),
    surface3: token('--surface-3'),
    brand: token('--brand'),
    brandSolid: token('--brand-solid'),
    brandTint: token('--brand-tint'),
    onBrand: token('--on-brand'),
    up: token('--up'),
    down: token('--down'),
    warn: token('--warn'),
    lines: [1, 2, 3, 4, 5].map((n) => token(`--chart-${n}`)),
  }
}

/**
 * Adds an alpha value to a hex colour: "#08764a" at 22 % becomes "rgba(8, 118, 74, 0.22)". Other notations are returned
 * unchanged.
 */
export function withAlpha(colour: string, alpha: number): string {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour)
  if (!match) return colour
  const [red, green, blue] = match.slice(1).map((part) => Number.parseInt(part, 16))
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`
}

/** Runs `listener` when the theme or the colours of up and down change. Returns a function that stops it. */
export function onColourChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-updown'] })
  return () => observer.disconnect()
}
