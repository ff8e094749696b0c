import * as z from 'zod/mini'
import { emailActions } from './email-actions.ts'
import { emailReading } from './email-reading.ts'
import { emailWriting } from './email-writing.ts'
import { endpoint } from '../platform/endpoint.ts'
import { atMost } from '../platform/values.ts'

export {
  type Delivery,
  type Email,
  type EmailDetail,
  type EmailSummary,
  type Folder,
  type Intent,
  type Invitation,
  FOLDERS,
  INTENTS,
  SUBJECT_MAX,
} from './email.ts'

/** Every call on mails. */
export const emails = {
  ...emailReading,
  ...emailActions,
  ...emailWriting,
  unsubscribePage: endpoint({
    method: 'GET',
    path: '/unsubscribe/:token',
    access: 'public',
    summary: 'Whom the link of a mail stands for; changes nothing',
    params: z.object({ token: z.string().check(atMost(300)) }),
    reply: z.object({ address: z.string(), sender: z.string(), unsubscribed: z.boolean() }),
    limit: { max: 120, seconds: 300 },
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/unsubscribe/:token',
    // The URL in List-Unsubscribe: mail programs POST to the same page that people open.
    root: true,
    forOtherSites: true,
    access: 'public',
    summary: 'Take an address off the list; no session needed (RFC 8058)',
    params: z.object({ token: z.string().check(atMost(300)) }),
    reply: z.object({ address: z.string(), sender: z.string(), unsubscribed: z.boolean() }),
    limit: { max: 600, seconds: 300 },
  }),
}
