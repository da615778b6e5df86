import { type Crop, sideOf } from '#web/screens/profile-picture/crop.ts'

/** Enough for every place a picture is shown in, twice over. */
const SAVED_SIDE = 512
const QUALITY = 0.9

/** Reads a chosen file as the browser sees it, upright; throws when it is no picture. */
export async function readPhoto(file: File): Promise<ImageBitmap> {
  return createImageBitmap(file, { imageOrientation: 'from-image' })
}

/** Draws the part of a photo that is used over the whole of a canvas. */
export function drawCrop(canvas: HTMLCanvasElement, photo: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const side = sideOf(photo, crop)
  context.imageSmoothingQuality = 'high'
  // Photos with see-through parts get white behind them: a JPEG has nothing else.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(photo, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, canvas.width, canvas.height)
}

/** The part that is used, as a file to be sent; null when the browser cannot make one. */
export async function cutPhoto(photo: ImageBitmap, crop: Crop): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = SAVED_SIDE
  canvas.height = SAVED_SIDE
  drawCrop(canvas, photo, crop)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
}
