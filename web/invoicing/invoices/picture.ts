import { PICTURE_URL_MAX } from '#contract/invoicing/invoices.ts'

const MEGABYTES_MAX = 10
/** Pixels for a point: twice the 96 a inch that a browser prints with. */
const PIXELS_PER_POINT = (96 / 72) * 2
const QUALITY = 0.98
export const NO_PICTURE = 'Please choose an image file'

/**
 * A chosen picture as a JPEG on white, at most twice as large as it is printed.
 *
 * @param box the largest that it is printed, in points
 * @throws Error with a sentence for the user
 */
export async function pictureFrom(file: File, box: { width: number; height: number }): Promise<string> {
  // A drawing in SVG may hold scripts and addresses; browsers do not all read it the same.
  if (!file.type.startsWith('image/') || file.type.includes('svg')) throw new Error(NO_PICTURE)
  if (file.size > MEGABYTES_MAX * 1024 * 1024)
    throw new Error(`Please choose an image under ${MEGABYTES_MAX} MB`)
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(NO_PICTURE)
  })
  try {
    const most = { width: box.width * PIXELS_PER_POINT, height: box.height * PIXELS_PER_POINT }
    const scale = Math.min(1, most.width / bitmap.width, most.height / bitmap.height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const pen = canvas.getContext('2d')
    if (pen === null) throw new Error(NO_PICTURE)
    pen.fillStyle = '#ffffff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const url = canvas.toDataURL('image/jpeg', QUALITY)
    if (url.length > PICTURE_URL_MAX) throw new Error('Please choose a simpler image')
    return url
  } finally {
    bitmap.close()
  }
}
