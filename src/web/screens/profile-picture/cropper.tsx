/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions --
   the canvas shows the photo and is moved by drag and arrow keys; the slider below zooms */
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from 'react'
import { t } from '#web/i18n/t.ts'
import { type Crop, clampCrop, MAX_ZOOM, movedBy } from '#web/screens/profile-picture/crop.ts'
import { drawCrop } from '#web/screens/profile-picture/photo.ts'

const VIEW_SIDE = 560
const STEP = 0.04
const ZOOM_STEP = 0.1

interface CropperProps {
  photo: ImageBitmap
  crop: Crop
  onChange: (crop: Crop) => void
}

/** Selects a square of a photo. Dragging or arrow keys move it; the slider or plus and minus zoom. */
export function Cropper({ photo, crop, onChange }: CropperProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const from = useRef<{ x: number; y: number } | null>(null)
  const helpId = useId()
  useEffect(() => {
    if (canvas.current !== null) drawCrop(canvas.current, photo, crop)
  }, [photo, crop])

  const move = (right: number, down: number) => onChange(movedBy(photo, crop, { right, down }))
  const zoomTo = (zoom: number) => onChange(clampCrop(photo, { ...crop, zoom }))

  function drag(event: PointerEvent<HTMLCanvasElement>): void {
    if (from.current === null) return
    const { width } = event.currentTarget.getBoundingClientRect()
    // The photo follows the finger, so the square moves the opposite way.
    move((from.current.x - event.clientX) / width, (from.current.y - event.clientY) / width)
    from.current = { x: event.clientX, y: event.clientY }
  }

  function press(event: KeyboardEvent<HTMLCanvasElement>): void {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => move(-STEP, 0),
      ArrowRight: () => move(STEP, 0),
      ArrowUp: () => move(0, -STEP),
      ArrowDown: () => move(0, STEP),
      '+': () => zoomTo(crop.zoom + ZOOM_STEP),
      '=': () => zoomTo(crop.zoom + ZOOM_STEP),
      '-': () => zoomTo(crop.zoom - ZOOM_STEP),
    }
    const act = moves[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <div className="flex flex-col items-center gap-3">
      <canvas
        ref={canvas}
        width={VIEW_SIDE}
        height={VIEW_SIDE}
        tabIndex={0}
        role="img"
        aria-label={t('profile_picture.crop')}
        aria-describedby={helpId}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={drag}
        onPointerUp={() => (from.current = null)}
        onPointerCancel={() => (from.current = null)}
        className="aspect-square w-full max-w-[280px] cursor-grab touch-none rounded-full bg-surface-2 active:cursor-grabbing"
      />
      <p id={helpId} className="text-center text-caption text-fg-3">
        {t('profile_picture.crop_help')}
      </p>
      <label className="flex min-h-11 w-full max-w-[320px] items-center gap-3 text-label font-medium text-fg-2">
        {t('profile_picture.zoom')}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => zoomTo(Number(event.target.value))}
          className="h-11 flex-1 accent-(--brand-solid)"
        />
      </label>
    </div>
  )
}
