import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { outreach, Preview } from '#contract/outreach/runs.ts'
import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import { newestBrief, USUAL_VOICE, voiceOf, withOptOut, writerOf } from '../briefs/briefs.ts'
import { findTemplate } from '../templates/templates.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { lockMailboxes, senderOf } from '../../mail/mailboxes/mailboxes.ts'
import { type Basis, basisOf, presentPreview, versionOf } from './preview-basis.ts'
import { changePreviewRow, findPreview, leaveOut, NO_TEMPLATE, type PreviewKey } from './previews-store.ts'
import { UNDER_WAY } from './show-previews.ts'
import { activeBatch } from './store.ts'
import { MAIL_PAUSED } from '#contract/operations/leaving.ts'
import { enqueueEmails, exampleUnsubscribeUrl } from '../../mail/emails/emails.ts'
import type { AskedRun } from './generate-and-send.ts'
import { configuredAccount } from './account-of-run.ts'

const NONE = 'This email is no longer there. Look at the first emails again.'

/**
 * Changes the words of a mail that was shown, or leaves its contact out of the next run.
 *
 * @throws Refusal 404 for a mail that was not shown, 409 while a run is under way
 */
export async function changePreview(
  context: Context,
  userId: number,
  contactId: number,
  { template_id: templateId, ...change }: BodyOf<typeof outreach.changePreview>,
): Promise<Preview> {
  const key = { userId, contactId, templateId: templateId ?? NO_TEMPLATE }
  return inTransaction(context.db, async (tx) => {
    // A run that begins at the same moment either sees the change, or is seen here.
    await lockMailboxes(tx, userId)
    const basis = await basisTo(tx, key)
    if (basis === undefined) throw notFound(NONE)
    const now = context.clock.now()
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const isWritten = change.subject !== undefined || change.body !== undefined
    const row = await changePreviewRow(
      tx,
      key,
      {
        ...given,
        // Who writes now has seen what is known now.
        ...(isWritten
          ? {
              edited: true,
              fallback: null,
              brief_version: versionOf(basis),
              basis: basisOf(basis),
            }
          : {}),
        made_at: now,
      },
      now,
    )
    if (row === undefined) throw notFound(NONE)
    if (change.left_out !== undefined) await leaveOut(tx, userId, contactId, change.left_out)
    await refuseDuringRun(tx, userId)
    return presentPreview(context, row, basis)
  })
}

/**
 * Forgets a mail that was shown, with the user's changes: it is written again.
 *
 * @throws Refusal as {@link changePreview}
 */
export async function discardPreview(
  context: Context,
  userId: number,
  contactId: number,
  templateId: number = NO_TEMPLATE,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    // The row stays: it says which AI request the next words count on.
    const change = { edited: false, left_out: false, basis: '' }
    const row = await changePreviewRow(tx, { userId, contactId, templateId }, change, context.clock.now())
    if (row === undefined) throw notFound(NONE)
    await leaveOut(tx, userId, contactId, false)
    await refuseDuringRun(tx, userId)
  })
}

async function refuseDuringRun(tx: Tx, userId: number): Promise<void> {
  if ((await activeBatch(tx, userId)) !== undefined) throw conflict(UNDER_WAY)
}

/** What the mail to a contact is written from; undefined without the contact, or without the template. */
async function basisTo(
  db: Queryable,
  { userId, contactId, templateId }: PreviewKey,
): Promise<Basis | undefined> {
  const user = await findUser(db, userId)
  const to = (await contactsById(db, userId, [contactId])).get(contactId)
  if (user === undefined || to === undefined) return undefined
  const brief = await newestBrief(db, userId)
  const from = writerOf(user, brief?.fields ?? USUAL_VOICE)
  if (templateId !== NO_TEMPLATE) {
    const template = await findTemplate(db, userId, templateId)
    return template === undefined ? undefined : { to, from, briefVersion: null, template }
  }
  return { to, from, briefVersion: brief?.version ?? null, template: null }
}

/** What the subject of a test begins with. */
const MARK = '[Test] '

/**
 * Sends a mail that was shown to the address that the run would send from, and to nobody else. It counts as mail to nobody.
 *
 * @returns the address
 * @throws Refusal 404 for a mail that was not shown; 400 for a wrong account; 409 while mail is paused
 */
export async function sendTest(
  context: Context,
  userId: number,
  contactId: number,
  { mailboxId, templateId }: Pick<AskedRun, 'mailboxId' | 'templateId'>,
): Promise<string> {
  const { db } = context
  const user = await findUser(db, userId)
  const key = { userId, contactId, templateId: templateId ?? NO_TEMPLATE }
  const mail = await findPreview(db, key, context.clock.now())
  if (user === undefined || mail === undefined)
    throw notFound('This email is no longer there. Look at the first emails again.')
  if (isMailPaused(user)) throw conflict(MAIL_PAUSED)
  const mailbox = await configuredAccount(db, userId, mailboxId)
  const { language } = await voiceOf(db, userId)
  await inTransaction(db, async (tx) => {
    await enqueueEmails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, priority: 0, from: senderOf(mailbox, user) },
      [
        {
          to: mailbox.address,
          subject: MARK + mail.subject,
          text: withOptOut(mail.body, exampleUnsubscribeUrl(context), language),
          purpose: 'test',
        },
      ],
    )
    await context.live.publish(tx, userId, { topic: 'emails' })
  })
  return mailbox.address
}
