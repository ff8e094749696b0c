import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { invoiceDraft } from './invoices.ts'
import { ACCEPTED_BY_MAX, INVOICE_STATUSES, KINDS, refusal } from './saved-invoices.ts'
import { instant, requiredLine, text } from '../platform/values.ts'

/** Minor units of the document's currency. */
const minor = z.number()
const byToken = z.object({ token: text(200) })

const sharedInvoice = z.object({
  kind: z.enum(KINDS),
  number: z.string(),
  status: z.enum(INVOICE_STATUSES),
  currency: z.string(),
  issue_date: z.string(),
  due_date: z.string(),
  total: minor,
  paid: minor,
  credited: minor,
  due: minor,
  payments: z.array(z.object({ amount: minor, paid_on: z.string() })),
  credit_notes: z.array(z.object({ number: z.string(), total: minor })),
  /** The invoice that a credit note takes back. */
  credits: z.nullable(z.string()),
  /** Who accepted a quote, and when; when it was declined. */
  accepted_by: z.string(),
  accepted_at: z.nullable(instant),
  declined_at: z.nullable(instant),
  customer: z.string(),
  seller: z.object({ name: z.string(), email: z.string(), phone: z.string(), logo: z.string() }),
  /** Where to pay; null if there is nothing to pay, or no account on the document. */
  account: z.nullable(
    z.object({
      holder: z.string(),
      iban: z.string(),
      bic: z.string(),
      reference: z.string(),
      /** The text of a QR code for banking apps (EPC069-12); null unless it is a transfer in euros. */
      epc: z.nullable(z.string()),
    }),
  ),
  file_name: z.string(),
  /** What the pages show; null if this version cannot draw them. */
  document: z.nullable(
    z.object({ draft: invoiceDraft, rate: z.number(), rate_date: z.nullable(z.string()) }),
  ),
})
export type SharedInvoice = z.infer<typeof sharedInvoice>

const ANSWERS = { max: 30, seconds: 600 }

/** What a customer may do with the link to a document, without a session. */
export const sharedInvoices = {
  show: endpoint({
    method: 'GET',
    path: '/shared-invoices/:token',
    access: 'public',
    summary: 'The document that a link leads to. Looking at it this way changes nothing',
    params: byToken,
    reply: sharedInvoice,
    limit: { max: 300, seconds: 600 },
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/shared-invoices/:token/pdf',
    access: 'public',
    summary: 'The same as a PDF file',
    params: byToken,
    download: 'application/pdf',
    limit: { max: 60, seconds: 600 },
  }),
  viewed: endpoint({
    method: 'POST',
    path: '/shared-invoices/:token/viewed',
    access: 'public',
    summary: 'Somebody looks at the page: the script of the page says so. Its owner’s own looks do not count',
    params: byToken,
    reply: z.object({ ok: z.boolean() }),
    limit: { max: 300, seconds: 600 },
  }),
  accept: endpoint({
    method: 'POST',
    path: '/shared-invoices/:token/accept',
    access: 'public',
    summary: 'The customer accepts a quote with their name; the first answer counts',
    params: byToken,
    body: z.object({ name: requiredLine(ACCEPTED_BY_MAX, 'Please enter your name') }),
    reply: sharedInvoice,
    limit: ANSWERS,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/shared-invoices/:token/decline',
    access: 'public',
    summary: 'The customer declines a quote; the first answer counts',
    params: byToken,
    body: refusal,
    reply: sharedInvoice,
    limit: ANSWERS,
  }),
}
