import sharp from 'sharp'
import { PROFILE_IMAGE_SIDE, PROFILE_IMAGE_URL_MAX } from '#contract/accounts/profile.ts'

/** What the process is asked, and what it answers. The fault says whether the image has more pixels than were allowed. */
export type ImageRequest = { bytes: Uint8Array; pixelsMax: number }
export type ImageResult = { url: string } | { fault: 'pixels' | 'unreadable' }

/** libvips can read many more formats, among them SVG and PDF. Nothing but these loaders may run on an upload. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)
/** WebP qualities, best first. The first that fits into the data URL is taken. */
const QUALITIES = [85, 70, 50, 30, 10]

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })

async function render({ bytes, pixelsMax }: ImageRequest): Promise<ImageResult> {
  const side = PROFILE_IMAGE_SIDE
  try {
    // The limit holds before anything is decoded: width and height are in the head of a file.
    const { data, info } = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'cover', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    for (const quality of QUALITIES) {
      const webp = await sharp(data, { raw: { width, height, channels } }).webp({ quality }).toBuffer()
      const url = `data:image/webp;base64,${webp.toString('base64')}`
      if (url.length <= PROFILE_IMAGE_URL_MAX) return { url }
    }
  } catch (error) {
    if (/pixel limit/i.test((error as Error).message)) return { fault: 'pixels' }
  }
  return { fault: 'unreadable' }
}

process.on('message', async (request: ImageRequest) => process.send?.(await render(request)))
process.send?.('ready')
