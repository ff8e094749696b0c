import { setTimeout as pause } from 'node:timers/promises'
import { contacts } from '#contract/crm/contacts.ts'
import type { Folder } from '#contract/mail/email.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailbox as findMailbox, type Mailbox, primaryMailbox } from '#server/mail/mailboxes/mailboxes.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { openPass } from '#server/mail/emails/sync/open-pass.ts'
import { syncMailbox } from '#server/mail/emails/sync/sync-mailbox.ts'
import { makeSuspects, type Suspects } from '#server/mail/emails/sync/suspects.ts'
import { call } from './client.ts'
import type { DovecotUser } from './dovecot.ts'
import { signUp, type TestUser } from './factories.ts'
import { mailAccountAt } from './mail-account.ts'
import type { TestApp } from './test-app.ts'

const LOOK_EVERY_MS = 25

export type Reader = TestUser & { mailboxId: number; suspects: Suspects }
export type Server = Pick<DovecotUser, 'host' | 'port' | 'username' | 'password'>

/** A user whose mailbox is this IMAP account; `smtpPort` is that of a sink. */
export async function connectReader(
  app: TestApp,
  server: Server,
  address = 'ada@muster.example',
  smtpPort = 2525,
): Promise<Reader> {
  const user = await signUp(app.url)
  const saved = await call(app.url, mailboxSetup.save, {
    token: user.token,
    body: mailAccountAt(
      { port: smtpPort },
      { login: server.username, password: server.password, from: address, imap: server },
    ),
  })
  if (saved.status !== 200) throw new Error(saved.error.detail)
  const mailbox = await primaryMailbox(app.context.db, user.id)
  return { ...user, mailboxId: mailbox?.id ?? 0, suspects: makeSuspects() }
}

/** Claims the account for the app's own process, as a worker does; for apps that run no worker. */
async function claimed(app: TestApp, { id, mailboxId }: Reader): Promise<Mailbox> {
  await runSql(app.context.db, 'UPDATE mailboxes SET reader_id = $1 WHERE user_id = $2 AND id = $3', [
    app.context.workerId,
    id,
    mailboxId,
  ])
  const mailbox = await findMailbox(app.context.db, id, mailboxId)
  if (mailbox === undefined) throw new Error('No mailbox')
  return mailbox
}

/** Reads the account once, all folders, in this process. Returns how many mails were added. */
export async function readOnce(
  app: TestApp,
  reader: Reader,
  signal = new AbortController().signal,
): Promise<number> {
  const pass = await openPass(app.context, await claimed(app, reader), reader.suspects, signal)
  try {
    await syncMailbox(pass, { folders: 'all' })
    return pass.added
  } finally {
    pass.session.close()
  }
}

export async function listFolder(app: TestApp, { token }: TestUser, folder: Folder = 'inbox') {
  return (await call(app.url, emails.list, { token, query: { folder } })).body
}

export async function addContact(app: TestApp, { token }: TestUser, email: string, name = 'Bob Builder') {
  const added = await call(app.url, contacts.add, { token, body: { name, email } })
  if (added.status !== 200) throw new Error(added.error.detail)
  return added.body
}

export async function contactOf(app: TestApp, { token }: TestUser, email: string) {
  const found = (await call(app.url, contacts.list, { token })).body.find(
    (contact) => contact.email === email,
  )
  if (found === undefined) throw new Error(`No contact ${email}`)
  return found
}

/** What is awaited, while `act` does again and again what it waits for: no worker runs that would do it. */
export async function meanwhile<T>(act: () => Promise<unknown>, awaited: Promise<T>): Promise<T> {
  const ended = awaited.then((value) => ({ value }))
  for (;;) {
    await act()
    const first = await Promise.race([ended, pause(LOOK_EVERY_MS, null)])
    if (first !== null) return first.value
  }
}
