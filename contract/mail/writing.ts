import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

const settings = z.object({
  /** The language model is shown how the user writes: some of his own sent mails. */
  learns_tone: z.boolean(),
  /** The language model reads replies that the rules do not understand. */
  reads_replies: z.boolean(),
})

const settingsReply = z.object({
  ...settings.shape,
  /** False where there is no language model: then the settings have no effect. */
  model_available: z.boolean(),
})
export type WritingSettings = z.infer<typeof settingsReply>

/** What the user allows a language model to read without being asked each time; nothing at first. */
export const writing = {
  settings: endpoint({
    method: 'GET',
    path: '/writing/settings',
    summary: 'What the language model may read by itself',
    reply: settingsReply,
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/writing/settings',
    summary: 'Change what the language model may read by itself; an absent field is kept',
    body: z.object({
      learns_tone: z.optional(z.boolean()),
      reads_replies: z.optional(z.boolean()),
    }),
    reply: settingsReply,
  }),
}
