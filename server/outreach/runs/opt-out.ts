import type { MailLanguage } from '#contract/outreach/briefs.ts'
import { PHRASES } from '../briefs/briefs.ts'

/** A mail's text with the line that tells its recipient how to unsubscribe. */
export function withOptOut(text: string, url: string, language: MailLanguage): string {
  return `${text}\n\n--\n${PHRASES[language].optOut} ${url}\n`
}
