import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

/** The largest number of AI requests a day that a user may set as his own limit. */
export const AI_CAP_MAX = 10_000
export const AI_CAP_WRONG = `Please enter a whole number from 1 to ${AI_CAP_MAX.toLocaleString('en')}, or leave it empty`

const sums = z.object({
  /** Those that were answered. */
  requests: z.number(),
  failed: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** How long the model took. */
  milliseconds: z.number(),
  /** Estimated, in millionths of a US dollar; null where no price is known. */
  cost: z.nullable(z.number()),
  /** True where the price of a part is unknown: the cost is at least this. */
  cost_is_partial: z.boolean(),
})
export type AiUsageSums = z.infer<typeof sums>

const limit = z.object({
  /** Null: any number. */
  requests_a_day: z.nullable(z.number()),
  left: z.nullable(z.number()),
})

const usage = z.object({
  /** Today in the user's time zone. */
  day: z.iso.date(),
  /** Who answers now; without a name nobody does. */
  model: z.object({ name: z.nullable(z.string()), is_own: z.boolean() }),
  /** AI requests that can still be made today, by plan, credits and limits; null: any number. */
  left: z.nullable(z.number()),
  plan: limit,
  /** The user's own limit. */
  cap: limit,
  /** The operator's; used up where all users together have used what there is. */
  server: z.extend(limit, { is_used_up: z.boolean() }),
  /** Credits that can be spent now. */
  credits: z.number(),
  today: sums,
  month: sums,
  /** By what the requests were for: `chat`, `reply`, `outreach` and others. */
  purposes: z.array(z.object({ purpose: z.string(), today: sums, month: sums })),
})
export type AiUsage = z.infer<typeof usage>

export const aiUsage = {
  get: endpoint({
    method: 'GET',
    path: '/ai-usage',
    summary: 'AI requests of today and of this month, with tokens, estimated cost and what is left today',
    reply: usage,
  }),
  saveCap: endpoint({
    method: 'PUT',
    path: '/ai-usage/cap',
    summary: 'Set how many AI requests a day the user allows himself; null: any number',
    body: z.object({
      requests_a_day: z.nullable(
        z.int(AI_CAP_WRONG).check(z.minimum(1, AI_CAP_WRONG), z.maximum(AI_CAP_MAX, AI_CAP_WRONG)),
      ),
    }),
    reply: usage,
  }),
}
