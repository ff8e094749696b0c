import * as z from 'zod/mini'
import { account, username } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { countryCode, line, requiredLine, text, timeZone } from './values.ts'

/** The largest profile picture, as a data URL's characters (about 1 MB of image). */
export const PROFILE_IMAGE_MAX = 1_400_000

const profileImage = z.string().check(
  z.maxLength(PROFILE_IMAGE_MAX, 'Please choose an image under 1 MB'),
  z.refine(
    (url) => url === '' || /^data:image\/(png|jpeg|gif|webp);base64,[\w+/]*={0,2}$/.test(url),
    'Please upload an image',
  ),
)

export const profile = {
  update: endpoint({
    method: 'PUT',
    path: '/auth/profile',
    access: 'user',
    summary: 'Change profile fields; an absent field is kept',
    body: z.object({
      full_name: z.optional(requiredLine(120, 'Please enter your full name')),
      username: z.optional(username),
      company_name: z.optional(line(200)),
      business_name: z.optional(line(200)),
      team_size: z.optional(line(100)),
      revenue_size: z.optional(line(200)),
      social_link: z.optional(line(500)),
      calendly_link: z.optional(line(500)),
      job_title: z.optional(line(200)),
      phone: z.optional(line(60)),
      signature: z.optional(text(2000)),
      profile_image_url: z.optional(z.nullable(profileImage)),
      country: z.optional(countryCode),
      time_zone: z.optional(timeZone),
    }),
    reply: account,
    errors: ['INVALID_INPUT'],
  }),
}
