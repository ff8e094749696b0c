import type { emails } from '#contract/emails.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../errors.ts'
import { checkRecipients } from './check-recipients.ts'
import { changeMail, scheduleDraftAppend, lockOwnMail, type OwnMail } from './compositions-store.ts'
import { HAS_LEFT } from './discard-draft.ts'
import { completeMessage } from './complete-message.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { changedContent, type DraftContent, readContentOfDraft } from './draft-content.ts'
import { listedMail, scheduleTime, type SendingUser } from './send-email.ts'
import { readBody } from '../content/read-body.ts'
import { type EmailBodyRow, findListed, type ListedEmail } from '../messages/store.ts'
import { rewriteMessage, writeDraft } from './store-message.ts'
import { filingTime } from '../messages/draft-append-time.ts'
import type { Tx } from '../../database/handles.ts'

type Changes = BodyOf<typeof emails.update>

/**
 * Changes a draft, or a scheduled mail that has not left. Fields that are not given stay; of two that write the
 * same field the last one wins.
 *
 * @throws Refusal 404; 409 when it has left, or is neither; 400 for a scheduled mail that could not leave like this
 */
export async function updateDraft(
  context: Context,
  writer: SendingUser,
  id: number,
  changes: Changes,
): Promise<ListedEmail> {
  const scheduleAt = scheduleOf(context, changes)
  // Files of a draft of another program are kept before, not while the row is locked.
  const adopted = await adoptedFiles(context, writer.id, id)
  const unusedRaw = await inTransaction(context.db, async (tx) => {
    const mail = await lockOwnMail(tx, writer.id, id)
    if (mail === undefined || mail.folder === 'deleted') throw notFound(EMAIL_NOT_FOUND)
    if (mail.folder !== 'drafts' && mail.folder !== 'scheduled') throw conflict(notADraft(mail))
    const body = await readBody(tx, writer.id, id)
    if (body === undefined)
      throw conflict('This draft has not come in whole yet. Please try again in a moment.')
    await change(context, tx, writer, { mail, body, adopted, changes, scheduleAt })
    await context.live.publish(tx, writer.id, { topic: 'emails' })
    return body.raw_key
  })
  if (unusedRaw !== null) await context.blobs.delete(unusedRaw)
  return listedMail(context, writer.id, id)
}

function notADraft({ delivery, direction }: OwnMail): string {
  return delivery !== null || direction === 'out'
    ? HAS_LEFT
    : 'Only drafts and scheduled emails can be changed.'
}

type Change = {
  mail: OwnMail
  body: EmailBodyRow
  adopted: DraftContent['files'] | null
  changes: Changes
  scheduleAt: Date | null | undefined
}

async function change(context: Context, tx: Tx, writer: SendingUser, of: Change): Promise<void> {
  const { mail, body, adopted, changes, scheduleAt } = of
  const { id: userId } = writer
  const inTx = { ...context, db: tx as unknown as Context['db'] }
  const row = { user_id: userId, ...mail }
  // With a composition of its own or with files that are kept already nothing is read from elsewhere here.
  const begun = await readContentOfDraft(inTx, row, adopted === null ? body : { ...body, files: [] })
  const letter = await changedContent(inTx, userId, { ...begun, files: adopted ?? begun.files }, changes)
  const listed = await findListed(tx, userId, mail.id)
  const from = { name: listed?.from_name ?? '', address: listed?.from_address ?? '' }
  const now = context.clock.now()
  if (mail.folder === 'drafts') {
    const when = scheduleAt === undefined ? {} : { schedule_at: scheduleAt }
    await writeDraft(tx, userId, mail.id, letter, from.address, { occurred_at: now, ...when })
    return scheduleDraftAppend(tx, userId, mail.id, filingTime(now))
  }
  checkWhole(letter)
  const recipients = await checkRecipients(inTx, userId, letter)
  const finished = await completeMessage(inTx, writer, letter)
  await rewriteMessage(tx, userId, mail.id, finished, recipients, from)
  if (scheduleAt != null)
    await changeMail(tx, userId, mail.id, { schedule_at: scheduleAt, occurred_at: scheduleAt })
}

/** Files of a draft that another program wrote; null where the draft is ours and has its own. */
async function adoptedFiles(
  context: Context,
  userId: number,
  id: number,
): Promise<DraftContent['files'] | null> {
  const row = await findListed(context.db, userId, id)
  const body = row === undefined ? undefined : await readBody(context.db, userId, id)
  if (row?.folder !== 'drafts' || body === undefined || (body.raw === null && body.raw_key === null))
    return null
  return (await readContentOfDraft(context, row, body)).files
}

/** undefined: stays as it is. A time that has passed means now. */
function scheduleOf(context: Context, { schedule_at: at }: Changes): Date | null | undefined {
  if (at === undefined) return undefined
  const now = context.clock.now()
  return at === null ? null : (scheduleTime(at, now) ?? now)
}

function checkWhole(letter: DraftContent): void {
  if (letter.subject.trim() === '')
    throw invalidInput('Please enter a subject', { subject: 'Please enter a subject' })
  if (letter.text.trim() === '')
    throw invalidInput('Please write something', { content: 'Please write something' })
}
