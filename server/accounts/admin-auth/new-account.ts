import { randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { NewUser } from '../auth/auth.ts'

/** An account for an administrator, without what a sign-up asks for besides. The user name is free: it has a random end. */
export function newAccount(
  { clock }: Pick<Context, 'clock'>,
  { name, email }: { name: string; email: string },
): Omit<NewUser, 'password_hash'> {
  const username = `admin-${randomBytes(4).toString('hex')}`
  return {
    email,
    email_key: email.toLowerCase(),
    username,
    username_key: username,
    name,
    business_name: '',
    company_name: '',
    team_size: '',
    revenue_size: '',
    heard_about_us: '',
    social_link: '',
    calendly_link: '',
    job_title: '',
    phone: '',
    referred_by_code: '',
    created_at: clock.now(),
  }
}
