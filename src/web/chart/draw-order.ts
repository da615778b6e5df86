import type { ChartColours } from '#web/chart/chart-colours.ts'
import { textPx } from '#web/chart/text-px.ts'

/** The position of an order on the pane, in CSS pixels. */
export interface Place {
  readonly fromX: number
  readonly toX: number
  readonly entryY: number
  readonly exit: { readonly x: number; readonly y: number } | null
}

interface Size {
  width: number
  height: number
}

const HATCH_PITCH = 6
const FLAG_HEIGHT = 20
/** How far a text moves inwards when the flag would cover it: the height of the flag and a gap of 4 px. */
const FLAG_ROW = FLAG_HEIGHT + 4

function font(): string {
  return `600 ${textPx(12)}px "Hanken Grotesk Variable", system-ui, sans-serif`
}

/** The expiry label, at the top of the chart, or at the bottom if `isLow`. */
export interface Flag {
  readonly label: string
  readonly isLow: boolean
}

/**
 * Draws both sides of the entry price from entry to expiry: the winning side tinted, the losing side tinted and
 * hatched. Texts that would overlap the flag move one line inwards.
 */
export function drawZones(
  canvas: CanvasRenderingContext2D,
  { fromX, toX, entryY }: Place,
  look: {
    size: Size
    colours: ChartColours
    isBuy: boolean
    words: { above: string; below: string } | null
    flag: Flag
  },
): void {
  const { size, colours, isBuy, words, flag } = look
  const above = { x: fromX, y: 0, width: toX - fromX, height: Math.max(0, entryY) }
  const below = { x: fromX, y: entryY, width: toX - fromX, height: Math.max(0, size.height - entryY) }
  const [win, lose] = isBuy ? [above, below] : [below, above]
  fill(canvas, win, colours.up, 0.11)
  fill(canvas, lose, colours.down, 0.07)
  hatch(canvas, lose, colours.down)
  if (words === null) return
  canvas.font = font()
  const x = Math.max(8, fromX + 10)
  const flagX = flagPlace(canvas, toX, size, flag).x
  const edgeOf = (text: string, isBelow: boolean) =>
    flag.isLow === isBelow && x + canvas.measureText(text).width > flagX - 6 ? 12 + textPx(FLAG_ROW) : 12
  const [top, bottom] = [edgeOf(words.above, false), edgeOf(words.below, true)]
  canvas.textBaseline = 'top'
  canvas.fillStyle = isBuy ? colours.up : colours.down
  if (entryY > top + textPx(22)) canvas.fillText(words.above, x, top)
  canvas.textBaseline = 'bottom'
  canvas.fillStyle = isBuy ? colours.down : colours.up
  if (size.height - entryY > bottom + textPx(22)) canvas.fillText(words.below, x, size.height - bottom)
}

/** Draws the line at the entry price from the entry on, and the hollow dot at the entry. */
export function drawEntry(
  canvas: CanvasRenderingContext2D,
  { fromX, entryY }: Place,
  { size, colours }: { size: Size; colours: ChartColours },
): void {
  canvas.strokeStyle = colours.brand
  canvas.lineWidth = 1.5
  line(canvas, [Math.max(fromX, 0), entryY], [size.width, entryY])
  canvas.fillStyle = colours.bg
  canvas.lineWidth = 2
  dot(canvas, fromX, entryY, 4.5)
  canvas.stroke()
}

/**
 * Draws the dashed vertical line at the expiry with its time on a flag. If the expiry is beyond the edge, the flag
 * stays at the edge.
 */
export function drawExpiry(
  canvas: CanvasRenderingContext2D,
  { toX }: Place,
  look: { size: Size; colours: ChartColours; flag: Flag },
): void {
  const { size, colours, flag } = look
  if (toX < 0) return
  if (toX <= size.width) {
    canvas.strokeStyle = colours.brand
    canvas.lineWidth = 1.5
    canvas.setLineDash([4, 3])
    line(canvas, [toX, 0], [toX, size.height])
  }
  canvas.font = font()
  const { x, y, width } = flagPlace(canvas, toX, size, flag)
  canvas.fillStyle = colours.brandSolid
  canvas.beginPath()
  canvas.roundRect(x, y, width, textPx(FLAG_HEIGHT), 6)
  canvas.fill()
  canvas.fillStyle = colours.onBrand
  canvas.textBaseline = 'middle'
  canvas.fillText(flag.label, x + 10, y + textPx(FLAG_HEIGHT) / 2 + 0.5)
}

/** Returns the position of the flag, measured with the font of the canvas. */
function flagPlace(canvas: CanvasRenderingContext2D, toX: number, size: Size, { label, isLow }: Flag) {
  const width = canvas.measureText(label).width + 20
  const y = isLow ? size.height - textPx(FLAG_HEIGHT) - 10 : 6
  return { x: Math.max(2, Math.min(toX - width / 2, size.width - width - 2)), y, width }
}

/** Draws the solid dot at the exit price. */
export function drawExit(
  canvas: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  colours: ChartColours,
): void {
  canvas.setLineDash([])
  canvas.fillStyle = colours.brandSolid
  canvas.strokeStyle = colours.bg
  canvas.lineWidth = 2
  dot(canvas, x, y, 5)
  canvas.stroke()
}

/** Draws a dashed line across the pane at the newest price. */
export function drawLastPrice(
  canvas: CanvasRenderingContext2D,
  y: number,
  { size, colours }: { size: Size; colours: ChartColours },
): void {
  canvas.save()
  canvas.strokeStyle = colours.text
  canvas.globalAlpha = 0.55
  canvas.setLineDash([3, 3])
  canvas.beginPath()
  canvas.moveTo(0, Math.round(y) + 0.5)
  canvas.lineTo(size.width, Math.round(y) + 0.5)
  canvas.stroke()
  canvas.restore()
}

/** Draws the newest price as a dot in a faint ring. */
export function drawNow(
  canvas: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  colours: ChartColours,
): void {
  canvas.save()
  canvas.fillStyle = colours.text
  canvas.globalAlpha = 0.18
  dot(canvas, x, y, 9)
  canvas.globalAlpha = 1
  dot(canvas, x, y, 4)
  canvas.restore()
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

function fill(canvas: CanvasRenderingContext2D, { x, y, width, height }: Box, colour: string, alpha: number): void {
  canvas.globalAlpha = alpha
  canvas.fillStyle = colour
  canvas.fillRect(x, y, width, height)
  canvas.globalAlpha = 1
}

/** Draws lines at 45° across a box, so that the losing side is visible without colours. */
function hatch(canvas: CanvasRenderingContext2D, box: Box, colour: string): void {
  // Only the visible part is hatched: on a chart of minutes, an order that lasts a day is thousands of pixels wide.
  const x = Math.max(box.x, -HATCH_PITCH)
  const right = Math.min(box.x + box.width, 4_000)
  if (right <= x || box.height <= 0) return
  canvas.save()
  canvas.beginPath()
  canvas.rect(x, box.y, right - x, box.height)
  canvas.clip()
  canvas.strokeStyle = colour
  canvas.globalAlpha = 0.2
  canvas.lineWidth = 1
  canvas.beginPath()
  const pitch = HATCH_PITCH * Math.SQRT2
  for (let start = Math.floor((x - box.height) / pitch) * pitch; start < right; start += pitch) {
    canvas.moveTo(start, box.y + box.height)
    canvas.lineTo(start + box.height, box.y)
  }
  canvas.stroke()
  canvas.restore()
}

function line(canvas: CanvasRenderingContext2D, [x1, y1]: [number, number], [x2, y2]: [number, number]): void {
  canvas.beginPath()
  canvas.moveTo(x1, y1)
  canvas.lineTo(x2, y2)
  canvas.stroke()
}

function dot(canvas: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  canvas.beginPath()
  canvas.arc(x, y, radius, 0, 2 * Math.PI)
  canvas.fill()
}
