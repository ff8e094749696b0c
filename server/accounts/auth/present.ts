import type * as z from 'zod/mini'
import type { account, User } from '#contract/accounts/auth.ts'
import type { sessionRow } from '#contract/accounts/devices.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import type { SessionRow, UserRow } from './store.ts'

/** What every screen needs of the signed-in user. */
export function presentUser(user: UserRow): User {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    profile_image_url: user.profile_image_url,
    is_admin: user.is_admin,
  }
}

/** The user with every profile field. */
export function presentAccount(user: UserRow): z.infer<typeof account> {
  return {
    ...presentUser(user),
    full_name: user.name,
    username: user.username,
    company_name: user.company_name,
    business_name: user.business_name,
    team_size: user.team_size,
    revenue_size: user.revenue_size,
    heard_about_us: user.heard_about_us,
    social_link: user.social_link,
    calendly_link: user.calendly_link,
    job_title: user.job_title,
    phone: user.phone,
    signature: user.signature,
    country: user.country,
    currency: user.currency,
    time_zone: user.time_zone,
    pricing_tier: user.pricing_tier,
    email_confirmed: user.email_confirmed_at !== null,
    created_at: user.created_at.toISOString(),
  }
}

export function presentSession(
  { id, created_at, last_seen_at, ip, user_agent }: SessionRow,
  currentId: string,
): Given<z.infer<typeof sessionRow>> {
  return { id, created_at, last_seen_at, ip, user_agent, current: id === currentId }
}
