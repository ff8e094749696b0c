import { findUser } from '../../accounts/auth/auth.ts'
import { voiceOf } from '../briefs/briefs.ts'
import type { Context } from '../../platform/context.ts'
import type { TemplateWriter } from './field-values.ts'

/** The user as the writer of mails. */
export async function writerOfTemplates(context: Context, userId: number): Promise<TemplateWriter> {
  const [user, voice] = await Promise.all([findUser(context.db, userId), voiceOf(context.db, userId)])
  return {
    name: user?.name ?? '',
    company: user?.company_name || user?.business_name || '',
    role: user?.job_title ?? '',
    voice,
  }
}
