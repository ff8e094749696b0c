import PostalMime, { type Email as ParsedEmail } from 'postal-mime'
import { emails } from '#contract/mail/emails.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { ingestRaw } from '#server/mail/emails/emails.ts'
import { primaryMailbox } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from './client.ts'
import { signUp, type TestUser } from './factories.ts'
import { mailAccountAt } from './mail-account.ts'
import { postFile } from './post-file.ts'
import type { SinkMail, SmtpSink } from './smtp-sink.ts'
import type { TestApp } from './test-app.ts'
import { until } from './until.ts'

/** A picture of one pixel, as it is pasted into a text. */
export const A_PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export type Kept = { id: number; name: string; type: string; size: number }

/** A new user who sends through the sink as ada@muster.example. */
export async function connectWriter(
  app: Pick<TestApp, 'url'>,
  sink: Pick<SmtpSink, 'port'>,
): Promise<TestUser> {
  const user = await signUp(app.url)
  const { status, error } = await connectTo(app, sink, user)
  if (status !== 200) throw new Error(error.detail)
  return user
}

/** Saves the sink as the user's own account. */
export const connectTo = (app: Pick<TestApp, 'url'>, sink: Pick<SmtpSink, 'port'>, { token }: TestUser) =>
  call(app.url, mailboxSetup.save, { token, body: mailAccountAt(sink) })

export const DRAFT = {
  to: 'bob@customer.example',
  subject: 'An offer',
  content: 'Hello Bob,\n\nhow are you?',
}

export const sendAs = (
  app: TestApp,
  { token }: TestUser,
  body: Partial<BodyInput<typeof emails.send>> = {},
  headers = {},
) => call(app.url, emails.send, { token, body: { ...DRAFT, ...body }, headers })

/** Sends as `sendAs`, and waits until all that follows from it is written: that may come after the answer. */
export async function sendWhole(app: TestApp, user: TestUser, body: Parameters<typeof sendAs>[2] = {}) {
  const answer = await sendAs(app, user, body)
  const text = 'SELECT FROM deliveries WHERE user_id = $1 AND email_id = $2 AND queue IS NULL'
  await until(async () => {
    const { rows } = await runSql(app.context.db, text, [user.id, answer.body.id])
    if (rows.length === 0) throw new Error(`Mail ${answer.body.id} is still in the queue`)
  })
  return answer
}

/** Uploads a file; returns status and answer. */
export async function uploadAs(
  app: TestApp,
  { token }: TestUser,
  name: string,
  content: BlobPart,
  type = 'application/octet-stream',
): Promise<{ status: number; file: Kept; detail: string }> {
  const { status, body, error } = await postFile(
    app.url,
    emails.upload,
    token,
    new File([content], name, { type }),
  )
  return { status, file: body, detail: error.detail }
}

/** The mail that arrived, as a mail program reads it. */
export async function parsed(mail: SinkMail | undefined): Promise<ParsedEmail> {
  if (mail === undefined) throw new Error('No mail arrived')
  return PostalMime.parse(mail.raw, { attachmentEncoding: 'arraybuffer' })
}

/** A raw header of a mail, unfolded. */
export function header(mail: SinkMail | undefined, name: string): string | undefined {
  const head = (mail?.raw.toString('latin1') ?? '').split('\r\n\r\n')[0] ?? ''
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim()
}

/** Stores a mail in the user's account as if it had been read from there; returns its id. */
export async function receive(app: TestApp, user: TestUser, raw: string): Promise<number> {
  const { context } = app
  const mailbox = await primaryMailbox(context.db, user.id)
  await inTransaction(context.db, (tx) =>
    ingestRaw(context, tx, {
      userId: user.id,
      mailboxId: mailbox?.id ?? 0,
      raw: Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n')),
      receivedAt: context.clock.now(),
    }),
  )
  const { body } = await call(app.url, emails.list, { token: user.token, query: { folder: 'inbox' } })
  return body[0]?.id ?? 0
}

export const detailOf = async (app: TestApp, { token }: TestUser, id: number) =>
  (await call(app.url, emails.get, { token, params: { id } })).body
