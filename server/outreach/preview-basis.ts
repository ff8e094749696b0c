import { createHash } from 'node:crypto'
import type { Preview } from '#contract/outreach.ts'
import type { Context } from '../context.ts'
import { exampleUnsubscribeUrl } from '../emails/emails.ts'
import type { Recipient, Writer } from './fallback-template.ts'
import { withOptOut } from './opt-out.ts'
import type { PreviewRow } from './previews-store.ts'

/** What a mail is written from, besides the brief. */
export type Basis = { to: Recipient; from: Writer; briefVersion: number | null }

/** A hash of what was known of contact and sender when a mail was written. */
export function basisOf(to: Recipient, from: Writer): string {
  const known = [to.name, to.email, to.company, to.position, to.notes, from.name, from.company, from.role]
  return createHash('sha256').update(JSON.stringify(known)).digest('base64url')
}

/** True while a kept mail was written from what is known now. */
function isCurrent(
  row: Pick<PreviewRow, 'basis' | 'brief_version'>,
  { to, from, briefVersion }: Basis,
): boolean {
  return row.brief_version === briefVersion && row.basis === basisOf(to, from)
}

/** True if a kept mail is what leaves: it is up to date, or the user's own words. */
export function leavesAsKept(row: PreviewRow, basis: Basis): boolean {
  return row.edited || isCurrent(row, basis)
}

export function presentPreview(context: Context, row: PreviewRow, basis: Basis): Preview {
  const { subject, body, edited, left_out } = row
  return {
    contact_id: row.contact_id,
    name: basis.to.name,
    email: basis.to.email,
    subject,
    body,
    text: withOptOut(body, exampleUnsubscribeUrl(context)),
    edited,
    left_out,
    outdated: edited && !isCurrent(row, basis),
    fallback: edited ? null : row.fallback,
  }
}
