import type { ChartColours } from '#web/chart/chart-colours.ts'

export type MarkOutcome = 'won' | 'lost' | 'draw' | 'void' | 'sold'

interface At {
  readonly x: number
  readonly y: number
}

const SIZE = 7

/** Draws the entry of an order as a triangle in the order's direction. */
export function drawEntryMark(
  canvas: CanvasRenderingContext2D,
  { x, y }: At,
  { colours, isBuy }: { colours: ChartColours; isBuy: boolean },
): void {
  const tip = isBuy ? -5 : 5
  canvas.beginPath()
  canvas.moveTo(x, y + tip)
  canvas.lineTo(x - 5, y - tip * 0.8)
  canvas.lineTo(x + 5, y - tip * 0.8)
  canvas.closePath()
  outlined(canvas, colours.brand, colours.bg)
}

/**
 * Draws the end of an order, with a different colour and shape for each result: won is round, lost a diamond, draw a
 * square.
 */
export function drawOutcome(
  canvas: CanvasRenderingContext2D,
  { x, y }: At,
  { colours, outcome }: { colours: ChartColours; outcome: MarkOutcome },
): void {
  canvas.beginPath()
  if (outcome === 'won' || outcome === 'void') canvas.arc(x, y, SIZE, 0, 2 * Math.PI)
  else if (outcome === 'lost') {
    const corner = SIZE + 1.5
    canvas.moveTo(x, y - corner)
    canvas.lineTo(x + corner, y)
    canvas.lineTo(x, y + corner)
    canvas.lineTo(x - corner, y)
    canvas.closePath()
  } else canvas.roundRect(x - SIZE + 1, y - SIZE + 1, 2 * SIZE - 2, 2 * SIZE - 2, 3)
  const fill = outcome === 'won' ? colours.up : outcome === 'lost' ? colours.down : colours.text3
  outlined(canvas, outcome === 'void' ? colours.bg : fill, outcome === 'void' ? colours.text3 : colours.bg)
  canvas.strokeStyle = outcome === 'void' ? colours.text3 : colours.bg
  canvas.lineWidth = 1.75
  canvas.lineCap = 'round'
  canvas.beginPath()
  SIGNS[outcome](canvas, x, y)
  canvas.stroke()
}

/** The signs used for outcomes across the app: check, cross, equals, and an arrow back for void and sold. */
const SIGNS: Readonly<Record<MarkOutcome, (canvas: CanvasRenderingContext2D, x: number, y: number) => void>> = {
  won: (canvas, x, y) => {
    canvas.moveTo(x - 3, y + 0.25)
    canvas.lineTo(x - 0.75, y + 2.5)
    canvas.lineTo(x + 3, y - 2.5)
  },
  lost: (canvas, x, y) => {
    for (const side of [-1, 1]) {
      canvas.moveTo(x - 2.5 * side, y - 2.5)
      canvas.lineTo(x + 2.5 * side, y + 2.5)
    }
  },
  draw: (canvas, x, y) => {
    for (const side of [-1, 1]) {
      canvas.moveTo(x - 2.75, y + 1.5 * side)
      canvas.lineTo(x + 2.75, y + 1.5 * side)
    }
  },
  void: addArrowBack,
  sold: addArrowBack,
}

function addArrowBack(canvas: CanvasRenderingContext2D, x: number, y: number): void {
  canvas.moveTo(x + 3, y)
  canvas.lineTo(x - 3, y)
  canvas.moveTo(x - 0.75, y - 2.25)
  canvas.lineTo(x - 3, y)
  canvas.lineTo(x - 0.75, y + 2.25)
}

function outlined(canvas: CanvasRenderingContext2D, fill: string, edge: string): void {
  canvas.fillStyle = fill
  canvas.strokeStyle = edge
  canvas.lineWidth = 2
  canvas.stroke()
  canvas.fill()
  if (fill === edge) return
  canvas.lineWidth = 1
  canvas.stroke()
}
