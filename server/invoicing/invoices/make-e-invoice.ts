import { writeCii } from '#contract/invoicing/e-invoice/cii.ts'
import { type Hindrances, readEInvoice } from '#contract/invoicing/e-invoice/e-invoice.ts'
import { type EInvoiceFormat, eInvoiceName } from '#contract/invoicing/e-invoice/model.ts'
import { writeUbl } from '#contract/invoicing/e-invoice/ubl.ts'
import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import { getInvoice } from './find-invoice.ts'
import { invoicePdf } from './pdf/invoice-pdf.ts'
import type { Reader } from './today.ts'

export type EInvoiceFile = { name: string; type: string; bytes: Buffer }

/** The name that Factur-X and ZUGFeRD give to the file inside the PDF. */
const FACTUR_X_FILE = 'factur-x.xml'

/**
 * An issued document as an e-invoice. Factur-X is the PDF that customers get anyway, as PDF/A-3 with the same figures in
 * XML inside; XRechnung is XML alone.
 *
 * @throws Refusal 404; 409 for a draft, and with what is missing; 429 and 422 as `invoicePdf`
 */
export async function makeEInvoice(
  context: Context,
  user: Reader,
  id: number,
  format: EInvoiceFormat,
  signal: AbortSignal,
): Promise<EInvoiceFile> {
  const invoice = await getInvoice(context, user, id)
  if (invoice.status === 'draft') throw conflict('This is a draft. Please issue it first.')
  const { model, hindrances } = readEInvoice(invoice, format)
  if (model === null) throw conflict(hindranceWords(hindrances))
  const name = eInvoiceName(invoice, format)
  if (format === 'xrechnung') return { name, type: 'application/xml', bytes: Buffer.from(writeUbl(model)) }
  const bytes = await invoicePdf(context, user.id, invoice, {
    signal,
    subset: 'PDF/A-3b',
    attachments: [
      {
        name: FACTUR_X_FILE,
        bytes: Buffer.from(writeCii(model)),
        type: 'text/xml',
        description: 'The invoice as data (Factur-X, ZUGFeRD)',
        relationship: 'Alternative',
      },
    ],
    xmp: FACTUR_X_XMP,
  })
  return { name, type: 'application/pdf', bytes }
}

function hindranceWords({ missing, problems }: Hindrances): string {
  const needs = missing.length === 0 ? [] : [`The e-invoice needs: ${missing.join('; ')}.`]
  return [...needs, ...problems].join(' ')
}

const FX = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
const PROPERTIES = {
  DocumentFileName: ['The name of the attached file', FACTUR_X_FILE],
  DocumentType: ['The kind of document', 'INVOICE'],
  Version: ['The version of the standard', '1.0'],
  ConformanceLevel: ['The profile of the attached file', 'EN 16931'],
} as const

// What PDF/A asks of metadata that is not its own: a description of the schema, beside the values.
const FACTUR_X_XMP = `
<rdf:Description rdf:about="" xmlns:fx="${FX}">
${Object.entries(PROPERTIES)
  .map(([name, [, value]]) => `  <fx:${name}>${value}</fx:${name}>`)
  .join('\n')}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas>
    <rdf:Bag>
      <rdf:li rdf:parseType="Resource">
        <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
        <pdfaSchema:namespaceURI>${FX}</pdfaSchema:namespaceURI>
        <pdfaSchema:prefix>fx</pdfaSchema:prefix>
        <pdfaSchema:property>
          <rdf:Seq>
${Object.entries(PROPERTIES)
  .map(
    ([name, [words]]) => `            <rdf:li rdf:parseType="Resource">
              <pdfaProperty:name>${name}</pdfaProperty:name>
              <pdfaProperty:valueType>Text</pdfaProperty:valueType>
              <pdfaProperty:category>external</pdfaProperty:category>
              <pdfaProperty:description>${words}</pdfaProperty:description>
            </rdf:li>`,
  )
  .join('\n')}
          </rdf:Seq>
        </pdfaSchema:property>
      </rdf:li>
    </rdf:Bag>
  </pdfaExtension:schemas>
</rdf:Description>`
