import type { EInvoice, InvoiceLine, Party, VatBreakdown } from './model.ts'
import { amountText, type Element, element, percentText, quantityText, writeXml } from './xml.ts'

const SCHEMA = 'urn:oasis:names:specification:ubl:schema:xsd:'
const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'
const BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

const cac = (name: string, ...children: (Element | null)[]) => element(`cac:${name}`, {}, ...children)
const cbc = (name: string, text: string, attributes: Record<string, string> = {}) =>
  element(`cbc:${name}`, attributes, text)

/**
 * The invoice in UBL 2.1, as XRechnung 3.0 wants it. Invoice and credit note are two kinds of document there; the order of
 * the elements is the schema's.
 */
export function writeUbl(invoice: EInvoice): string {
  const isCreditNote = invoice.type === '381'
  const kind = isCreditNote ? 'CreditNote' : 'Invoice'
  const { period, totals, currency, deliveryPlace: place } = invoice
  const amount = (name: string, minor: number) =>
    cbc(name, amountText(minor, currency), { currencyID: currency })
  const root = element(
    kind,
    {},
    cbc('CustomizationID', XRECHNUNG),
    cbc('ProfileID', BILLING),
    cbc('ID', invoice.number),
    cbc('IssueDate', invoice.issueDate),
    isCreditNote ? null : cbc('DueDate', invoice.dueDate),
    cbc(`${kind}TypeCode`, invoice.type),
    cbc('Note', invoice.note),
    cbc('DocumentCurrencyCode', currency),
    cbc('BuyerReference', invoice.buyerReference),
    cac('InvoicePeriod', cbc('StartDate', period.start), cbc('EndDate', period.end)),
    cac('OrderReference', cbc('ID', invoice.orderReference)),
    cac('BillingReference', cac('InvoiceDocumentReference', cbc('ID', invoice.precedingInvoice))),
    cac('AccountingSupplierParty', party(invoice.seller)),
    cac('AccountingCustomerParty', party(invoice.buyer)),
    cac(
      'Delivery',
      cbc('ActualDeliveryDate', invoice.deliveryDate),
      place === null
        ? null
        : cac(
            'DeliveryLocation',
            cac(
              'Address',
              cbc('CityName', place.city),
              cbc('PostalZone', place.postCode),
              country(place.country),
            ),
          ),
    ),
    paymentMeans(invoice),
    cac('PaymentTerms', cbc('Note', invoice.paymentTerms)),
    cac(
      'TaxTotal',
      amount('TaxAmount', totals.tax),
      ...invoice.breakdown.map((one) => taxSubtotal(one, currency)),
    ),
    cac(
      'LegalMonetaryTotal',
      amount('LineExtensionAmount', totals.net),
      amount('TaxExclusiveAmount', totals.net),
      amount('TaxInclusiveAmount', totals.total),
      totals.paid === 0 ? null : amount('PrepaidAmount', totals.paid),
      amount('PayableAmount', totals.due),
    ),
    ...invoice.lines.map((line) => lineOf(kind, line, currency)),
  )
  if (root === null) throw new Error('An invoice has content')
  return writeXml(root, {
    '': `${SCHEMA}${kind}-2`,
    cac: `${SCHEMA}CommonAggregateComponents-2`,
    cbc: `${SCHEMA}CommonBasicComponents-2`,
  })
}

const country = (code: string) => cac('Country', cbc('IdentificationCode', code))
const scheme = (id: string) => cac('TaxScheme', cbc('ID', id))

function party(who: Party): Element | null {
  const [one, two, three] = who.addressLines
  const registration = (id: string, by: string) =>
    id === '' ? null : cac('PartyTaxScheme', cbc('CompanyID', id), scheme(by))
  return cac(
    'Party',
    cbc('EndpointID', who.electronicAddress.address, { schemeID: who.electronicAddress.scheme }),
    cac('PartyIdentification', cbc('ID', who.identifier)),
    cac(
      'PostalAddress',
      cbc('StreetName', one),
      cbc('AdditionalStreetName', two),
      cbc('CityName', who.city),
      cbc('PostalZone', who.postCode),
      cac('AddressLine', cbc('Line', three)),
      country(who.country),
    ),
    registration(who.vatId, 'VAT'),
    registration(who.taxNumber, 'FC'),
    cac('PartyLegalEntity', cbc('RegistrationName', who.name)),
    cac(
      'Contact',
      cbc('Name', who.contact.name),
      cbc('Telephone', who.contact.phone),
      cbc('ElectronicMail', who.contact.email),
    ),
  )
}

function paymentMeans({ payment }: EInvoice): Element | null {
  return cac(
    'PaymentMeans',
    cbc('PaymentMeansCode', payment.code),
    cbc('PaymentID', payment.reference),
    cac(
      'PayeeFinancialAccount',
      cbc('ID', payment.iban),
      cbc('Name', payment.accountName),
      cac('FinancialInstitutionBranch', cbc('ID', payment.bic)),
    ),
  )
}

function taxSubtotal(one: VatBreakdown, currency: string): Element | null {
  return cac(
    'TaxSubtotal',
    cbc('TaxableAmount', amountText(one.base, currency), { currencyID: currency }),
    cbc('TaxAmount', amountText(one.tax, currency), { currencyID: currency }),
    cac(
      'TaxCategory',
      cbc('ID', one.category),
      cbc('Percent', percentText(one.rate)),
      cbc('TaxExemptionReasonCode', one.reasonCode),
      cbc('TaxExemptionReason', one.reason),
      scheme('VAT'),
    ),
  )
}

function lineOf(kind: 'Invoice' | 'CreditNote', line: InvoiceLine, currency: string): Element | null {
  const amount = (name: string, minor: number) =>
    cbc(name, amountText(minor, currency), { currencyID: currency })
  const { allowance } = line
  return cac(
    `${kind}Line`,
    cbc('ID', line.id),
    cbc(kind === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity', quantityText(line.quantity), {
      unitCode: 'C62',
    }),
    amount('LineExtensionAmount', line.net),
    allowance === null
      ? null
      : cac(
          'AllowanceCharge',
          cbc('ChargeIndicator', 'false'),
          cbc('AllowanceChargeReasonCode', '95'),
          cbc('AllowanceChargeReason', 'Discount'),
          cbc('MultiplierFactorNumeric', percentText(allowance.percent)),
          amount('Amount', allowance.amount),
          amount('BaseAmount', allowance.base),
        ),
    cac(
      'Item',
      cbc('Description', line.description),
      cbc('Name', line.name),
      cac(
        'ClassifiedTaxCategory',
        cbc('ID', line.category),
        line.rate === null ? null : cbc('Percent', percentText(line.rate)),
        scheme('VAT'),
      ),
    ),
    cac('Price', amount('PriceAmount', line.price)),
  )
}
