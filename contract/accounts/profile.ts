import * as z from 'zod/mini'
import { account } from './auth.ts'
import { username } from './new-accounts.ts'
import { BODY_MAX, endpoint } from '../platform/endpoint.ts'
import { countryCode } from '../platform/countries.ts'
import { atMost, line, link, requiredLine, text, timeZone } from '../platform/values.ts'

/** The largest profile image that is uploaded as a file. */
export const PROFILE_IMAGE_BYTES_MAX = 10 * 1024 * 1024
/** The largest one that is sent as a data URL, in characters (about 1 MB of image). */
const PROFILE_IMAGE_SENT_MAX = 1_400_000
/** JSON of the profile in bytes: such an image, whose characters take a byte each, and all other fields. */
const PROFILE_BODY_MAX = PROFILE_IMAGE_SENT_MAX + BODY_MAX
/** The image as it is stored: pixels a side at most, and characters of its data URL at most. */
export const PROFILE_IMAGE_SIDE = 256
export const PROFILE_IMAGE_URL_MAX = 40_000

const profileImage = z.string().check(
  atMost(PROFILE_IMAGE_SENT_MAX, 'Please choose an image under 1 MB'),
  z.refine(
    (url) => url === '' || /^data:image\/(png|jpeg|gif|webp|avif);base64,[\w+/]*={0,2}$/.test(url),
    'Please upload an image',
  ),
)

export const profile = {
  update: endpoint({
    method: 'PUT',
    path: '/auth/profile',
    summary: 'Change profile fields; an absent field is kept',
    bodyMax: PROFILE_BODY_MAX,
    body: z.object({
      full_name: z.optional(requiredLine(120, 'Please enter your full name')),
      username: z.optional(username),
      company_name: z.optional(line(200)),
      business_name: z.optional(line(200)),
      team_size: z.optional(line(100)),
      revenue_size: z.optional(line(200)),
      social_link: z.optional(link(500)),
      calendly_link: z.optional(link(500)),
      job_title: z.optional(line(200)),
      phone: z.optional(line(60)),
      signature: z.optional(text(2000)),
      profile_image_url: z.optional(z.nullable(profileImage)),
      country: z.optional(countryCode),
      time_zone: z.optional(timeZone),
    }),
    reply: account,
  }),
  uploadImage: endpoint({
    method: 'POST',
    path: '/auth/profile/image',
    summary: 'Upload a profile image; it is scaled to 256 pixels and loses its metadata',
    upload: { maxBytes: PROFILE_IMAGE_BYTES_MAX },
    reply: account,
    limit: { max: 30, seconds: 600 },
  }),
}
