import { PROFILE_IMAGE_SIDE, PROFILE_IMAGE_URL_MAX } from '#contract/profile.ts'
import { invalidInput } from '../errors.ts'
import { sniffType } from '../mail/sniff-type.ts'

const FORMATS = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])
/** libvips can read many more formats, among them SVG and PDF. Nothing but these loaders may run on an upload. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)
/** The largest image that is decoded. Beyond it a small file could fill the memory. */
const PIXELS_MAX = 50_000_000
/** The longest that one image may take to decode and scale. */
const SECONDS_MAX = 20
/** WebP qualities, best first. The first that fits into the data URL is taken. */
const QUALITIES = [85, 70, 50, 30, 10]

/** Images are rendered one at a time: decoding the largest one takes some hundred megabytes. */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Makes a profile image of an uploaded file: upright, square at most, without metadata, as a data URL of WebP.
 *
 * @throws Refusal 400 for bytes that are not an image, or an image of too many pixels
 */
export async function renderProfileImage(bytes: Buffer): Promise<string> {
  if (!FORMATS.has(sniffType('', bytes))) throw notAnImage()
  const own = previous.then(() => render(bytes))
  previous = own.catch(() => {})
  return own
}

async function render(bytes: Buffer): Promise<string> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  const side = PROFILE_IMAGE_SIDE
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .timeout({ seconds: SECONDS_MAX })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'cover', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    for (const quality of QUALITIES) {
      const webp = await sharp(data, { raw: { width, height, channels } }).webp({ quality }).toBuffer()
      const url = `data:image/webp;base64,${webp.toString('base64')}`
      if (url.length <= PROFILE_IMAGE_URL_MAX) return url
    }
  } catch (error) {
    throw /pixel limit/i.test((error as Error).message) ? tooManyPixels() : notAnImage()
  }
  throw notAnImage()
}

function notAnImage() {
  return refused('Please upload an image')
}

function tooManyPixels() {
  return refused(
    `This image has more than ${PIXELS_MAX / 1_000_000} megapixels. Please choose a smaller one.`,
  )
}

function refused(why: string) {
  return invalidInput(why, { profile_image_url: why })
}
