import { type Crop, sideOf } from '#web/screens/profile-picture/crop.ts'

/** 512 px: twice the largest size at which pictures are shown. */
const SAVED_SIDE = 512
const QUALITY = 0.9

/** Reads a chosen file and applies its orientation. Throws if it is not a picture. */
export async function readPhoto(file: File): Promise<ImageBitmap> {
  return createImageBitmap(file, { imageOrientation: 'from-image' })
}

/** Draws the used part of a photo over a whole canvas. */
export function drawCrop(canvas: HTMLCanvasElement, photo: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const side = sideOf(photo, crop)
  context.imageSmoothingQuality = 'high'
  // Transparent parts of a photo get a white background, because JPEG has no transparency.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(photo, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, canvas.width, canvas.height)
}

/** Returns the used part as a file to send; null if the browser cannot create one. */
export async function cutPhoto(photo: ImageBitmap, crop: Crop): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = SAVED_SIDE
  canvas.height = SAVED_SIDE
  drawCrop(canvas, photo, crop)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
}
