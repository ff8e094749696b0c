import { expect, it } from 'vitest'
import { brokenRules, RULES } from '../../../tests/support/en16931.ts'
import { anEuDraft, issuedInvoice, untaxed } from '../../../tests/support/eu-invoices.ts'
import { anItem } from '../../../tests/support/invoice-pdf.ts'
import type { Invoice } from '../saved-invoices.ts'
import { writeCii } from './cii.ts'
import { readEInvoice } from './e-invoice.ts'
import { writeUbl } from './ubl.ts'

// The checker of the rules is worth something only if it finds what is wrong: each rule is broken here, by one change.

const credits = { id: 7, number: 'INV-2026-0001' }
const DOCUMENTS = {
  usual: () => issuedInvoice(anEuDraft()),
  single: () => issuedInvoice(anEuDraft({ items: [anItem({ tax_pct: '19' })] })),
  period: () => issuedInvoice(anEuDraft({ service_start: '2026-11-01', service_end: '2026-11-30' })),
  prepaid: () => issuedInvoice(anEuDraft({ amount_paid: '5' })),
  credit: () => issuedInvoice(anEuDraft({ due_date: '' }), { kind: 'credit_note', credits }),
  Z: () => issuedInvoice(untaxed('Z')),
  E: () => issuedInvoice(untaxed('E')),
  AE: () => issuedInvoice(untaxed('AE')),
  K: () => issuedInvoice(untaxed('K')),
  G: () => issuedInvoice(untaxed('G')),
  O: () => issuedInvoice(untaxed('O')),
} satisfies Record<string, () => Invoice>
type Name = keyof typeof DOCUMENTS

function cii(name: Name): string {
  const { model } = readEInvoice(DOCUMENTS[name](), 'factur-x')
  if (model === null) throw new Error('There is no model')
  return writeCii(model)
}
function ubl(name: Name): string {
  const { model } = readEInvoice(DOCUMENTS[name](), 'xrechnung')
  if (model === null) throw new Error('There is no model')
  return writeUbl(model)
}

/** Where the element at a path of local names begins and ends; each step is the first inside the one before. */
function find(xml: string, path: string): { start: number; end: number } {
  let [start, end] = [0, xml.length]
  for (const name of path.split('>')) {
    const opening = new RegExp(`<(\\w+:)?${name}[ >]`).exec(xml.slice(start, end))
    if (opening === null) throw new Error(`There is no ${path}`)
    const closing = `</${opening[1] ?? ''}${name}>`
    start += opening.index
    end = xml.indexOf(closing, start) + closing.length
  }
  return { start, end }
}
type Edit = (xml: string) => string
const cut =
  (path: string): Edit =>
  (xml) => {
    const { start, end } = find(xml, path)
    return xml.slice(0, start) + xml.slice(end)
  }
const put =
  (path: string, text: string): Edit =>
  (xml) => {
    const { start, end } = find(xml, path)
    return xml.slice(0, start) + xml.slice(start, end).replace(/>[\s\S]*</, `>${text}<`) + xml.slice(end)
  }
const attribute =
  (path: string, text: string): Edit =>
  (xml) => {
    const { start, end } = find(xml, path)
    return xml.slice(0, start) + xml.slice(start, end).replace(/ \w+="[^"]*"/, text) + xml.slice(end)
  }
const before =
  (path: string, added: string): Edit =>
  (xml) => {
    const { start } = find(xml, path)
    return xml.slice(0, start) + added + xml.slice(start)
  }
const both =
  (...edits: Edit[]): Edit =>
  (xml) =>
    edits.reduce((text, edit) => edit(text), xml)

const SELLER = 'SellerTradeParty'
const BUYER = 'BuyerTradeParty'
const SUMS = 'SpecifiedTradeSettlementHeaderMonetarySummation'
const TAX = 'ApplicableHeaderTradeSettlement>ApplicableTradeTax'
const LINE = 'IncludedSupplyChainTradeLineItem'
const ALLOWANCE = 'SpecifiedTradeAllowanceCharge'
const REASON = '<ram:ExemptionReason>Because</ram:ExemptionReason>'
const cutReason = both(cut('ExemptionReason'), (xml) =>
  xml.replace(/<ram:ExemptionReasonCode>.*?<\/ram:ExemptionReasonCode>/, ''),
)

const IN_CII: readonly [string, Name, Edit][] = [
  ['BR-01', 'usual', cut('GuidelineSpecifiedDocumentContextParameter>ID')],
  ['BR-02', 'usual', cut('ExchangedDocument>ID')],
  ['BR-03', 'usual', cut('ExchangedDocument>IssueDateTime')],
  ['BR-04', 'usual', cut('ExchangedDocument>TypeCode')],
  ['BR-05', 'usual', cut('InvoiceCurrencyCode')],
  ['BR-06', 'usual', cut(`${SELLER}>Name`)],
  ['BR-07', 'usual', cut(`${BUYER}>Name`)],
  ['BR-08', 'usual', cut(`${SELLER}>PostalTradeAddress`)],
  ['BR-09', 'usual', cut(`${SELLER}>CountryID`)],
  ['BR-10', 'usual', cut(`${BUYER}>PostalTradeAddress`)],
  ['BR-11', 'usual', cut(`${BUYER}>CountryID`)],
  ['BR-12', 'usual', cut(`${SUMS}>LineTotalAmount`)],
  ['BR-13', 'usual', cut(`${SUMS}>TaxBasisTotalAmount`)],
  ['BR-14', 'usual', cut(`${SUMS}>GrandTotalAmount`)],
  ['BR-15', 'usual', cut(`${SUMS}>DuePayableAmount`)],
  ['BR-16', 'single', cut(LINE)],
  ['BR-21', 'usual', cut(`${LINE}>LineID`)],
  ['BR-22', 'usual', cut(`${LINE}>BilledQuantity`)],
  ['BR-23', 'usual', attribute(`${LINE}>BilledQuantity`, '')],
  ['BR-24', 'usual', cut(`${LINE}>LineTotalAmount`)],
  ['BR-25', 'usual', cut(`${LINE}>SpecifiedTradeProduct>Name`)],
  ['BR-26', 'usual', cut(`${LINE}>NetPriceProductTradePrice`)],
  ['BR-27', 'usual', put(`${LINE}>ChargeAmount`, '-1.00')],
  ['BR-29', 'period', put('EndDateTime>DateTimeString', '20260101')],
  ['BR-41', 'usual', cut(`${ALLOWANCE}>ActualAmount`)],
  ['BR-42', 'usual', both(cut(`${ALLOWANCE}>Reason`), cut(`${ALLOWANCE}>ReasonCode`))],
  ['BR-45', 'usual', cut(`${TAX}>BasisAmount`)],
  ['BR-46', 'usual', cut(`${TAX}>CalculatedAmount`)],
  ['BR-47', 'usual', cut(`${TAX}>CategoryCode`)],
  ['BR-48', 'usual', cut(`${TAX}>RateApplicablePercent`)],
  ['BR-49', 'usual', cut('SpecifiedTradeSettlementPaymentMeans>TypeCode')],
  ['BR-50', 'usual', cut('IBANID')],
  ['BR-55', 'credit', cut('InvoiceReferencedDocument>IssuerAssignedID')],
  ['BR-57', 'K', cut('ShipToTradeParty>CountryID')],
  ['BR-61', 'usual', cut('PayeePartyCreditorFinancialAccount')],
  ['BR-62', 'usual', attribute(`${SELLER}>URIUniversalCommunication>URIID`, '')],
  ['BR-63', 'usual', attribute(`${BUYER}>URIUniversalCommunication>URIID`, '')],
  ['BR-CO-04', 'usual', cut(`${LINE}>CategoryCode`)],
  ['BR-CO-09', 'usual', put(`${SELLER}>SpecifiedTaxRegistration>ID`, 'QQ123456789')],
  ['BR-CO-10', 'usual', put(`${SUMS}>LineTotalAmount`, '1.00')],
  [
    'BR-CO-11',
    'usual',
    before('TaxBasisTotalAmount', '<ram:AllowanceTotalAmount>1</ram:AllowanceTotalAmount>'),
  ],
  ['BR-CO-12', 'usual', before('TaxBasisTotalAmount', '<ram:ChargeTotalAmount>1</ram:ChargeTotalAmount>')],
  ['BR-CO-13', 'usual', put('TaxBasisTotalAmount', '1.00')],
  ['BR-CO-14', 'usual', put('TaxTotalAmount', '1.00')],
  ['BR-CO-15', 'usual', put('GrandTotalAmount', '1.00')],
  ['BR-CO-16', 'prepaid', put('DuePayableAmount', '75.71')],
  ['BR-CO-17', 'usual', put(`${TAX}>CalculatedAmount`, '2.53')],
  ['BR-CO-18', 'single', cut(TAX)],
  [
    'BR-CO-19',
    'period',
    both(cut('BillingSpecifiedPeriod>StartDateTime'), cut('BillingSpecifiedPeriod>EndDateTime')),
  ],
  ['BR-CO-25', 'usual', cut('SpecifiedTradePaymentTerms')],
  ['BR-CO-26', 'usual', cut(`${SELLER}>SpecifiedTaxRegistration`)],
  ['BR-S-01', 'single', put(`${TAX}>CategoryCode`, 'Z')],
  ['BR-S-02', 'usual', cut(`${SELLER}>SpecifiedTaxRegistration`)],
  ['BR-S-05', 'usual', put(`${LINE}>RateApplicablePercent`, '0')],
  ['BR-S-08', 'usual', put(`${TAX}>BasisAmount`, '1.00')],
  ['BR-S-09', 'usual', cut(`${TAX}>CalculatedAmount`)],
  ['BR-S-10', 'usual', before(`${TAX}>BasisAmount`, REASON)],
  ...(['Z', 'E', 'AE', 'K', 'G', 'O'] as const).flatMap((code): [string, Name, Edit][] => {
    const id = `BR-${code === 'K' ? 'IC' : code}`
    const party = code === 'AE' || code === 'K' ? BUYER : SELLER
    const registration =
      '<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE1</ram:ID></ram:SpecifiedTaxRegistration>'
    return [
      [`${id}-01`, code, put(`${TAX}>CategoryCode`, 'S')],
      [
        `${id}-02`,
        code,
        code === 'O'
          ? before(`${SELLER}>PostalTradeAddress`, registration)
          : cut(`${party}>SpecifiedTaxRegistration`),
      ],
      [
        `${id}-05`,
        code,
        code === 'O'
          ? before(`${LINE}>CategoryCode`, '<ram:RateApplicablePercent>0</ram:RateApplicablePercent>')
          : put(`${LINE}>RateApplicablePercent`, '19'),
      ],
      [`${id}-08`, code, put(`${TAX}>BasisAmount`, '1.00')],
      [`${id}-09`, code, put(`${TAX}>CalculatedAmount`, '1.00')],
      [`${id}-10`, code, code === 'Z' ? before(`${TAX}>BasisAmount`, REASON) : cutReason],
    ]
  }),
  ['BR-IC-11', 'K', cut('ActualDeliverySupplyChainEvent')],
  ['BR-IC-12', 'K', cut('ShipToTradeParty')],
  [
    'BR-O-11',
    'O',
    before(
      'SpecifiedTradePaymentTerms',
      '<ram:ApplicableTradeTax><ram:CalculatedAmount>0</ram:CalculatedAmount><ram:BasisAmount>0</ram:BasisAmount><ram:CategoryCode>Z</ram:CategoryCode></ram:ApplicableTradeTax>',
    ),
  ],
  ['BR-O-12', 'O', put(`${LINE}>CategoryCode`, 'Z')],
  ['BR-DEC-09', 'usual', put(`${SUMS}>LineTotalAmount`, '1.234')],
  ['BR-DEC-12', 'usual', put('TaxBasisTotalAmount', '1.234')],
  ['BR-DEC-13', 'usual', put('TaxTotalAmount', '1.234')],
  ['BR-DEC-14', 'usual', put('GrandTotalAmount', '1.234')],
  ['BR-DEC-16', 'prepaid', put('TotalPrepaidAmount', '5.001')],
  ['BR-DEC-18', 'usual', put('DuePayableAmount', '1.234')],
  ['BR-DEC-19', 'usual', put(`${TAX}>BasisAmount`, '1.234')],
  ['BR-DEC-20', 'usual', put(`${TAX}>CalculatedAmount`, '1.234')],
  ['BR-DEC-23', 'usual', put(`${LINE}>LineTotalAmount`, '1.234')],
  ['BR-DEC-24', 'usual', put(`${ALLOWANCE}>ActualAmount`, '1.234')],
  ['BR-DEC-25', 'usual', put(`${ALLOWANCE}>BasisAmount`, '1.234')],
  ['BR-CL-01', 'usual', put('ExchangedDocument>TypeCode', '999')],
  ['BR-CL-03', 'usual', attribute('TaxTotalAmount', ' currencyID="USD"')],
  ['BR-CL-04', 'usual', put('InvoiceCurrencyCode', 'XXX')],
  ['BR-CL-14', 'usual', put(`${BUYER}>CountryID`, 'QQ')],
  ['BR-CL-16', 'usual', put('SpecifiedTradeSettlementPaymentMeans>TypeCode', '123')],
  ['BR-CL-17', 'usual', put(`${TAX}>CategoryCode`, 'X')],
  ['BR-CL-18', 'usual', put(`${LINE}>CategoryCode`, 'X')],
  ['BR-CL-22', 'AE', put('ExemptionReasonCode', 'LAW')],
  ['BR-CL-23', 'usual', attribute(`${LINE}>BilledQuantity`, ' unitCode="pieces"')],
  ['BR-CL-25', 'usual', attribute(`${SELLER}>URIUniversalCommunication>URIID`, ' schemeID="mail"')],
  ['calendar days', 'usual', put('DueDateDateTime>DateTimeString', '2026-12-23')],
  ['no empty elements (PEPPOL-EN16931-R008)', 'usual', put('BuyerReference', '')],
  ['PEPPOL-EN16931-R120', 'usual', put(`${LINE}>LineTotalAmount`, '31.30')],
  ['PEPPOL-EN16931-R040', 'usual', put(`${ALLOWANCE}>ActualAmount`, '4.05')],
]

const FROM = 'AccountingSupplierParty'
const TO = 'AccountingCustomerParty'
const IN_UBL: readonly [string, Name, Edit][] = [
  ['BR-DE-1', 'usual', cut('PaymentMeans')],
  ['BR-DE-2', 'usual', cut(`${FROM}>Contact`)],
  ['BR-DE-3', 'usual', cut(`${FROM}>CityName`)],
  ['BR-DE-4', 'usual', cut(`${FROM}>PostalZone`)],
  ['BR-DE-5', 'usual', cut(`${FROM}>Contact>Name`)],
  ['BR-DE-6', 'usual', cut(`${FROM}>Telephone`)],
  ['BR-DE-7', 'usual', cut(`${FROM}>ElectronicMail`)],
  ['BR-DE-8', 'usual', cut(`${TO}>CityName`)],
  ['BR-DE-9', 'usual', cut(`${TO}>PostalZone`)],
  ['BR-DE-10', 'K', cut('DeliveryLocation>CityName')],
  ['BR-DE-11', 'K', cut('DeliveryLocation>PostalZone')],
  ['BR-DE-14', 'usual', cut('TaxSubtotal>Percent')],
  ['BR-DE-15', 'usual', cut('BuyerReference')],
  ['BR-DE-16', 'usual', cut(`${FROM}>PartyTaxScheme`)],
  ['BR-DE-17', 'usual', put('InvoiceTypeCode', '751')],
  ['BR-DE-18', 'credit', put('PaymentTerms>Note', '#SKONTO#TAGE=7#PROZENT=2.00#')],
  ['BR-DE-19', 'usual', put('PayeeFinancialAccount>ID', 'DE00370400440532013000')],
  ['BR-DE-21', 'usual', put('CustomizationID', 'urn:cen.eu:en16931:2017')],
  ['BR-DE-23-a', 'usual', cut('PayeeFinancialAccount')],
  ['BR-DE-27', 'usual', put(`${FROM}>Telephone`, 'by mail')],
  ['BR-DE-28', 'usual', put(`${FROM}>ElectronicMail`, 'ada@muster')],
  ['PEPPOL-EN16931-R001', 'usual', cut('ProfileID')],
  ['PEPPOL-EN16931-R010', 'usual', cut(`${TO}>EndpointID`)],
  ['PEPPOL-EN16931-R020', 'usual', cut(`${FROM}>EndpointID`)],
]

it.each(IN_CII)('%s is found broken', (id, name, edit) => {
  expect(brokenRules(cii(name))).toEqual([])
  expect(brokenRules(edit(cii(name)))).toContain(id)
})

it.each(IN_UBL)('%s is found broken', (id, name, edit) => {
  expect(brokenRules(ubl(name))).toEqual([])
  expect(brokenRules(edit(ubl(name)))).toContain(id)
})

it('breaks every rule that is checked', () => {
  expect(IN_CII.map(([id]) => id).toSorted()).toEqual(RULES.general.toSorted())
  expect(IN_UBL.map(([id]) => id).toSorted()).toEqual(RULES.xRechnung.toSorted())
})
