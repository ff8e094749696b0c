import * as z from 'zod/mini'
import { CURRENCIES, type CurrencyCode } from '#contract/invoicing/money.ts'
import { isDay } from '#contract/platform/typed-instant.ts'
import { id, text } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import { addInvoice } from '../../invoicing/invoices/invoices.ts'
import { currentRates } from '../../invoicing/rates/rates.ts'
import { inOneTransaction } from './in-one-transaction.ts'
import { seenText } from '../../formats/mail-text/seen-text.ts'
import { fullDay, shownWords } from './shown-words.ts'
import { sameContact } from './stored-contact.ts'
import { type Asking, proposingTool } from './tool.ts'

const ITEMS_MAX = 50
const amount = z.string().check(z.trim(), z.regex(/^\d{1,12}(?:\.\d{1,4})?$/, 'Please enter a number'))

type Item = { description: string; quantity: string; unit_price: string }
type Drafted = {
  contact_id: number
  name: string
  company: string
  address: string
  currency: CurrencyCode
  items: Item[]
  due_date: string | null
}

export const draftInvoiceTool = proposingTool({
  name: 'draft_invoice',
  topics: ['invoices'],
  summary: 'Keep a draft of an invoice for a contact; amounts are decimals like "1200.50". It is not issued',
  input: z.object({
    contact_id: id,
    items: z
      .array(z.object({ description: text(500), quantity: z.optional(amount), unit_price: amount }))
      .check(z.minLength(1), z.maxLength(ITEMS_MAX)),
    currency: z.optional(z.enum(CURRENCIES.map(({ code }) => code) as [CurrencyCode, ...CurrencyCode[]])),
    due_date: z.optional(z.nullable(z.string().check(z.refine(isDay, 'This is not a date')))),
  }),
  editable: ['items', 'currency', 'due_date'],
  async prepare({ context, user }: Asking, input): Promise<Drafted> {
    const contact = await getContact(context, user.id, input.contact_id)
    const own = (await findUser(context.db, user.id))?.currency
    return {
      contact_id: contact.id,
      name: seenText(contact.name),
      company: seenText(contact.company),
      address: contact.email,
      currency: input.currency ?? CURRENCIES.find(({ code }) => code === own)?.code ?? 'USD',
      items: input.items.map((item) => ({ ...item, quantity: item.quantity ?? '1' })),
      due_date: input.due_date ?? null,
    }
  },
  summarise: ({ name, address }: Drafted) => `Draft an invoice for ${shownWords(name || address, 80)}`,
  lines: (content: Drafted) => [
    { label: 'Bill to', text: [content.name, content.company, content.address].filter(Boolean).join(', ') },
    ...content.items.map((item) => ({
      label: 'Line',
      text: `${item.description}: ${item.quantity} × ${item.unit_price} ${content.currency}`,
    })),
    ...(content.due_date === null ? [] : [{ label: 'Due', text: fullDay(content.due_date) }]),
    {
      label: 'Note',
      text: 'It is a draft: it has no number, and nobody gets it before you issue and send it.',
    },
  ],
  async perform(asking, content, settlement) {
    // Asked before the transaction begins: the service may take a while.
    await currentRates(asking.context)
    await inOneTransaction(asking, settlement, async (within) => {
      await sameContact(within, content.contact_id, content.address)
      const invoice = await addInvoice(within.context, within.user, {
        contact_id: content.contact_id,
        currency: content.currency,
        // The amounts are in this currency already.
        convert: false,
        buyer: { name: content.name, business_name: content.company, email: content.address },
        items: content.items.map((item) => ({ ...item, discount_pct: '', tax_pct: '' })),
        ...(content.due_date === null ? {} : { due_date: content.due_date }),
      })
      return {
        label: `Draft for ${shownWords(content.name || content.address, 80)}`,
        path: `/invoices/${invoice.id}`,
      }
    })
  },
})
