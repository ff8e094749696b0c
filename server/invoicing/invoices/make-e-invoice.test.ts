import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import type { EInvoiceFormat } from '#contract/invoicing/e-invoice/model.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../../../tests/support/client.ts'
import { brokenRules } from '../../../tests/support/en16931.ts'
import { readTerms } from '../../../tests/support/e-invoice-terms.ts'
import { anEuDraft } from '../../../tests/support/eu-invoices.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { checkCiiSchema } from '../../../tests/support/other-e-invoice.ts'
import { readPdf } from '../../../tests/support/read-pdf.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
beforeEach(async () => {
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

type Fields = BodyInput<typeof invoices.add>
const draftOf = async (fields: Fields = {}) =>
  (await call(app.url, invoices.add, { token: ada.token, body: { ...anEuDraft(), number: '', ...fields } }))
    .body
async function issue(id: number) {
  const answer = await call(app.url, invoices.issue, { token: ada.token, params: { id } })
  expect(answer.status).toBe(200)
  return answer.body
}
const issued = async (fields: Fields = {}) => issue((await draftOf(fields)).id)
const fetchIt = (id: number, format: EInvoiceFormat, user = ada) =>
  fetch(`${app.url}/api/v1/invoices/${id}/e-invoice?format=${format}`, {
    headers: { Authorization: `Bearer ${user.token}` },
  })

/** What a reader of PDFs finds inside. */
async function openPdf(bytes: Uint8Array) {
  const reading = getDocument({ data: bytes.slice(), verbosity: 0 })
  const document = await reading.promise
  const files = new Map<string, string>()
  for (const id of (await document.getAttachments())?.keys() ?? [])
    files.set(id, Buffer.from((await document.getAttachmentContent(id)) ?? []).toString())
  const { metadata } = await document.getMetadata()
  await reading.destroy()
  const raw = (metadata as { getRaw: () => string } | null)?.getRaw() ?? ''
  return { files, xmp: raw }
}

describe('Factur-X', () => {
  test('is the usual PDF with the figures inside', async () => {
    const invoice = await issued()
    const answer = await fetchIt(invoice.id, 'factur-x')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toContain(`invoice-${invoice.number}-factur-x.pdf`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const plain = await fetch(`${app.url}/api/v1/invoices/${invoice.id}/pdf`, {
      headers: { Authorization: `Bearer ${ada.token}` },
    })
    expect(await readPdf(bytes)).toEqual(await readPdf(new Uint8Array(await plain.arrayBuffer())))

    const { files } = await openPdf(bytes)
    expect([...files.keys()]).toEqual(['factur-x.xml'])
    const xml = files.get('factur-x.xml') ?? ''
    expect(brokenRules(xml)).toEqual([])
    checkCiiSchema(xml)
    const { terms } = readTerms(xml)
    expect(terms).toMatchObject({
      'BT-1': invoice.number,
      'BT-31': 'DE123456789',
      'BT-44': 'Berg & Söhne <Hotels>',
      'BT-84': 'DE89370400440532013000',
    })
    expect(Number(terms['BT-112'])).toBe(invoice.sums.total / 100)
  })

  test('says in its metadata that it is PDF/A-3 and Factur-X, whatever its title holds', async () => {
    const { seller } = anEuDraft()
    const invoice = await issued({
      number: 'A & B <1>',
      seller: { ...seller, business_name: 'Muster & Söhne <"GmbH">' },
    })
    const bytes = new Uint8Array(await (await fetchIt(invoice.id, 'factur-x')).arrayBuffer())
    const { xmp } = await openPdf(bytes)
    const texts = new Map(textsOf(parseXml(xmp.trim()).root))
    expect(Object.fromEntries(texts)).toMatchObject({
      'pdfaid:part': '3',
      'pdfaid:conformance': 'B',
      'fx:DocumentType': 'INVOICE',
      'fx:DocumentFileName': 'factur-x.xml',
      'fx:Version': '1.0',
      'fx:ConformanceLevel': 'EN 16931',
      'pdfaSchema:namespaceURI': 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
      'pdfaSchema:prefix': 'fx',
    })
    expect(xmp).toContain('Muster &amp; Söhne &lt;&quot;GmbH&quot;&gt;')
    // Every property of a schema that is not PDF/A's own is described.
    const described = [...xmp.matchAll(/<pdfaProperty:name>(\w+)</g)].map(([, name]) => name).toSorted()
    const used = [...xmp.matchAll(/<fx:(\w+)>/g)].map(([, name]) => name).toSorted()
    expect(described).toEqual(used)
  })

  test('has what PDF/A asks of a file', async () => {
    const invoice = await issued({
      buyer: { business_name: 'شركة النور', name: 'Łódź Ψωμί', country_code: 'AT' },
    })
    const file = Buffer.from(await (await fetchIt(invoice.id, 'factur-x')).arrayBuffer()).toString('latin1')
    expect(file.slice(0, 8)).toBe('%PDF-1.7')
    const catalog = /<<[^]*?\/Type \/Catalog[^]*?>>\nendobj/.exec(file)?.[0] ?? ''
    for (const key of ['/Metadata ', '/OutputIntents [', '/AF [', '/Names ', '/Lang '])
      expect(catalog).toContain(key)
    expect(file).toMatch(/\/S \/GTS_PDFA1[^]*?\/DestOutputProfile \d+ 0 R/)
    expect(file).toContain('/AFRelationship /Alternative')
    expect(file).toContain('/EmbeddedFiles')
    expect(file).toMatch(/\/Subtype \/text#2Fxml/)
    expect(file).toMatch(/\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/)
    // Every font is inside, none is named that is not; nothing acts, nothing is encrypted.
    const fonts = file.match(/\/Type \/FontDescriptor/g) ?? []
    expect(fonts.length).toBeGreaterThan(2)
    expect(file.match(/\/FontFile[23]? \d+ 0 R/g)).toHaveLength(fonts.length)
    expect(file).not.toMatch(/\/Subtype \/Type1\b/)
    expect(file).not.toMatch(/\/(Encrypt|JavaScript|JS|AA|OpenAction|LZWDecode|Launch) /)
    // Metadata must be readable without unpacking.
    expect(file).toMatch(/\/Type \/Metadata\n\/Subtype \/XML\n\/Length \d+\n>>\nstream\n<\?xpacket/)
  })
})

describe('XRechnung', () => {
  test('is XML that keeps the rules', async () => {
    const invoice = await issued()
    const answer = await fetchIt(invoice.id, 'xrechnung')
    expect(answer.headers.get('content-type')).toBe('application/xml')
    expect(answer.headers.get('content-disposition')).toContain(`invoice-${invoice.number}-xrechnung.xml`)
    const xml = await answer.text()
    expect(brokenRules(xml)).toEqual([])
    expect(readTerms(xml).terms).toMatchObject({ 'BT-3': '380', 'BT-10': '04011000-12345-03' })
  })

  test('is a credit note for a credit note, and names its invoice', async () => {
    const invoice = await issued()
    const params = { id: invoice.id }
    const { body: draft } = await call(app.url, invoices.credit, { token: ada.token, params })
    const note = await issue(draft.id)
    const answer = await fetchIt(note.id, 'xrechnung')
    expect(answer.headers.get('content-disposition')).toContain(`credit-note-${note.number}-xrechnung.xml`)
    const xml = await answer.text()
    expect(xml).toContain('<CreditNote ')
    expect(brokenRules(xml)).toEqual([])
    expect(readTerms(xml).terms).toMatchObject({ 'BT-3': '381', 'BT-25': invoice.number })
  })
})

describe('an e-invoice is refused with the reason', () => {
  const refusal = async (fields: Fields, format: EInvoiceFormat = 'xrechnung') => {
    const { id } = await issued(fields)
    const answer = await fetchIt(id, format)
    return { status: answer.status, detail: ((await answer.json()) as { detail: string }).detail }
  }

  test('while it is a draft, for others, and for formats that are none', async () => {
    const { id } = await draftOf()
    const answer = await fetchIt(id, 'factur-x')
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ detail: 'This is a draft. Please issue it first.' })
    const bea = await signUp(app.url)
    expect((await fetchIt(id, 'factur-x', bea)).status).toBe(404)
    expect((await fetchIt(id, 'zugferd-1' as EInvoiceFormat)).status).toBe(400)
  })

  test('where fields are missing', async () => {
    const { seller, buyer } = anEuDraft()
    const fields = {
      seller: { ...seller, tax_number: '', phone: '', iban: '' },
      buyer: { ...buyer, country_code: '', city: '' },
    }
    expect(await refusal(fields)).toEqual({
      status: 409,
      detail:
        'The e-invoice needs: your VAT or tax number; the customer’s country; your phone number; the customer’s city; your IBAN.',
    })
    expect((await refusal(fields, 'factur-x')).detail).toBe(
      'The e-invoice needs: your VAT or tax number; the customer’s country.',
    )
  })

  test('where the amounts cannot be expressed', async () => {
    expect((await refusal({ discount: '5' })).detail).toBe(
      'A discount on the whole invoice cannot be expressed, as it is taken after tax. Please give the lines a discount instead.',
    )
    const [line] = anEuDraft().items
    if (line === undefined) throw new Error('There is no line')
    expect((await refusal({ items: [line, { ...line, tax_pct: '0' }] })).detail).toBe(
      'Line 2 has no tax. Please choose a tax category that says why.',
    )
  })

  test('for a seller outside the EU', async () => {
    const { seller } = anEuDraft()
    expect(await refusal({ seller: { ...seller, country_code: 'US' } })).toEqual({
      status: 409,
      detail: 'E-invoices are for sellers in the European Union.',
    })
  })
})

/** The texts of all elements, by their names. */
function textsOf(element: XmlElement | null): [string, string][] {
  if (element === null) return []
  const children = element.children.filter((child) => child instanceof XmlElement)
  return children.length === 0 ? [[element.name, element.text.trim()]] : children.flatMap(textsOf)
}
