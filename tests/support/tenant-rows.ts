import { anEuDraft } from './eu-invoices.ts'
import { sql } from 'kysely'
import { assistant } from '#contract/assistant/assistant.ts'
import { auth } from '#contract/accounts/auth.ts'
import { type BriefFields, briefs } from '#contract/outreach/briefs.ts'
import { devices } from '#contract/accounts/devices.ts'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { CONTRACT } from '#contract/contract.ts'
import { emails } from '#contract/mail/emails.ts'
import { type Endpoint, pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { profile } from '#contract/accounts/profile.ts'
import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { tags } from '#contract/crm/tags.ts'
import { templates } from '#contract/outreach/templates.ts'
import { todos } from '#contract/crm/todos.ts'
import { twoStep } from '#contract/accounts/two-step.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { ingestRaw } from '#server/mail/emails/emails.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from './client.ts'
import { anInvoice } from './invoices.ts'
import { setPlan } from './plans.ts'
import { meanwhile } from './reading.ts'
import { signUp, type TestUser } from './factories.ts'
import type { TestApp } from './test-app.ts'
import { codeOf, switchTwoStepOn } from './two-step.ts'

// Rows of every kind of one user, for the sweeps over all routes.

/** A user whose texts carry a mark. `next` numbers the user's rows, so that two who do the same have the same rows. */
export type Tenant = TestUser & { app: TestApp; mark: string; next: () => number }
export type Fields = Record<string, unknown>
export type Named = Record<string, string | number>

/** A user who has signed up and done nothing yet. */
export async function aNewcomer(app: TestApp, mark: string): Promise<Tenant> {
  let rows = 0
  return { ...(await signUp(app.url, { name: `Sam ${mark}` })), app, mark, next: () => (rows += 1) }
}

/** The content of a draft. */
export const WRITTEN = { to: 'kim@people.example', subject: 'Good day', content: 'Good day to you' }
export const PHONE_CALL = {
  title: 'Call Lee',
  start_time: '2099-03-09T09:00:00Z',
  end_time: '2099-03-09T10:00:00Z',
  type: 'phone',
  attendees: ['lee@people.example'],
} as const
/** What first mails are about. */
export const BRIEF: BriefFields = {
  offer: 'We look after gardens.',
  audience: 'restaurants',
  benefit: '',
  proof: '',
  ask: '',
  tone: 'plain',
  language: 'en',
  signature: '',
}
/** The uploaded file. */
export const FILE = { name: 'people.csv', content: 'Name,Email\nKim again,kim@people.example\n' as BlobPart }
/** A GIF of one pixel. */
export const IMAGE: typeof FILE = {
  name: 'me.gif',
  content: Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64'),
}

/** A user who has some of everything. */
export async function aTenant(app: TestApp, mark: string, user?: Tenant): Promise<Tenant> {
  const tenant = user ?? (await aNewcomer(app, mark))
  const { token } = tenant
  await good(call(app.url, profile.update, { token, body: { company_name: `${mark} Ltd` } }))
  const server = { smtp_host: `smtp.${mark}.example`, smtp_port: 587, smtp_from: `sam@${mark}.example` }
  await good(
    call(app.url, mailboxSetup.save, {
      token,
      body: { ...server, smtp_username: mark, smtp_password: 'secret' },
    }),
  )
  await good(call(app.url, mailboxSetup.practice, { token }))
  await addContact(tenant, 'kim')
  await addContact(tenant, 'lee')
  await taggedContact(tenant)
  await good(call(app.url, emails.send, { token, body: { ...WRITTEN, content: `Good day from ${mark}` } }))
  for (const folder of ['inbox', 'archived', 'spam', 'trash']) await aMail(tenant, { folder })
  await aMail(tenant, { direction: 'out', purpose: 'compose', folder: 'drafts' })
  await aMail(tenant, {
    direction: 'out',
    purpose: 'compose',
    folder: 'scheduled',
    schedule_at: new Date('2100-01-01'),
  })
  await aBatch(tenant, 'paused', 'held')
  for (const at of [new Date('2100-01-01'), app.clock.now()])
    await runSql(app.context.db, MEETING, [tenant.id, mark, at])
  const due_date = app.clock.now().toISOString().slice(0, 10)
  await aTemplate(tenant)
  await aRunningSequence(tenant)
  await good(call(app.url, todos.add, { token, body: { title: `Call ${mark}`, due_date } }))
  await good(call(app.url, briefs.save, { token, body: { ...BRIEF, offer: `Gardens by ${mark}` } }))
  await anIssuedInvoice(tenant)
  await aDraftInvoice(tenant)
  await aRecurringInvoice(tenant)
  await anAcceptedQuote(tenant)
  return tenant
}

/** A draft that could be issued. */
export async function aDraftInvoice({
  app,
  mark,
  token,
}: Pick<Tenant, 'app' | 'mark' | 'token'>): Promise<number> {
  const body = anInvoice({ buyer: { business_name: `${mark} Ltd` } })
  return (await good(call(app.url, invoices.add, { token, body }))).body.id
}

/** A draft that was deleted and can be brought back. */
export async function aDeletedDraft(tenant: Tenant): Promise<number> {
  const id = await aDraftInvoice(tenant)
  await good(call(tenant.app.url, invoices.remove, { token: tenant.token, params: { id } }))
  return id
}

export async function anIssuedInvoice(tenant: Tenant): Promise<number> {
  const id = await aDraftInvoice(tenant)
  await good(call(tenant.app.url, invoices.issue, { token: tenant.token, params: { id } }))
  return id
}

/** An issued invoice with all that an e-invoice asks for. */
export async function anEuInvoice({ app, mark, token }: Tenant): Promise<number> {
  const draft = anEuDraft({ number: '' })
  const body = { ...draft, buyer: { ...draft.buyer, business_name: `${mark} Ltd` } }
  const { id } = (await good(call(app.url, invoices.add, { token, body }))).body
  await good(call(app.url, invoices.issue, { token, params: { id } }))
  return id
}

/** A schedule that makes an invoice every month, in a far year. */
export async function aRecurringInvoice(tenant: Pick<Tenant, 'app' | 'mark' | 'token'>): Promise<number> {
  const { app, token } = tenant
  const body = { invoice_id: await aDraftInvoice(tenant), every: 'month', first_on: '2100-01-31' } as const
  return (await good(call(app.url, recurringInvoices.add, { token, body }))).body.id
}

/** A quote that waits for an answer. */
export async function anIssuedQuote({ app, mark, token }: Tenant): Promise<number> {
  const body = anInvoice({ kind: 'quote', buyer: { business_name: `${mark} Ltd` } })
  const { id } = (await good(call(app.url, invoices.add, { token, body }))).body
  await good(call(app.url, invoices.issue, { token, params: { id } }))
  return id
}

export async function anAcceptedQuote(tenant: Tenant): Promise<number> {
  const id = await anIssuedQuote(tenant)
  const body = { name: `Jana ${tenant.mark}` }
  await good(call(tenant.app.url, invoices.accept, { token: tenant.token, params: { id }, body }))
  return id
}

/** A reminder that is going to leave. */
export async function aReminder(tenant: Tenant): Promise<number> {
  const { app, token } = tenant
  await good(call(app.url, paymentReminders.saveSettings, { token, body: { on: true } }))
  const invoice = anInvoice({
    buyer: { business_name: `${tenant.mark} Ltd`, email: `kim@${tenant.mark}.example` },
    due_date: '2100-01-31',
  })
  const { id } = (await good(call(app.url, invoices.add, { token, body: invoice }))).body
  const params = { id }
  await good(call(app.url, invoices.issue, { token, params }))
  await runSql(app.context.db, 'UPDATE invoices SET sent_at = issued_at WHERE id = $1', [id])
  // Planned by a worker, but for the invoice whose switch is used.
  const shown = await good(
    call(app.url, paymentReminders.switchInvoice, { token, params, body: { on: true } }),
  )
  return shown.body.reminders[0]?.id ?? 0
}

/** A reminder that has been sent: asked to send it again, Howl answers it as it is. None is sent in practice. */
export async function aSentReminder(tenant: Tenant): Promise<number> {
  const id = await aReminder(tenant)
  await runSql(tenant.app.context.db, `UPDATE payment_reminders SET state = 'sent' WHERE id = $1`, [id])
  return id
}

/** A payment, and its invoice. */
export async function aPayment(tenant: Tenant): Promise<Named> {
  const { app, token } = tenant
  const id = await anIssuedInvoice(tenant)
  const paid = await good(
    call(app.url, invoices.addPayment, { token, params: { id }, body: { amount: '1' } }),
  )
  return { id, payment_id: paid.body.payments[0]?.id ?? 0 }
}

const MEETING = `WITH made AS (
    INSERT INTO meetings (user_id, title, start_time, end_time, created_at) VALUES ($1, $2, $3, $3, $3) RETURNING *)
  INSERT INTO meeting_attendees (user_id, meeting_id, address_key, address)
  SELECT user_id, id, 'lee@people.example', 'lee@people.example' FROM made`

async function good<T extends { status: number; error: { detail: string } }>(answer: Promise<T>): Promise<T> {
  const { status, error } = await answer
  if (status !== 200) throw new Error(`A fixture was answered ${status}: ${error.detail}`)
  return answer
}

export async function addContact({ app, token, mark }: Tenant, name: string) {
  const body = {
    name: `${name} ${mark}`,
    email: `${name}@people.example`,
    company: `${mark} Ltd`,
    notes: mark,
  }
  return (await good(call(app.url, contacts.add, { token, body }))).body
}

export async function aTag({ app, token, next }: Tenant) {
  return (await good(call(app.url, tags.add, { token, body: { name: `Tag ${next()}` } }))).body
}

export async function taggedContact(owner: Tenant): Promise<number> {
  const { id } = await addContact(owner, `row${owner.next()}`)
  const body = { ids: [id], tag: 'Friends' }
  await good(call(owner.app.url, contacts.tagMany, { token: owner.token, body }))
  return id
}

export async function undoableAct(owner: Tenant): Promise<number> {
  const body = { ids: [await taggedContact(owner)] }
  const deleted = await good(call(owner.app.url, contacts.removeMany, { token: owner.token, body }))
  return deleted.body.undo_id ?? 0
}

export async function stoppedContact(owner: Tenant): Promise<number> {
  const { id } = await addContact(owner, `row${owner.next()}`)
  await good(call(owner.app.url, contacts.stopMailing, { token: owner.token, body: { ids: [id] } }))
  return id
}

/** A mail template. */
export async function aTemplate({ app, token, mark, next }: Tenant): Promise<number> {
  const body = { name: `Greeting ${next()}`, subject: 'Good day', body: `Good day from ${mark}` }
  return (await good(call(app.url, templates.add, { token, body }))).body.id
}

/** A sequence that could be started. */
export async function aSequence({ app, token, mark, next }: Tenant): Promise<number> {
  const body = {
    name: `After the fair ${next()} ${mark}`,
    steps: [
      { id: 1, kind: 'wait' as const, amount: 300, unit: 'days' as const },
      {
        id: 2,
        kind: 'mail' as const,
        template_id: null,
        subject: 'Good day',
        body: `Good day from ${mark}`,
        same_conversation: false,
      },
    ],
  }
  return (await good(call(app.url, sequences.add, { token, body }))).body.id
}

export async function aRunningSequence(tenant: Tenant): Promise<number> {
  const id = await aSequence(tenant)
  await good(call(tenant.app.url, sequences.start, { token: tenant.token, params: { id } }))
  return id
}

export async function aPausedSequence(tenant: Tenant): Promise<number> {
  const id = await aRunningSequence(tenant)
  await good(call(tenant.app.url, sequences.pause, { token: tenant.token, params: { id } }))
  return id
}

/** A contact that is under way in a sequence. */
export async function aSequenceMember(tenant: Tenant): Promise<number> {
  const { app, token, next } = tenant
  const id = await aRunningSequence(tenant)
  const contact = await addContact(tenant, `member${next()}`)
  await good(call(app.url, sequences.enrol, { token, params: { id }, body: { ids: [contact.id] } }))
  const { body } = await good(call(app.url, sequences.members, { token, params: { id } }))
  return body[0]?.id ?? 0
}

export async function aDeletedTemplate(tenant: Tenant): Promise<number> {
  const id = await aTemplate(tenant)
  await good(call(tenant.app.url, templates.remove, { token: tenant.token, params: { id } }))
  return id
}

/** An uploaded file of one new contact and a row that cannot be read. */
export async function anImport({ app, token, mark, next }: Tenant): Promise<number> {
  const content = `Name,Email\n${mark},file${next()}@people.example\n${mark},nowhere\n`
  const file = { name: `${mark}.csv`, content }
  const { text } = await ask(app.url, need('contactImports.upload'), { token, file })
  return (JSON.parse(text) as { id: number }).id
}

export async function aDoneImport(owner: Tenant): Promise<number> {
  const id = await anImport(owner)
  await good(call(owner.app.url, contactImports.run, { token: owner.token, params: { id }, body: {} }))
  return id
}

export async function aTodo({ app, token, mark }: Tenant): Promise<number> {
  return (await good(call(app.url, todos.add, { token, body: { title: `Call ${mark}` } }))).body.id
}

export async function aChat({ app, token, mark }: Tenant): Promise<number> {
  const body = { title: `About ${mark}` }
  return (await good(call(app.url, assistant.addSession, { token, body }))).body.id
}

/** A question, and its session. */
export async function aQuestion({ app, token, mark }: Tenant): Promise<Named> {
  const body = { message: `Remind me to call ${mark}` }
  const { question, session_id } = (await good(call(app.url, assistant.chat, { token, body }))).body
  return { id: question.id, session_id }
}

/** A proposal as it was shown. */
export async function aProposal({ app, token, mark }: Tenant): Promise<Named> {
  const body = { message: `Remind me to call ${mark}` }
  const [made] = (await good(call(app.url, assistant.chat, { token, body }))).body.result.proposals
  return { id: made?.id ?? 0, hash: made?.hash ?? '' }
}

export async function aMeeting({ app, token, mark }: Tenant): Promise<number> {
  const body = { ...PHONE_CALL, attendees: [...PHONE_CALL.attendees], title: `Call ${mark}` }
  return (await good(call(app.url, meetings.add, { token, body }))).body.id
}

export async function anotherSession({ app, email, password, token }: Tenant): Promise<string> {
  await good(call(app.url, auth.login, { body: { email, password } }))
  const { body } = await call(app.url, devices.sessions, { token })
  return body.find(({ current }) => !current)?.id ?? ''
}

/** Two-step sign-in that is being set up, and its first code. */
export async function aFirstCode(owner: Tenant): Promise<{ code: string }> {
  const { app, token, password } = owner
  await withoutTwoStep(owner)
  const begun = await call(app.url, twoStep.begin, { token, body: { password } })
  return { code: codeOf(begun.body.secret, app.clock.now()) }
}

/** Two-step sign-in that is on, and what proves that it is the owner who changes it. */
export async function aProof(owner: Tenant): Promise<{ password: string; code: string }> {
  const { app, password } = owner
  await withoutTwoStep(owner)
  const { recoveryCodes } = await switchTwoStepOn(app.url, owner, () => app.clock.now())
  return { password, code: recoveryCodes[0] ?? '' }
}

/** Log-in asks for the password alone. */
export async function withoutTwoStep({ app, id }: Tenant): Promise<void> {
  for (const table of ['recovery_codes', 'two_step'])
    await runSql(app.context.db, `DELETE FROM ${table} WHERE user_id = $1`, [id])
}

/** An account that can be connected beside another one. */
export const ACCOUNT = {
  smtp_host: '127.0.0.1',
  smtp_port: 1,
  smtp_username: 'second',
  smtp_password: 'secret',
  smtp_from: 'second@people.example',
} as const

/** Another account of the owner's own, beside the practice mailbox with its run. */
export async function anAccount({ app, id, mark, next }: Tenant): Promise<number> {
  const { rows } = await runSql(
    app.context.db,
    `INSERT INTO mailboxes (user_id, is_primary, address, smtp_host, smtp_port, created_at)
     VALUES ($1, false, $2, '127.0.0.1', 1, $3) RETURNING id`,
    [id, `row${next()}@${mark}.example`, app.clock.now()],
  )
  return (rows as { id: number }[])[0]?.id ?? 0
}

/** An account that begins with few automatic mails a day. */
export async function aNewAccount(owner: Tenant): Promise<number> {
  const id = await anAccount(owner)
  const { app } = owner
  const values = [owner.id, id, app.clock.now()]
  await runSql(
    app.context.db,
    'UPDATE mailboxes SET warm_up_from = $3 WHERE user_id = $1 AND id = $2',
    values,
  )
  return id
}

/** An account whose automatic mail stands still. */
export async function aStoppedAccount(owner: Tenant): Promise<number> {
  const id = await anAccount(owner)
  await runSql(
    owner.app.context.db,
    `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
     VALUES ($1, $2, $3, 100, 5, 0)`,
    [owner.id, id, owner.app.clock.now()],
  )
  return id
}

/** A consent that the owner has given at the provider, and that the browser has not brought back yet. */
export async function aConsent(owner: Tenant): Promise<Named> {
  const { app, token } = owner
  // With it practice ends, which a run in progress would prevent; and it needs room for another account.
  await endRuns(owner)
  await setPlan(app, owner, 'enterprise')
  const { body } = await call(app.url, mailboxOauth.start, { token, body: { provider: 'other' } })
  const response = await fetch(body.url, { redirect: 'manual' })
  const back = new URL(response.headers.get('location') ?? '').searchParams
  return { id: back.get('state') ?? '', code: back.get('code') ?? '', iss: back.get('iss') ?? '' }
}

export async function mailboxOf({ app, id }: Tenant): Promise<number> {
  return (await mailboxesOf(app.context.db, id))[0]?.id ?? 0
}

/**
 * A mail from Kim with one attachment; those of two who have done the same have the same Message-IDs. `columns` are set
 * on it.
 */
export async function aMail(owner: Tenant, columns: Fields = {}, delivery?: Fields): Promise<number> {
  const { app, id, mark } = owner
  const { context } = app
  const raw = Buffer.from(letterOf(mark, owner.next()))
  const arrival = {
    userId: id,
    mailboxId: await mailboxOf(owner),
    raw,
    receivedAt: context.clock.now(),
  }
  await inTransaction(context.db, (tx) => ingestRaw(context, tx, arrival))
  const { rows } = await runSql(context.db, 'SELECT max(id) AS id FROM emails WHERE user_id = $1', [id])
  const email = (rows[0] as { id: number }).id
  for (const [column, value] of Object.entries(columns))
    await sql`UPDATE emails SET ${sql.ref(column)} = ${value} WHERE user_id = ${id} AND id = ${email}`.execute(
      context.db,
    )
  if (delivery !== undefined) await aDelivery(owner, arrival.mailboxId, email, delivery)
  return email
}

/** Ingests a raw mail. */
export async function arrive(owner: Tenant, lines: readonly string[]): Promise<void> {
  const { context } = owner.app
  const raw = Buffer.from(`${lines.join('\r\n')}\r\n`)
  const mailboxId = await mailboxOf(owner)
  const arrival = { userId: owner.id, mailboxId, raw, receivedAt: context.clock.now() }
  await inTransaction(context.db, (tx) => ingestRaw(context, tx, arrival))
}

export async function aDelivery(
  { app, id }: Tenant,
  mailboxId: number,
  emailId: number,
  columns: Fields,
): Promise<void> {
  const values = {
    user_id: id,
    email_id: emailId,
    mailbox_id: mailboxId,
    recipients: ['kim@people.example'],
    next_try_at: new Date('2100-01-01'),
    ...columns,
  }
  const names = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  await sql`INSERT INTO deliveries (${names}) VALUES (${sql.join(Object.values(values))})`.execute(
    app.context.db,
  )
}

const letterOf = (mark: string, number: number) =>
  `From: Kim ${mark} <kim@people.example>
To: sam@people.example
Subject: Good day
Message-ID: <${number}@people.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Good day, says ${mark}.
--b
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=${mark}.bin

${mark}
--b--
`.replaceAll('\n', '\r\n')

export async function endRuns(tenant: Tenant): Promise<void> {
  await runSql(tenant.app.context.db, `UPDATE outreach_batches SET state = 'done' WHERE user_id = $1`, [
    tenant.id,
  ])
}

/** The answer to a call that begins a run and waits for its end: the run is ended, as no worker is there to do it. */
export const endingRuns = <T>(tenant: Tenant, answer: Promise<T>): Promise<T> =>
  meanwhile(() => endRuns(tenant), answer)

/** The mailbox of a user whose runs are over. */
export async function mailboxWithoutRun(tenant: Tenant): Promise<number> {
  await endRuns(tenant)
  return mailboxOf(tenant)
}

/** A template of a user whose runs are over. */
export async function templateWithoutRun(tenant: Tenant): Promise<number> {
  await endRuns(tenant)
  return aTemplate(tenant)
}

/** A mail that was shown before a run, from the brief and from each template; named by its contact. */
export async function aPreview(tenant: Tenant): Promise<number> {
  await endRuns(tenant)
  const { id } = await addContact(tenant, `shown${tenant.next()}`)
  await runSql(
    tenant.app.context.db,
    `INSERT INTO outreach_previews (user_id, contact_id, template_id, subject, body, basis, writings, made_at)
     SELECT $1, $2, id, $3, $3, '', 1, $4 FROM (SELECT id FROM templates WHERE user_id = $1 UNION SELECT 0) AS texts`,
    [tenant.id, id, `Good day from ${tenant.mark}`, tenant.app.clock.now()],
  )
  return id
}

/** A run in this state with one waiting mail; the run before it is over. */
export async function aBatch(tenant: Tenant, state: string, delivery: string): Promise<number> {
  const { db } = tenant.app.context
  await endRuns(tenant)
  const mailboxId = await mailboxOf(tenant)
  const { rows } = await runSql(
    db,
    `INSERT INTO outreach_batches (user_id, mailbox_id, state, total, is_listed, started_at)
     VALUES ($1, $2, $3, 1, true, $4) RETURNING id`,
    [tenant.id, mailboxId, state, new Date('2026-01-01')],
  )
  const { id } = rows[0] as { id: number }
  const columns = { direction: 'out', purpose: 'outreach', folder: 'sent' }
  const emailId = await aMail(tenant, columns, { state: delivery, group_id: id })
  await runSql(
    db,
    `INSERT INTO outreach_items (user_id, batch_id, contact_id, name, address, state, email_id)
     VALUES ($1, $2, $3, $4, 'kim@people.example', 'written', $3)`,
    [tenant.id, id, emailId, tenant.mark],
  )
  return id
}

export async function anUpload({ app, token, mark }: Tenant): Promise<number> {
  const file = { name: `${mark}.txt`, content: mark }
  const { text } = await ask(app.url, need('emails.upload'), { token, file })
  return (JSON.parse(text) as { id: number }).id
}

export function need(name: string): Endpoint {
  const endpoint = CONTRACT.get(name)
  if (endpoint === undefined) throw new Error(`There is no call ${name}`)
  return endpoint
}

type Asked = {
  params?: Named
  query?: Record<string, string>
  body?: unknown
  file?: typeof FILE
  token?: string
  headers?: Record<string, string>
}
export type Answered = {
  status: number
  text: string
  total: string | null
  next: string | null
  others: string
}

/** A call as raw bytes: an attacker also sends what the contract's types forbid. */
export async function ask(
  base: string,
  endpoint: Endpoint,
  { params, query, body, file, token, headers: more }: Asked,
): Promise<Answered> {
  const form = new FormData()
  if (file !== undefined) form.set('file', new Blob([file.content]), file.name)
  const content = file === undefined ? (body === undefined ? null : JSON.stringify(body)) : form
  const search = new URLSearchParams(query).toString()
  const response = await fetch(`${base}${pathOf(endpoint, params)}?${search}`, {
    method: endpoint.method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(typeof content === 'string' ? { 'Content-Type': 'application/json' } : {}),
      ...more,
    },
    body: content,
  })
  const { status, headers } = response
  const text = await response.text()
  // Our own headers count as part of the answer.
  const others = [...headers]
    .filter(([name]) => name.startsWith('x-') && name !== 'x-total-count')
    .map((each) => each.join(': '))
    .join('\n')
  return { status, text, total: headers.get('x-total-count'), next: headers.get('link'), others }
}
