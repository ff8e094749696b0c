import type { AiUsage, AiUsageSums } from '#contract/models/ai-usage.ts'

const MILLIONTHS = 1_000_000
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const figures = new Intl.NumberFormat('en')

/** What requests were for, as people call it. */
const PURPOSES: Readonly<Record<string, string>> = {
  chat: 'Questions to Wolfy',
  reply: 'Replies and follow-ups',
  follow_up: 'Follow-ups',
  outreach: 'Bulk runs',
  intent: 'Reading what a reply wants',
}

export function purposeText(purpose: string): string {
  return PURPOSES[purpose] ?? 'Other'
}

/** "1,200". */
export function countText(count: number): string {
  return figures.format(count)
}

/** "1 request", "12 requests". */
export function requestsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'request' : 'requests'}`
}

/** "$0.12", "at least $0.12", "unknown": never more exact than it is known. */
export function costText({ cost, cost_is_partial: isPartial }: AiUsageSums): string {
  if (cost === null) return 'unknown'
  const amount = cost / MILLIONTHS
  if (cost > 0 && amount < 0.01) return isPartial ? 'unknown in part' : `under ${dollars.format(0.01)}`
  if (cost === 0) return dollars.format(0)
  return isPartial ? `at least ${dollars.format(amount)}` : dollars.format(amount)
}

/** Which limit is the nearest one, for the figure of what is left today. */
export function limitText({ left, plan, cap, server, credits }: AiUsage): string {
  if (left === null) return 'No limit is set'
  if (server.is_used_up) return 'This server has used all its AI requests for today'
  if (left === cap.left) return `Of ${countText(cap.requests_a_day ?? 0)} by your own limit`
  if (left === server.left) return `Of ${countText(server.requests_a_day ?? 0)} that this server allows`
  const planned = countText(plan.requests_a_day ?? 0)
  if (credits === 0) return `Of ${planned} by your plan`
  return `${countText(plan.left ?? 0)} of ${planned} by your plan, then ${creditsText(credits)}`
}

function creditsText(credits: number): string {
  return `${countText(credits)} ${credits === 1 ? 'credit' : 'credits'}`
}
