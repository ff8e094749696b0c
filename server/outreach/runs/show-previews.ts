import { type Preview, PREVIEWS_MAX } from '#contract/outreach/runs.ts'
import { MAIL_PAUSED } from '#contract/operations/leaving.ts'
import {
  type AiRequest,
  endAiRequest,
  noteUsage,
  takeAiRequest,
} from '../../models/ai-requests/ai-requests.ts'
import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import { type BriefRow, newestBrief, USUAL_VOICE, type Writer, writerOf } from '../briefs/briefs.ts'
import type { ContactToMail } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, unauthenticated } from '../../platform/errors.ts'
import type { ModelUsage } from '../../platform/gateways/language-model.ts'
import { modelFor, type UserModel } from '../../models/language-models/language-models.ts'
import { cleanText, oneLine } from '../../platform/text.ts'
import { configuredAccount, untilCleared } from './account-of-run.ts'
import type { AskedRun } from './generate-and-send.ts'
import { reasonsToSkip } from './list-contacts.ts'
import { type Basis, basisOf, isOfText, leavesAsKept, presentPreview, versionOf } from './preview-basis.ts'
import {
  dropOldPreviews,
  keepPreviews,
  keptPreviews,
  NO_TEMPLATE,
  type PreviewRow,
  previewsTo,
  WRITINGS_MAX,
} from './previews-store.ts'
import { type ContactsOfRun, CONTACTS_PAGE, contactsOfRun } from './run-audience.ts'
import { activeBatch } from './store.ts'
import { gapsOf, templateMailTo, type TemplateOfRun, templateToWriteFrom } from './template-of-run.ts'
import { type Written, writeMail } from './write-mail.ts'

export const UNDER_WAY = 'A run is under way. Its emails can no longer be changed.'

type Writing = {
  model: UserModel
  writer: Writer
  brief: BriefRow | undefined
  template: TemplateOfRun | null
}

/**
 * The first mails of the next run, as they will leave. Those that are not kept from before are written now, with the
 * language model in one AI request, which the run then goes on counting on; or from a template, which costs none.
 *
 * @throws Refusal as `generateAndSend`; 409 while a run is under way
 */
export async function showPreviews(
  context: Context,
  userId: number,
  { mailboxId, toThese, templateId }: AskedRun,
  signal: AbortSignal,
): Promise<Preview[]> {
  const { db } = context
  const user = await findUser(db, userId)
  if (user === undefined) throw unauthenticated()
  if (isMailPaused(user)) throw conflict(MAIL_PAUSED)
  await untilCleared(context, userId)
  await configuredAccount(db, userId, mailboxId)
  if ((await activeBatch(db, userId)) !== undefined) throw conflict(UNDER_WAY)
  const template = await templateToWriteFrom(db, userId, templateId)
  const textId = template?.kept.id ?? NO_TEMPLATE
  const [brief, model] = await Promise.all([newestBrief(db, userId), modelFor(context, userId)])
  const writer = writerOf(user, brief?.fields ?? USUAL_VOICE)
  const basis = (to: ContactToMail): Basis => ({
    to,
    from: writer,
    briefVersion: brief?.version ?? null,
    template: template?.kept ?? null,
  })
  const gaps = gapsOf(template, writer)
  const run = contactsOfRun(context, userId, toThese)
  const edited = template === null ? null : await keptPreviews(db, userId, textId, context.clock.now())
  const people = await firstToMail(context, userId, run, (to) => {
    const row = edited?.get(to.id)
    // What the user has written has no gap.
    return gaps(to).length === 0 || (row !== undefined && row.edited && leavesAsKept(row, basis(to)))
  })
  const ids = people.map(({ id }) => id)
  const kept = await previewsTo(db, userId, ids, textId, context.clock.now())
  const missing = people.filter((to) => {
    const row = kept.get(to.id)
    // A contact who was left out gets new words once they are taken back in.
    return row === undefined || !(leavesAsKept(row, basis(to)) || (row.left_out && isOfText(row, basis(to))))
  })
  if (missing.length > 0) {
    const rows = [...kept.values()].filter((row) => isOfText(row, { template: template?.kept ?? null }))
    const isWorn = rows.some(({ writings }) => writings >= WRITINGS_MAX)
    const version = brief?.version ?? null
    const open = rows.find((row) => row.ai_use_id !== null && row.brief_version === version && !isWorn)
    const writing = { model, writer, brief, template }
    const { written, useId } =
      template === null
        ? await writeFromBrief(context, userId, missing, writing, open, signal)
        : { written: missing.map((to) => mailOf(template, to, writer)), useId: null }
    await keepWritten(context, userId, { people: missing, written, basis, useId, kept })
  }
  const now = await previewsTo(db, userId, ids, textId, context.clock.now())
  return people.flatMap((to) => {
    const row = now.get(to.id)
    return row === undefined ? [] : [presentPreview(context, row, basis(to))]
  })
}

/** The first contacts that a run would write to, also those that the user has left out. */
async function firstToMail(
  context: Context,
  userId: number,
  { page, about }: ContactsOfRun,
  mayBeMailed: (to: ContactToMail) => boolean,
): Promise<ContactToMail[]> {
  const found: ContactToMail[] = []
  for (let after = 0; ;) {
    const people = await page(after)
    const reasons = await reasonsToSkip(context, userId, people, about)
    found.push(...people.filter((to) => reasons.get(to.id) === null && mayBeMailed(to)))
    if (found.length >= PREVIEWS_MAX || people.length < CONTACTS_PAGE) return found.slice(0, PREVIEWS_MAX)
    after = people.at(-1)?.id ?? after
  }
}

async function writeFromBrief(
  context: Context,
  userId: number,
  people: readonly ContactToMail[],
  writing: Writing,
  open: PreviewRow | undefined,
  signal: AbortSignal,
): Promise<{ written: Written[]; useId: number | null }> {
  const { model } = writing
  const isNew = model.available && open === undefined
  const request = isNew ? await takeAiRequest(context, userId, 'outreach', model) : null
  const used = { inputTokens: 0, outputTokens: 0 }
  const begun = performance.now()
  let written: Written[] = []
  try {
    written = await writeAll(context, people, writing, signal, used)
  } finally {
    await noteUse(context, { userId, request, model, open: open?.ai_use_id ?? null }, used, {
      // A model that failed for each of them costs nothing.
      isAnswered: written.some(({ fallback }) => fallback === null),
      milliseconds: performance.now() - begun,
    })
  }
  const isAnswered = written.some(({ fallback }) => fallback === null)
  return { written, useId: open?.ai_use_id ?? (isAnswered ? (request?.id ?? null) : null) }
}

type ToKeep = {
  people: readonly ContactToMail[]
  written: readonly (Written | undefined)[]
  basis: (to: ContactToMail) => Basis
  useId: number | null
  kept: ReadonlyMap<number, PreviewRow>
}

async function keepWritten(
  context: Context,
  userId: number,
  { people, written, basis, useId, kept }: ToKeep,
): Promise<void> {
  const now = context.clock.now()
  await inTransaction(context.db, async (tx) => {
    await dropOldPreviews(tx, userId, now)
    const rows = people.flatMap((to, index) => {
      const mail = written[index]
      if (mail === undefined) return []
      return {
        user_id: userId,
        contact_id: to.id,
        template_id: basis(to).template?.id ?? NO_TEMPLATE,
        subject: oneLine(mail.subject),
        body: cleanText(mail.text),
        // Who was left out of a run from another text stays so.
        left_out: kept.get(to.id)?.left_out === true,
        fallback: mail.fallback,
        brief_version: versionOf(basis(to)),
        basis: basisOf(basis(to)),
        ai_use_id: useId,
        writings: 1,
        made_at: now,
      }
    })
    await keepPreviews(tx, rows, now)
  })
}

function mailOf(template: TemplateOfRun, to: ContactToMail, from: Writer): Written | undefined {
  const mail = templateMailTo(template, to, from)
  return 'gap' in mail ? undefined : mail
}

function writeAll(
  context: Context,
  people: readonly ContactToMail[],
  { model, writer, brief }: Writing,
  signal: AbortSignal,
  used: { inputTokens: number; outputTokens: number },
): Promise<Written[]> {
  const options = {
    without: model.available ? null : 'No language model is set up.',
    brief: brief?.fields ?? null,
    signal,
    now: context.clock.now(),
    onUsage: ({ inputTokens, outputTokens }: ModelUsage) => {
      used.inputTokens += inputTokens
      used.outputTokens += outputTokens
    },
  }
  return Promise.all(people.map((to) => writeMail(model, to, writer, options)))
}

async function noteUse(
  context: Context,
  of: { userId: number; request: AiRequest | null; model: UserModel; open: number | null },
  used: ModelUsage,
  { isAnswered, milliseconds }: { isAnswered: boolean; milliseconds: number },
): Promise<void> {
  const { userId, request, model, open } = of
  if (request !== null) return endAiRequest(context, request, isAnswered, used)
  if (open === null || used.inputTokens + used.outputTokens === 0) return
  await inTransaction(context.db, (tx) =>
    noteUsage(context, tx, { userId, id: open, model }, { ...used, milliseconds }),
  )
}
