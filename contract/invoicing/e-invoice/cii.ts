import type { EInvoice, InvoiceLine, Party, VatBreakdown } from './model.ts'
import { amountText, type Element, element, percentText, quantityText, writeXml } from './xml.ts'

const NAMESPACES = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
}

const ram = (name: string, ...children: (Element | string | null)[]) =>
  element(`ram:${name}`, {}, ...children)

/** A day as CII writes it (UNTDID 2379, format 102): 20261123. */
const day = (name: string, iso: string, prefix = 'udt') =>
  iso === ''
    ? null
    : ram(name, element(`${prefix}:DateTimeString`, { format: '102' }, iso.replaceAll('-', '')))

/**
 * The invoice in UN/CEFACT Cross Industry Invoice (D16B), in the profile EN 16931 of Factur-X and ZUGFeRD. The order of the
 * elements is the schema's.
 */
export function writeCii(invoice: EInvoice): string {
  const root = element(
    'rsm:CrossIndustryInvoice',
    {},
    element(
      'rsm:ExchangedDocumentContext',
      {},
      ram('GuidelineSpecifiedDocumentContextParameter', ram('ID', 'urn:cen.eu:en16931:2017')),
    ),
    element(
      'rsm:ExchangedDocument',
      {},
      ram('ID', invoice.number),
      ram('TypeCode', invoice.type),
      day('IssueDateTime', invoice.issueDate),
      ram('IncludedNote', ram('Content', invoice.note)),
    ),
    element(
      'rsm:SupplyChainTradeTransaction',
      {},
      ...invoice.lines.map((line) => lineItem(line, invoice.currency)),
      agreement(invoice),
      // The schema wants it even where nothing is known of the delivery.
      { name: 'ram:ApplicableHeaderTradeDelivery', attributes: {}, children: delivery(invoice) },
      settlement(invoice),
    ),
  )
  if (root === null) throw new Error('An invoice has content')
  return writeXml(root, NAMESPACES)
}

function lineItem(line: InvoiceLine, currency: string): Element | null {
  const { allowance } = line
  return ram(
    'IncludedSupplyChainTradeLineItem',
    ram('AssociatedDocumentLineDocument', ram('LineID', line.id)),
    ram('SpecifiedTradeProduct', ram('Name', line.name), ram('Description', line.description)),
    ram(
      'SpecifiedLineTradeAgreement',
      ram('NetPriceProductTradePrice', ram('ChargeAmount', amountText(line.price, currency))),
    ),
    ram(
      'SpecifiedLineTradeDelivery',
      element('ram:BilledQuantity', { unitCode: 'C62' }, quantityText(line.quantity)),
    ),
    ram(
      'SpecifiedLineTradeSettlement',
      ram(
        'ApplicableTradeTax',
        ram('TypeCode', 'VAT'),
        ram('CategoryCode', line.category),
        line.rate === null ? null : ram('RateApplicablePercent', percentText(line.rate)),
      ),
      allowance === null
        ? null
        : ram(
            'SpecifiedTradeAllowanceCharge',
            ram('ChargeIndicator', element('udt:Indicator', {}, 'false')),
            ram('CalculationPercent', percentText(allowance.percent)),
            ram('BasisAmount', amountText(allowance.base, currency)),
            ram('ActualAmount', amountText(allowance.amount, currency)),
            ram('ReasonCode', '95'),
            ram('Reason', 'Discount'),
          ),
      ram(
        'SpecifiedTradeSettlementLineMonetarySummation',
        ram('LineTotalAmount', amountText(line.net, currency)),
      ),
    ),
  )
}

function agreement({ buyerReference, seller, buyer, orderReference }: EInvoice): Element | null {
  return ram(
    'ApplicableHeaderTradeAgreement',
    ram('BuyerReference', buyerReference),
    party('SellerTradeParty', seller),
    party('BuyerTradeParty', buyer),
    ram('BuyerOrderReferencedDocument', ram('IssuerAssignedID', orderReference)),
  )
}

function party(name: string, who: Party): Element | null {
  const [one, two, three] = who.addressLines
  const registration = (scheme: string, id: string) =>
    ram('SpecifiedTaxRegistration', element('ram:ID', { schemeID: scheme }, id))
  return ram(
    name,
    ram('ID', who.identifier),
    ram('Name', who.name),
    ram(
      'DefinedTradeContact',
      ram('PersonName', who.contact.name),
      ram('TelephoneUniversalCommunication', ram('CompleteNumber', who.contact.phone)),
      ram('EmailURIUniversalCommunication', ram('URIID', who.contact.email)),
    ),
    ram(
      'PostalTradeAddress',
      ram('PostcodeCode', who.postCode),
      ram('LineOne', one),
      ram('LineTwo', two),
      ram('LineThree', three),
      ram('CityName', who.city),
      ram('CountryID', who.country),
    ),
    ram(
      'URIUniversalCommunication',
      element('ram:URIID', { schemeID: who.electronicAddress.scheme }, who.electronicAddress.address),
    ),
    registration('VA', who.vatId),
    registration('FC', who.taxNumber),
  )
}

function delivery({ deliveryPlace: place, deliveryDate }: EInvoice): (Element | null)[] {
  return [
    place === null
      ? null
      : ram(
          'ShipToTradeParty',
          ram(
            'PostalTradeAddress',
            ram('PostcodeCode', place.postCode),
            ram('CityName', place.city),
            ram('CountryID', place.country),
          ),
        ),
    ram('ActualDeliverySupplyChainEvent', day('OccurrenceDateTime', deliveryDate)),
  ].filter((child) => child !== null)
}

function settlement(invoice: EInvoice): Element | null {
  const { breakdown, currency, payment, period, totals } = invoice
  const amount = (name: string, minor: number) => ram(name, amountText(minor, currency))
  return ram(
    'ApplicableHeaderTradeSettlement',
    ram('PaymentReference', payment.reference),
    ram('InvoiceCurrencyCode', currency),
    ram(
      'SpecifiedTradeSettlementPaymentMeans',
      ram('TypeCode', payment.code),
      payment.iban === ''
        ? null
        : ram(
            'PayeePartyCreditorFinancialAccount',
            ram('IBANID', payment.iban),
            ram('AccountName', payment.accountName),
          ),
      ram('PayeeSpecifiedCreditorFinancialInstitution', ram('BICID', payment.bic)),
    ),
    ...breakdown.map((one) => tradeTax(one, currency)),
    ram('BillingSpecifiedPeriod', day('StartDateTime', period.start), day('EndDateTime', period.end)),
    ram(
      'SpecifiedTradePaymentTerms',
      ram('Description', invoice.paymentTerms),
      day('DueDateDateTime', invoice.dueDate),
    ),
    ram(
      'SpecifiedTradeSettlementHeaderMonetarySummation',
      amount('LineTotalAmount', totals.net),
      amount('TaxBasisTotalAmount', totals.net),
      element('ram:TaxTotalAmount', { currencyID: currency }, amountText(totals.tax, currency)),
      amount('GrandTotalAmount', totals.total),
      totals.paid === 0 ? null : amount('TotalPrepaidAmount', totals.paid),
      amount('DuePayableAmount', totals.due),
    ),
    ram('InvoiceReferencedDocument', ram('IssuerAssignedID', invoice.precedingInvoice)),
  )
}

function tradeTax(one: VatBreakdown, currency: string): Element | null {
  return ram(
    'ApplicableTradeTax',
    ram('CalculatedAmount', amountText(one.tax, currency)),
    ram('TypeCode', 'VAT'),
    ram('ExemptionReason', one.reason),
    ram('BasisAmount', amountText(one.base, currency)),
    ram('CategoryCode', one.category),
    ram('ExemptionReasonCode', one.reasonCode),
    ram('RateApplicablePercent', percentText(one.rate)),
  )
}
