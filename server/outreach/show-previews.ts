import { type Preview, PREVIEWS_MAX } from '#contract/outreach.ts'
import { MAIL_PAUSED } from '#contract/leaving.ts'
import { type AiRequest, endAiRequest, noteUsage, takeAiRequest } from '../ai-requests/ai-requests.ts'
import { findUser, isMailPaused } from '../auth/auth.ts'
import { type BriefRow, newestBrief } from '../briefs/briefs.ts'
import type { ContactToMail } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict, unauthenticated } from '../errors.ts'
import type { ModelUsage } from '../gateways/language-model.ts'
import { modelFor, type UserModel } from '../language-models/language-models.ts'
import { cleanText, oneLine } from '../mail/words.ts'
import { configuredAccount } from './account-of-run.ts'
import type { Writer } from './fallback-template.ts'
import { reasonsToSkip } from './list-contacts.ts'
import { basisOf, leavesAsKept, presentPreview } from './preview-basis.ts'
import { dropOldPreviews, keepPreviews, type PreviewRow, previewsTo, WRITINGS_MAX } from './previews-store.ts'
import { type AskedAudience, type ContactsOfRun, CONTACTS_PAGE, contactsOfRun } from './run-audience.ts'
import { activeBatch } from './store.ts'
import { untilCleared } from './until-cleared.ts'
import { type Written, writeMail, writerOf } from './write-mail.ts'

export const UNDER_WAY = 'A run is under way. Its emails can no longer be changed.'

type Writing = { model: UserModel; writer: Writer; brief: BriefRow | undefined }

/**
 * The first mails of the next run, as they will leave. Those that are not kept from before are written now, with the
 * language model in one AI request, which the run then goes on counting on.
 *
 * @throws Refusal as `generateAndSend`; 409 while a run is under way
 */
export async function showPreviews(
  context: Context,
  userId: number,
  mailboxId: number | null | undefined,
  toThese: AskedAudience | null,
  signal: AbortSignal,
): Promise<Preview[]> {
  const { db } = context
  const user = await findUser(db, userId)
  if (user === undefined) throw unauthenticated()
  if (isMailPaused(user)) throw conflict(MAIL_PAUSED)
  await untilCleared(context, userId)
  await configuredAccount(db, userId, mailboxId)
  if ((await activeBatch(db, userId)) !== undefined) throw conflict(UNDER_WAY)
  const people = await firstToMail(context, userId, contactsOfRun(context, userId, toThese))
  const ids = people.map(({ id }) => id)
  const [kept, brief, model] = await Promise.all([
    previewsTo(db, userId, ids, context.clock.now()),
    newestBrief(db, userId),
    modelFor(context, userId),
  ])
  const writer = writerOf(user)
  const basis = (to: ContactToMail) => ({ to, from: writer, briefVersion: brief?.version ?? null })
  const missing = people.filter((to) => {
    const row = kept.get(to.id)
    // Whoever was left out gets new words once they are taken back in.
    return row === undefined || !(row.left_out || leavesAsKept(row, basis(to)))
  })
  if (missing.length > 0) {
    const rows = [...kept.values()]
    const isWorn = rows.some(({ writings }) => writings >= WRITINGS_MAX)
    const version = brief?.version ?? null
    const open = rows.find((row) => row.ai_use_id !== null && row.brief_version === version && !isWorn)
    await writePreviews(context, userId, missing, { model, writer, brief }, open, signal)
  }
  const now = await previewsTo(db, userId, ids, context.clock.now())
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
): Promise<ContactToMail[]> {
  const found: ContactToMail[] = []
  for (let after = 0; ;) {
    const people = await page(after)
    const reasons = await reasonsToSkip(context, userId, people, about)
    found.push(...people.filter(({ id }) => reasons.get(id) === null))
    if (found.length >= PREVIEWS_MAX || people.length < CONTACTS_PAGE) return found.slice(0, PREVIEWS_MAX)
    after = people.at(-1)?.id ?? after
  }
}

async function writePreviews(
  context: Context,
  userId: number,
  people: readonly ContactToMail[],
  writing: Writing,
  open: PreviewRow | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { model, brief, writer } = writing
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
  const useId = open?.ai_use_id ?? (isAnswered ? (request?.id ?? null) : null)
  const now = context.clock.now()
  await inTransaction(context.db, async (tx) => {
    await dropOldPreviews(tx, userId, now)
    const rows = people.flatMap((to, index) => {
      const mail = written[index]
      if (mail === undefined) return []
      return {
        user_id: userId,
        contact_id: to.id,
        subject: oneLine(mail.subject),
        body: cleanText(mail.text),
        fallback: mail.fallback,
        brief_version: brief?.version ?? null,
        basis: basisOf(to, writer),
        ai_use_id: useId,
        writings: 1,
        made_at: now,
      }
    })
    await keepPreviews(tx, rows, now)
  })
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
