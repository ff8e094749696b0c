import * as z from 'zod/mini'
import { CONTRACT } from '#contract/contract.ts'
import { FOLDERS } from '#contract/mail/emails.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { PASSWORD } from './factories.ts'
import {
  ACCOUNT,
  BRIEF,
  type Answered,
  type Fields,
  type Named,
  PHONE_CALL,
  type Tenant,
  WRITTEN,
  aBatch,
  aChat,
  aConsent,
  anAcceptedQuote,
  aDeletedDraft,
  aDoneImport,
  aDraftInvoice,
  aFirstCode,
  aMail,
  aNewAccount,
  aMeeting,
  aPayment,
  aPreview,
  aProposal,
  aQuestion,
  aProof,
  aPausedSequence,
  aRecurringInvoice,
  aReminder,
  aRunningSequence,
  aSentReminder,
  aSequence,
  aSequenceMember,
  aStoppedAccount,
  aDeletedTemplate,
  aTag,
  aTemplate,
  aTodo,
  addContact,
  anAccount,
  anImport,
  anEuInvoice,
  anIssuedInvoice,
  anIssuedQuote,
  anUpload,
  anotherSession,
  ask,
  endRuns,
  endingRuns,
  mailboxOf,
  mailboxWithoutRun,
  templateWithoutRun,
  stoppedContact,
  taggedContact,
  undoableAct,
} from './tenant-rows.ts'
import type { TestApp } from './test-app.ts'

// Requests for every call of the contract, derived from the contract itself, with a line for each place that names a
// row and for each body.

export type Fixture = {
  /** Makes a user's row in a state in which the call would change it, and returns what names it. */
  own: (owner: Tenant) => Promise<Named>
  /** Names of the same form that do not exist. */
  missing: Named
}

/** Fields of a body that name a row without being its id. */
const NAMING_FIELDS: ReadonlyMap<string | undefined, string> = new Map([
  [CONTRACT.get('mailboxOauth.finish')?.path, 'state'],
])

/** A row number that no sequence of a test reaches. */
const NO_ID = { id: 987_654_321 }

/** A row that is named by its number. */
const row = (make: (owner: Tenant) => Promise<number>, others: Named = {}): Fixture => ({
  own: async (owner) => ({ id: await make(owner), ...others }),
  missing: { ...NO_ID, ...others },
})
const contact = row(async (owner) => (await addContact(owner, `row${owner.next()}`)).id)
const draftInvoice = row(aDraftInvoice)
/** A mail that came in, with these columns. */
const mail = (columns: Fields = {}) => row((owner) => aMail(owner, columns))
/** A mail that the user wrote; `delivery` are columns of its delivery, if it has one. */
const ownMail = (columns: Fields, delivery?: Fields) =>
  row((owner) => aMail(owner, { direction: 'out', purpose: 'compose', ...columns }, delivery))
const batch = (state: string, delivery: string) => row((owner) => aBatch(owner, state, delivery))

/**
 * For every place where a call names a row: how to make one. `emails.get` is its path, `emails.notSpam#email_id` a field
 * of its body or query. Fields that are ids are found by themselves; others (a Message-ID) are added by hand.
 */
export const FIXTURES: Record<string, Fixture> = {
  'auth.endSession': {
    own: async (owner) => ({ id: await anotherSession(owner) }),
    missing: { id: '00000000-0000-4000-8000-000000000000' },
  },
  'contacts.get': contact,
  'contacts.update': contact,
  'contacts.remove': contact,
  'contacts.tagMany#ids': contact,
  'contacts.untagMany#ids': row(taggedContact),
  'contacts.removeMany#ids': contact,
  'contacts.undoMany': row(undoableAct),
  'contacts.stopMailing#ids': contact,
  'contacts.liftMailing#ids': row(stoppedContact),
  'contactImports.get': row(anImport),
  'contactImports.check': row(anImport),
  'contactImports.run': row(anImport),
  'contactImports.discard': row(anImport),
  'contactImports.refused': row(aDoneImport),
  'contactImports.undoPlan': row(aDoneImport),
  'contactImports.undo': row(aDoneImport),
  'tags.update': row(async (owner) => (await aTag(owner)).id),
  'tags.remove': row(async (owner) => (await aTag(owner)).id),
  'timeline.ofContact': contact,
  'todos.update': row(aTodo),
  'todos.toggle': row(aTodo),
  'todos.remove': row(aTodo),
  'todos.add#contact_id': contact,
  'todos.add#email_id': mail(),
  'todos.update#contact_id': contact,
  'todos.update#email_id': mail(),
  'todos.list#contact_id': contact,
  'todos.list#email_id': mail(),
  'invoices.get': draftInvoice,
  'invoices.pdf': draftInvoice,
  'invoices.eInvoice': row(anEuInvoice),
  'invoices.update': draftInvoice,
  'invoices.remove': draftInvoice,
  'invoices.restore': row(aDeletedDraft),
  'invoices.issue': draftInvoice,
  'invoices.duplicate': draftInvoice,
  'invoices.credit': row(anIssuedInvoice),
  'invoices.accept': row(anIssuedQuote),
  'invoices.decline': row(anIssuedQuote),
  'invoices.takeAnswerBack': row(anAcceptedQuote),
  'invoices.makeInvoice': row(anIssuedQuote),
  'invoices.addPayment': row(anIssuedInvoice),
  'invoices.removePayment': { own: aPayment, missing: { ...NO_ID, payment_id: NO_ID.id } },
  'paymentReminders.ofInvoice': row(anIssuedInvoice),
  'paymentReminders.switchInvoice': row(anIssuedInvoice),
  'paymentReminders.update': row(aReminder),
  'paymentReminders.send': row(aSentReminder),
  'recurringInvoices.update': row(aRecurringInvoice),
  'recurringInvoices.setState': row(aRecurringInvoice),
  'recurringInvoices.add#invoice_id': draftInvoice,
  'recurringInvoices.update#invoice_id': draftInvoice,
  'invoices.add#contact_id': contact,
  'invoices.update#contact_id': contact,
  'invoiceMail.proposal': row(anIssuedInvoice),
  'invoiceMail.send': row(anIssuedInvoice),
  'invoiceMail.send#mailbox_id': row(mailboxOf),
  'invoiceMail.mails': row(anIssuedInvoice),
  'invoiceMail.link': row(anIssuedInvoice),
  'invoiceMail.changeLink': row(anIssuedInvoice),
  'assistant.getSession': row(aChat),
  'assistant.renameSession': row(aChat),
  'assistant.removeSession': row(aChat),
  'assistant.activateSession': row(aChat),
  'assistant.stop': row(aChat),
  'assistant.chat#session_id': row(aChat),
  'assistant.chat#replaced_id': { own: aQuestion, missing: { ...NO_ID, session_id: NO_ID.id } },
  'assistant.approve': { own: aProposal, missing: { ...NO_ID, hash: '0'.repeat(64) } },
  'assistant.decline': { own: aProposal, missing: NO_ID },
  'assistant.edit': { own: aProposal, missing: NO_ID },
  'meetings.get': row(aMeeting),
  'meetings.calendar': row(aMeeting),
  'meetings.update': row(aMeeting),
  'meetings.remove': row(aMeeting),
  'emails.get': mail(),
  'emails.thread': mail(),
  'emails.source': mail(),
  'emails.trustSender': mail(),
  'emails.attachment': row((owner) => aMail(owner), { n: 0 }),
  'emails.archive': mail(),
  'emails.unarchive': mail({ folder: 'archived', original_folder: 'inbox' }),
  'emails.trash': mail(),
  'emails.restore': mail({ folder: 'trash', original_folder: 'inbox' }),
  'emails.deleteFromTrash': mail({ folder: 'trash', original_folder: 'inbox' }),
  'emails.markRead': mail({ is_read: false }),
  'emails.markUnread': mail({ is_read: true }),
  'emails.spam': mail(),
  'emails.notSpam#email_id': mail({ folder: 'spam', original_folder: 'inbox' }),
  'emails.star': mail(),
  'emails.act#ids': mail(),
  'emails.list#mailbox': row(mailboxOf),
  'emails.counts#mailbox': row(mailboxOf),
  'emails.list#after': mail(),
  'emails.update': ownMail({ folder: 'drafts' }),
  'emails.discard': ownMail({ folder: 'drafts' }),
  'emails.cancel': ownMail({ folder: 'scheduled', schedule_at: new Date('2100-01-01') }),
  'emails.resend': ownMail({ folder: 'sent' }, { state: 'failed' }),
  'emails.reply#email_id': mail(),
  'emails.replyPreview#email_id': mail(),
  'mailboxes.getAccount': row(anAccount),
  'mailboxes.saveAccount': row(anAccount),
  'mailboxes.removeAccount': row(anAccount),
  'mailboxes.test#account_id': row(anAccount),
  'mailboxOauth.start#mailbox_id': row(anAccount),
  'mailboxOauth.finish#state': {
    own: aConsent,
    missing: { id: 'no state that anybody knows', code: 'no code', iss: 'https://id.muster.example' },
  },
  'automaticMail.saveAccount': row(aNewAccount),
  'automaticMail.goOn': row(aStoppedAccount),
  'automaticMail.ofContact': contact,
  'sequences.add#mailbox_id': row(anAccount),
  'sequences.get': row(aSequence),
  'sequences.update': row(aSequence),
  'sequences.update#mailbox_id': row(anAccount),
  'sequences.remove': row(aSequence),
  'sequences.check': row(aSequence),
  'sequences.check#ids': contact,
  'sequences.forecast': row(aSequence),
  'sequences.start': row(aSequence),
  'sequences.pause': row(aRunningSequence),
  'sequences.end': row(aPausedSequence),
  'sequences.figures': row(aRunningSequence),
  'sequences.members': row(aRunningSequence),
  'sequences.enrol': row(aRunningSequence),
  'sequences.enrol#ids': contact,
  'sequences.undoEnrol': row(aRunningSequence),
  'sequences.act': row(aRunningSequence),
  'sequences.act#ids': row(aSequenceMember),
  'sequences.ofContact': contact,
  'templates.get': row(aTemplate),
  'templates.update': row(aTemplate),
  'templates.duplicate': row(aTemplate),
  'templates.remove': row(aTemplate),
  'templates.restore': row(aDeletedTemplate),
  'templates.values#contact_id': contact,
  'outreach.generateAndSend#mailbox_id': row(mailboxOf),
  'outreach.generateAndSend#template_id': row(aTemplate),
  'outreach.generateAndSend#audience.contact_ids': contact,
  'outreach.estimate#mailbox_id': row(mailboxOf),
  'outreach.estimate#template_id': row(aTemplate),
  'outreach.previews#mailbox_id': row(mailboxWithoutRun),
  'outreach.previews#template_id': row(templateWithoutRun),
  'outreach.previews#audience.contact_ids': contact,
  'outreach.changePreview': row(aPreview),
  'outreach.changePreview#template_id': row(aTemplate),
  'outreach.discardPreview': row(aPreview),
  'outreach.discardPreview#template_id': row(aTemplate),
  'outreach.testPreview': row(aPreview),
  'outreach.testPreview#mailbox_id': row(mailboxOf),
  'outreach.testPreview#template_id': row(aTemplate),
  'outreach.estimateAudience#mailbox_id': row(mailboxOf),
  'outreach.estimateAudience#template_id': row(aTemplate),
  'outreach.estimateAudience#audience.contact_ids': contact,
  'outreach.get': batch('running', 'queued'),
  'outreach.pause': batch('running', 'queued'),
  'outreach.resume': batch('paused', 'held'),
  'outreach.cancel': batch('running', 'queued'),
  'outreach.withoutModel': batch('running', 'queued'),
  'followUps.choose': contact,
  ...inWriting('emails.send'),
  ...inWriting('emails.saveDraft'),
  ...inWriting('emails.update'),
  ...inWriting('emails.reply'),
}

/** What a draft may name besides its own row. */
function inWriting(name: string): Record<string, Fixture> {
  const all: Record<string, Fixture> = {
    attachments: row(anUpload),
    forward_of: mail(),
    quote_of: mail(),
    draft_id: ownMail({ folder: 'drafts' }),
    mailbox_id: row(mailboxOf),
  }
  const taken = Object.entries(all).filter(([field]) =>
    idFields(CONTRACT.get(name), 'body').some((each) => each.name === field),
  )
  return Object.fromEntries(taken.map(([field, fixture]) => [`${name}#${field}`, fixture]))
}

/** A server that nobody listens at. */
const OWN_MODEL = { base_url: 'http://127.0.0.1:9/v1', model: 'tiny' }

/** A body that could name a row, but does not. */
const NO_ROW = {}

/** A body that the call takes, for every call that has one; fields that name a row are put into it. */
export const BODIES: Record<string, unknown> = {
  'contacts.add': { name: 'Lou', email: 'lou@people.example' },
  'contacts.update': { name: 'Taken over' },
  'contactImports.check': {},
  'contactImports.run': {},
  'contacts.tagMany': { tag: 'Neighbours' },
  'contacts.untagMany': { tag: 'Friends' },
  'contacts.removeMany': {},
  'contacts.stopMailing': {},
  'contacts.liftMailing': {},
  'tags.add': { name: 'Colleagues' },
  'tags.update': { name: 'Taken over' },
  'todos.add': { title: 'Call Kim' },
  'todos.update': { title: 'Taken over' },
  'invoices.add': {},
  'invoices.update': { version: 1, notes: 'Taken over' },
  'invoices.accept': { name: 'Taken over' },
  'invoices.decline': { reason: 'Taken over' },
  'invoices.saveSeries': { pattern: 'R-{0001}' },
  'invoices.addPayment': { amount: '1' },
  'invoiceMail.send': { to: 'kim@people.example', subject: 'Invoice', text: 'Here it is' },
  'invoiceMail.changeLink': { change: 'new' },
  'paymentReminders.saveSettings': { hour: 8 },
  'paymentReminders.switchInvoice': { on: false },
  'paymentReminders.update': { text: 'Taken over' },
  'recurringInvoices.add': { every: 'month', first_on: '2100-01-31' },
  'recurringInvoices.update': { every: 'year' },
  'recurringInvoices.setState': { state: 'paused' },
  'assistant.addSession': { title: 'About Kim' },
  'assistant.renameSession': { title: 'Taken over' },
  'assistant.chat': { message: 'Remind me to call Kim' },
  'assistant.approve': {},
  'assistant.edit': { changes: { title: 'Taken over' } },
  'aiUsage.saveCap': { requests_a_day: 7 },
  'meetings.add': PHONE_CALL,
  'meetings.update': { title: 'Taken over' },
  'profile.update': { job_title: 'Somebody' },
  'writing.saveSettings': { learns_tone: true },
  'briefs.save': { ...BRIEF, offer: 'Taken over' },
  'mailboxes.save': { auto_followup_enabled: true },
  'mailboxes.test': NO_ROW,
  'mailboxes.addAccount': ACCOUNT,
  'mailboxes.saveAccount': { hourly_limit: 60 },
  'mailboxOauth.start': { provider: 'other' },
  'ownModel.save': OWN_MODEL,
  'ownModel.test': OWN_MODEL,
  'ownModel.models': { base_url: OWN_MODEL.base_url },
  'mailboxOauth.finish': {},
  'emails.send': WRITTEN,
  'emails.saveDraft': WRITTEN,
  'emails.update': { subject: 'Taken over' },
  'emails.trustSender': { trusted: true },
  'emails.star': { starred: true },
  'emails.notSpam': {},
  'emails.act': { action: 'archive' },
  'automaticMail.saveHours': { limited: true, days: [1], from_hour: 0, until_hour: 24 },
  'automaticMail.saveAccount': { warm_up: false },
  'sequences.add': { name: 'After the fair' },
  'sequences.update': { name: 'Taken over' },
  'sequences.check': {},
  'sequences.forecast': { members: 10 },
  'sequences.enrol': { ids: [NO_ID.id] },
  'sequences.undoEnrol': { enrolment: '6f2b0c3e-5f0a-4f7e-9f3b-0d8a1c2b3d4e' },
  'sequences.act': { act: 'take_out', ids: [NO_ID.id] },
  'templates.add': { name: 'Greeting', subject: 'Good day', body: 'Good day to you' },
  'templates.update': { name: 'Taken over' },
  'templates.check': { subject: 'Good day', body: 'Good day, {{ position }}' },
  'outreach.generateAndSend': NO_ROW,
  'outreach.example': BRIEF,
  'outreach.previews': NO_ROW,
  'outreach.changePreview': { subject: 'Taken over' },
  'outreach.testPreview': NO_ROW,
  'followUps.choose': { choice: 'never' },
  'outreach.estimateAudience': { audience: { filter: {} } },
  'emails.reply': { to: 'kim@people.example', subject: 'Re: Good day', body: 'Thank you' },
  'emails.replyPreview': { original: 'Good day?' },
  'referrals.invite': { email: 'friend@people.example', personal_message: 'Join me' },
  'twoStep.begin': { password: PASSWORD },
  'emails.followUpPreview': { to: 'kim@people.example' },
  'heldMails.send': { leave_out: true },
  'leaving.giveFeedback': { category: 'pricing', rating: 4, details: 'Too expensive for us' },
}

/** A body that depends on what is the user's, for calls whose body cannot be written down beforehand. */
export const BODIES_FOR: Record<string, (owner: Tenant) => Promise<unknown>> = {
  'twoStep.confirm': aFirstCode,
  'twoStep.renewCodes': aProof,
  'twoStep.switchOff': aProof,
}

/** Queries of reading calls without path parameters; one entry is one call. */
export const QUERIES: Record<string, Record<string, string>[]> = {
  'emails.list': [
    ...FOLDERS.map((folder) => ({ folder })),
    { folder: 'inbox', search: 'Good day' },
    { folder: 'inbox', filter: 'unread' },
    { folder: 'inbox', collapse: 'true' },
  ],
  'contacts.list': [
    {},
    { search: 'kim' },
    { company: 'Ltd' },
    { email_domain: 'people.example' },
    { status: 'sent' },
    { status: 'meeting_scheduled' },
    { status: 'replied' },
    { tag: 'friends' },
    { total: 'rough', company: 'Ltd' },
    { last_contact_from: '2020-01-01', sort: 'last_contact' },
    { never_mailed: 'true' },
    { opened_invoice: 'true' },
    { page_size: '1', sort: 'name' },
  ],
  'contacts.count': [
    {},
    { search: 'kim' },
    { tag: 'friends' },
    { status: 'sent' },
    { status: 'meeting_scheduled' },
  ],
  'invoices.list': [
    {},
    { search: 'ltd' },
    { status: 'overdue' },
    { status: 'draft', page_size: '1' },
    { status: 'quotes' },
  ],
  'followUps.leftOut': [{ reason: 'never_mailed' }, { reason: 'replied' }, { reason: 'never' }],
  'tags.list': [{}, { counts: 'true' }],
  'contacts.export': [{}, { search: 'kim' }],
  'meetings.list': [
    {},
    { filter: 'upcoming' },
    { attendee: 'lee@people.example' },
    { search: 'a', from: '2090-01-01', status: 'scheduled', page_size: '5' },
  ],
  'tax.compute': [{ country_code: 'IN' }],
  'mailboxes.discover': [{ email: 'kim@gmail.com' }],
}

/** Reading calls whose answer contains what the user wrote: they prove that the sweep would see it. */
export const SHOW_THE_MARK = new Set([
  'auth.me',
  'briefs.get',
  'briefs.versions',
  'contacts.list',
  'contacts.export',
  'mailboxes.get',
  'emails.list',
  'invoices.list',
  'templates.list',
  'sequences.list',
  'recurringInvoices.list',
])

type Id = { name: string; many: boolean; of: 'body' | 'query' }
type Json = { type?: string; exclusiveMinimum?: number } & { [key: string]: unknown }

/** The fields of a body or a query that name rows: ids (`id` of contract/platform/values.ts), and those of NAMING_FIELDS. */
export function idFields(endpoint: Endpoint | undefined, of: Id['of']): Id[] {
  const naming = of === 'body' ? NAMING_FIELDS.get(endpoint?.path) : undefined
  if (naming !== undefined) return [{ name: naming, many: false, of }]
  const schema = endpoint?.[of]
  if (schema === undefined) return []
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json
  const fields = (json['properties'] ?? (json['anyOf'] as Json[] | undefined)?.[0]?.['properties']) as
    | Record<string, Json>
    | undefined
  return Object.entries(fields ?? {})
    .flatMap(([name, field]) => deepest(name, field))
    .filter(([, field]) =>
      holds(field, ({ type, exclusiveMinimum }) => type === 'integer' && exclusiveMinimum === 0),
    )
    .map(([name, field]) => ({ name, many: holds(field, ({ type }) => type === 'array'), of }))
}

/** A field of a body, or those of the object that it is: `audience.contact_ids`. */
function deepest(name: string, field: Json): [string, Json][] {
  const inner = field['properties'] as Record<string, Json> | undefined
  return inner === undefined
    ? [[name, field]]
    : Object.entries(inner).flatMap(([each, of]) => deepest(`${name}.${each}`, of))
}

/** The fields of a body with one more, `audience.contact_ids` in an object of its own. */
function withField(body: Fields, name: string, value: unknown): Fields {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...body, [first]: value }
  // It stands for the whole object: of an audience, ids go instead of a filter.
  return { ...body, [first]: withField({}, rest.join('.'), value) }
}

function holds(node: unknown, is: (json: Json) => boolean): boolean {
  if (typeof node !== 'object' || node === null) return false
  return is(node as Json) || Object.values(node).some((child) => holds(child, is))
}

export type Place = { name: string; endpoint: Endpoint; field: Id | null; fixture: string }

/** Calls of users without a stream, which has a test of its own (server/platform/http/http.test.ts); those of administrators are in tests/administrators.test.ts. */
export const calls = [...CONTRACT].filter(
  ([, { access, download }]) => access === 'user' && download !== 'text/event-stream',
)
export const places: Place[] = calls.flatMap(([name, endpoint]) => [
  ...(endpoint.path.includes(':') ? [{ name, endpoint, field: null, fixture: name }] : []),
  ...[...idFields(endpoint, 'body'), ...idFields(endpoint, 'query')].map((field) => ({
    name,
    endpoint,
    field,
    fixture: `${name}#${field.name}`,
  })),
])
export const withoutParams = calls.filter(([, { path }]) => !path.includes(':'))
export const reading = withoutParams.filter(([, { method }]) => method === 'GET')
export const acting = withoutParams
  .filter(
    ([name, endpoint]) =>
      endpoint.method !== 'GET' &&
      (idFields(endpoint, 'body').length === 0 || BODIES[name] === WRITTEN || BODIES[name] === NO_ROW),
  )
  // Whoever has deleted the account makes no other call.
  .toSorted(
    ([one], [other]) => Number(one === 'leaving.deleteAccount') - Number(other === 'leaving.deleteAccount'),
  )

/** Everything that a reading call tells a user, counts included. */
export async function answersTo({ app, token }: Tenant, name: string, endpoint: Endpoint): Promise<string> {
  const answers: Answered[] = []
  for (const query of QUERIES[name] ?? [{}]) answers.push(await ask(app.url, endpoint, { query, token }))
  for (const { status, text } of answers) if (status !== 200) throw new Error(`${name}: ${status} ${text}`)
  // These values change whenever they are asked for.
  return JSON.stringify(answers, null, 1).replaceAll(/"(last_seen_at|counted_at)\\":\\"[^"]*"/g, '')
}

/**
 * Columns that are no content of a user: words are made of the description, in an order that ids change, and the risk counts
 * failures from the same address, whoever's they are. Only administrators see either.
 */
const LEFT_OUT: Record<string, string> = { activities: ` - 'words' - 'risk_score'` }

/** One statement for the rows of a user in all tables: a hundred of them cost more on the way than in the database. */
type EveryRow = { tables: string[]; text: string }
const everyRow = new WeakMap<TestApp, Promise<EveryRow>>()

async function readTables({ context }: TestApp): Promise<EveryRow> {
  const { rows } = await runSql(
    context.db,
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'user_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  )
  const tables = [...(rows as { name: string }[]).map(({ name }) => name), 'users']
  const each = tables.map(
    (name) =>
      `SELECT '${name}' AS name, (to_jsonb(t)${LEFT_OUT[name] ?? ''})::text AS row FROM ${name} t WHERE ${name === 'users' ? 'id' : 'user_id'} = $1`,
  )
  return { tables, text: `${each.join(' UNION ALL ')} ORDER BY 1, 2` }
}

/** All rows of one tenant in all tables. */
export async function dump({ app, id }: Tenant): Promise<Record<string, string[]>> {
  const asked = everyRow.get(app) ?? readTables(app)
  everyRow.set(app, asked)
  const { tables, text } = await asked
  const { rows } = await runSql(app.context.db, text, [id])
  const all: Record<string, string[]> = Object.fromEntries(tables.map((name) => [name, []]))
  for (const { name, row } of rows as { name: string; row: string }[]) all[name]?.push(row)
  return all
}

/**
 * A user's call that names rows, with these names filled in; `beside` are rows that a list names before
 * them.
 */
export async function asking(
  { name, endpoint, field }: Place,
  named: Named,
  caller: Tenant,
  beside: readonly Named[] = [],
): Promise<Answered> {
  const { app, token } = caller
  const body = BODIES[name]
  // What is approved is named by its row and by its hash.
  const { hash } = named
  const whole = hash === undefined ? body : { ...(body as Fields), hash }
  if (field === null) return ask(app.url, endpoint, { params: named, body: whole, token })
  // A run to an audience joins no other.
  if (name === 'outreach.generateAndSend') await endRuns(caller)
  // The path names the caller's own row: only the field is tested.
  const params = endpoint.path.includes(':') ? ((await FIXTURES[name]?.own(caller)) ?? {}) : {}
  const value = field.many ? [...beside, named].map(({ id }) => id) : named['id']
  if (field.of === 'query')
    return ask(app.url, endpoint, { params, query: { [field.name]: String(value) }, token })
  // A fixture may name more of the body, which goes with this row.
  const { id: _, ...others } = named
  const answer = ask(app.url, endpoint, {
    params,
    body: withField({ ...(body as Fields), ...others }, field.name, value),
    token,
  })
  return name === 'outreach.generateAndSend' ? endingRuns(caller, answer) : answer
}
