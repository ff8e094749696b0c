import { type Writer } from '../briefs/briefs.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { invalidInput } from '../../platform/errors.ts'
import {
  findTemplate,
  type Gap,
  gapFinder,
  gapsIn,
  type ReadTemplate,
  readTemplate,
  renderTemplate,
  sayGaps,
  UnusableTemplate,
} from '../templates/templates.ts'
import type { Recipient } from './fallback-template.ts'
import type { BatchRow } from './store.ts'
import type { KeptTemplate } from './tables.ts'
import type { Written } from './write-mail.ts'

const GONE = 'This template is no longer there. Please choose another one.'

/** A template that mails are written from: its words, and what was read from them once for all of them. */
export type TemplateOfRun = { kept: KeptTemplate; read: ReadTemplate }

/** A template that a call names: fit to be sent, or why not. */
export type AskedTemplate =
  | { name: string; template: TemplateOfRun; fault: null }
  | { name: string; template: null; fault: string }

/** The template that a call names, as it is now; null where it names none. */
export async function lookAtTemplate(
  db: Queryable,
  userId: number,
  templateId: number | null | undefined,
): Promise<AskedTemplate | null> {
  if (templateId == null) return null
  const row = await findTemplate(db, userId, templateId)
  if (row === undefined) return { name: '', template: null, fault: GONE }
  const { id, name, subject, body } = row
  try {
    return {
      name,
      template: { kept: { id, name, subject, body }, read: readTemplate({ subject, body }) },
      fault: null,
    }
  } catch (error) {
    if (error instanceof UnusableTemplate) return { name, template: null, fault: error.message }
    throw error
  }
}

/**
 * The template to write from; null for the brief.
 *
 * @throws Refusal 400 for one that is not there, or holds examples that nobody has replaced
 */
export async function templateToWriteFrom(
  db: Queryable,
  userId: number,
  templateId: number | null | undefined,
): Promise<TemplateOfRun | null> {
  const asked = await lookAtTemplate(db, userId, templateId)
  if (asked === null) return null
  if (asked.fault !== null) throw invalidInput(asked.fault, { template_id: asked.fault })
  return asked.template
}

/** The template that a run has kept; null where it writes with the brief. */
export function templateOfRun({ template }: Pick<BatchRow, 'template'>): TemplateOfRun | null {
  return template === null ? null : { kept: template, read: readTemplate(template) }
}

/** The mail of a template to a contact, or why there is none: one with a gap is not sent. */
export function templateMailTo(
  { read }: TemplateOfRun,
  to: Recipient,
  from: Writer,
): Written | { gap: string } {
  const mail = renderTemplate(read, to, from)
  const gap = gapReason(gapsIn(mail))
  // The user has chosen it: it stands in for nothing.
  return gap === null ? { subject: mail.subject, text: mail.text, fallback: null } : { gap }
}

/** A function that says which gaps the mail to a contact would have; none where there is no template. */
export function gapsOf(template: TemplateOfRun | null, from: Writer): (to: Recipient) => readonly Gap[] {
  return template === null ? () => [] : gapFinder(template.read, from)
}

/** Why a contact gets no mail of a template; null without gaps. */
export function gapReason(gaps: readonly Gap[]): string | null {
  return gaps.length === 0 ? null : `The template would have a gap: ${sayGaps(gaps)}`
}
