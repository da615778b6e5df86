/** The used part of a photo: a square of `side` photo pixels around a centre, all in photo pixels. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const MAX_ZOOM = 4

/** Returns the largest square in the middle of the photo. */
export function wholeCrop({ width, height }: Size): Crop {
  return { x: width / 2, y: height / 2, zoom: 1 }
}

/** Returns the side of the square in photo pixels. */
export function sideOf({ width, height }: Size, { zoom }: Crop): number {
  return Math.min(width, height) / zoom
}

/** Limits a crop to the photo, so that it cannot be dragged or zoomed beyond the edges. */
export function clampCrop(photo: Size, crop: Crop): Crop {
  const zoom = clamp(crop.zoom, 1, MAX_ZOOM)
  const half = sideOf(photo, { ...crop, zoom }) / 2
  return {
    zoom,
    x: clamp(crop.x, half, photo.width - half),
    y: clamp(crop.y, half, photo.height - half),
  }
}

/** Moves a crop by fractions of its side, for a drag or an arrow key. */
export function movedBy(photo: Size, crop: Crop, { right, down }: { right: number; down: number }): Crop {
  const side = sideOf(photo, crop)
  return clampCrop(photo, { ...crop, x: crop.x + right * side, y: crop.y + down * side })
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
