import { type Writer, withOptOut } from '../briefs/briefs.ts'
import { createHash } from 'node:crypto'
import type { Preview } from '#contract/outreach/runs.ts'
import type { Context } from '../../platform/context.ts'
import { exampleUnsubscribeUrl } from '../../mail/emails/emails.ts'
import type { Recipient } from './fallback-template.ts'
import { NO_TEMPLATE, type PreviewRow } from './previews-store.ts'
import type { KeptTemplate } from './tables.ts'

/** What a mail is written from: the brief in this version, or a template. */
export type Basis = {
  to: Recipient
  from: Writer
  briefVersion: number | null
  template: KeptTemplate | null
}

/** A hash of what was known of contact and sender when a mail was written, and of the template. */
export function basisOf({ to, from, template }: Omit<Basis, 'briefVersion'>): string {
  const known = [to.name, to.email, to.company, to.position, to.notes, from.name, from.company, from.role]
  if (template !== null) known.push(template.subject, template.body, from.voice.language, from.voice.tone)
  return createHash('sha256').update(JSON.stringify(known)).digest('base64url')
}

/** True while a kept mail was written from what is known now. */
function isCurrent(row: Pick<PreviewRow, 'basis' | 'brief_version'>, basis: Basis): boolean {
  return row.brief_version === versionOf(basis) && row.basis === basisOf(basis)
}

/** The version of the brief that a mail was written with; a template's mail knows none. */
export function versionOf({ briefVersion, template }: Basis): number | null {
  return template === null ? briefVersion : null
}

/** True if a mail was kept for the text that is written from now. */
export function isOfText(
  row: Pick<PreviewRow, 'template_id'>,
  { template }: Pick<Basis, 'template'>,
): boolean {
  return row.template_id === (template?.id ?? NO_TEMPLATE)
}

/** True if a kept mail is what leaves: it is of the same text, and up to date or the user's own words. */
export function leavesAsKept(row: PreviewRow, basis: Basis): boolean {
  return isOfText(row, basis) && (row.edited || isCurrent(row, basis))
}

export function presentPreview(context: Context, row: PreviewRow, basis: Basis): Preview {
  const { subject, body, edited, left_out } = row
  return {
    contact_id: row.contact_id,
    name: basis.to.name,
    email: basis.to.email,
    subject,
    body,
    text: withOptOut(body, exampleUnsubscribeUrl(context), basis.from.voice.language),
    edited,
    left_out,
    outdated: edited && !isCurrent(row, basis),
    fallback: edited ? null : row.fallback,
  }
}
