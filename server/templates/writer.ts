import { findUser } from '../auth/auth.ts'
import type { Context } from '../context.ts'
import type { TemplateWriter } from './field-values.ts'

/** The user as the writer of mails. */
export async function writerOfTemplates(context: Context, userId: number): Promise<TemplateWriter> {
  const user = await findUser(context.db, userId)
  return {
    name: user?.name ?? '',
    company: user?.company_name || user?.business_name || '',
    role: user?.job_title ?? '',
  }
}
