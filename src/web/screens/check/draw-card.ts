import { encode } from 'uqr'
import { isolated } from '#messages/find-text.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import type { CardWords } from '#web/screens/check/card-words.ts'

/** The size of the picture in px. Social networks show this size without cutting it. */
export const CARD = { width: 1200, height: 630 } as const

const EDGE = 64
const QR = { size: 216, quiet: 2 } as const
const DEMO_HEIGHT = 56
/** The width in px of the texts beside the QR code. */
const TEXT_WIDTH = CARD.width - EDGE * 3 - QR.size

interface Look {
  readonly canvas: CanvasRenderingContext2D
  readonly token: (name: string) => string
  readonly family: string
  readonly isRtl: boolean
}

/** Draws the picture in the colours, font and direction of the page. */
export function drawCard(element: HTMLCanvasElement, words: CardWords): void {
  const canvas = element.getContext('2d')
  if (canvas === null) return
  const styles = getComputedStyle(element)
  const { dir } = currentLanguage()
  canvas.direction = dir
  canvas.textBaseline = 'alphabetic'
  const look: Look = {
    canvas,
    token: (name) => styles.getPropertyValue(name).trim(),
    family: styles.fontFamily,
    isRtl: dir === 'rtl',
  }
  canvas.fillStyle = look.token('--surface')
  canvas.fillRect(0, 0, CARD.width, CARD.height)
  drawHead(look, words)
  drawVerdict(look, words)
  drawRows(look, words)
  drawCode(look, words.address)
  if (words.demo !== null) drawDemo(look, words.demo)
}

function drawHead(look: Look, { site, checked }: CardWords): void {
  const { canvas, token } = look
  const size = 52
  canvas.save()
  canvas.translate(startOf(look, EDGE, size), EDGE - 8)
  canvas.scale(size / 28, size / 28)
  drawMark(canvas, token('--logo'))
  canvas.restore()
  write(look, site, { x: EDGE + size + 16, y: EDGE + 31, size: 34, weight: 700, colour: '--text', width: 520 })
  canvas.textAlign = 'end'
  const x = look.isRtl ? EDGE : CARD.width - EDGE
  setFont(look, 28, 600)
  canvas.fillStyle = token('--brand')
  canvas.fillText(`✓ ${checked}`, x, EDGE + 29)
}

/** Draws the mark of the `LogoMark` component, in a square of 28 px. */
function drawMark(canvas: CanvasRenderingContext2D, tile: string): void {
  const fill = (path: Path2D, colour: string) => {
    canvas.fillStyle = colour
    canvas.fill(path)
  }
  const square = new Path2D()
  square.roundRect(0, 0, 28, 28, 7.84)
  fill(square, tile)
  const body = new Path2D()
  body.roundRect(10.5, 12.5, 7, 9, 1.8)
  fill(body, '#fff')
  canvas.strokeStyle = '#fff'
  canvas.lineWidth = 1.8
  canvas.lineCap = 'round'
  canvas.stroke(new Path2D('M14 21.5V24M14 12.5v-2'))
  fill(new Path2D('M14 3.6c1.7 1.7 2.3 2.7 2.3 3.7a2.3 2.3 0 0 1-4.6 0c0-1 .6-2 2.3-3.7Z'), '#F5B25E')
}

function drawVerdict(look: Look, { headline, sentence, order, percent }: CardWords): void {
  const width = CARD.width - EDGE * 2
  write(look, headline, { y: 196, size: 54, weight: 700, colour: '--text', width })
  write(look, sentence, { y: 242, size: 26, weight: 400, colour: '--text-2', width })
  const bought = percent === null ? order : `${order} · ${isolated(percent, currentLanguage())}`
  write(look, bought, { y: 318, size: 36, weight: 600, colour: '--text', width: TEXT_WIDTH })
}

function drawRows(look: Look, { rows, address }: CardWords): void {
  let y = 370
  for (const { label, value } of rows) {
    write(look, label, { y, size: 22, weight: 400, colour: '--text-3', width: 210 })
    const shown = isolated(value, currentLanguage())
    write(look, shown, { x: EDGE + 226, y, size: 24, weight: 600, colour: '--text', width: TEXT_WIDTH - 226 })
    y += 38
  }
  write(look, address, { y: y + 14, size: 22, weight: 400, colour: '--text-3', width: TEXT_WIDTH })
}

/** Draws the QR code, black on white in both themes, because scanners expect these colours. */
function drawCode(look: Look, address: string): void {
  const { canvas } = look
  const { data, size } = encode(address, { ecc: 'M', border: QR.quiet })
  const cell = Math.floor(QR.size / size)
  const [left, top] = [startOf(look, CARD.width - EDGE - cell * size, cell * size), 318]
  canvas.fillStyle = '#fff'
  canvas.fillRect(left, top, cell * size, cell * size)
  canvas.fillStyle = '#000'
  data.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) canvas.fillRect(left + x * cell, top + y * cell, cell, cell)
    })
  })
}

function drawDemo(look: Look, text: string): void {
  const { canvas, token } = look
  canvas.fillStyle = token('--warn-tint')
  canvas.fillRect(0, CARD.height - DEMO_HEIGHT, CARD.width, DEMO_HEIGHT)
  write(look, text, { y: CARD.height - 20, size: 24, weight: 600, colour: '--warn', width: CARD.width - EDGE * 2 })
}

interface Writing {
  /** Distance in px from the side on which lines of the language begin. */
  readonly x?: number
  readonly y: number
  readonly size: number
  readonly weight: number
  /** A colour of the page. */
  readonly colour: string
  /** The maximum width in px. A wider text is drawn in a smaller size. */
  readonly width: number
}

function write(look: Look, text: string, { x = EDGE, y, size, weight, colour, width }: Writing): void {
  const { canvas, token } = look
  setFont(look, size, weight)
  const measured = canvas.measureText(text).width
  if (measured > width) setFont(look, (size * width) / measured, weight)
  canvas.textAlign = 'start'
  canvas.fillStyle = token(colour)
  canvas.fillText(text, startOf(look, x, 0), y)
}

function setFont({ canvas, family }: Look, size: number, weight: number): void {
  canvas.font = `${weight} ${size}px ${family}`
}

/** Returns the left edge of an element, mirrored for right-to-left languages. */
function startOf({ isRtl }: Look, x: number, width: number): number {
  return isRtl ? CARD.width - x - width : x
}
