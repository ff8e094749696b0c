import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml'

// Reads the business terms of EN 16931 out of an e-invoice, by the standard's own bindings to both syntaxes (CEN/TS 16931-3).
// It shares nothing with what writes them.

/** Texts by their business term ("BT-1"); a group that is there has the text "" ("BG-5"). */
export type Terms = Readonly<Record<string, string | undefined>>

export type ReadInvoice = {
  syntax: 'CII' | 'UBL'
  terms: Terms
  lines: readonly Terms[]
  /** VAT breakdowns, BG-23. */
  breakdown: readonly Terms[]
  /** Allowances and charges of the whole document: amounts, BT-92 and BT-99. */
  allowances: readonly string[]
  charges: readonly string[]
  /** Names of elements without any content. */
  empty: readonly string[]
}

type Binding = Readonly<Record<string, string>>

const CII_PARTY = (path: string, terms: readonly string[]): Binding => {
  const [name, id, vat, tax, electronic, group, country, city, code, one, contact, phone, email, person] =
    terms
  return named([
    [name, `${path}/Name`],
    [id, `${path}/ID`],
    [vat, `${path}/SpecifiedTaxRegistration/ID[@schemeID=VA]`],
    [tax, `${path}/SpecifiedTaxRegistration/ID[@schemeID=FC]`],
    [electronic, `${path}/URIUniversalCommunication/URIID`],
    [`${electronic}-scheme`, `${path}/URIUniversalCommunication/URIID/@schemeID`],
    [group, `${path}/PostalTradeAddress`],
    [country, `${path}/PostalTradeAddress/CountryID`],
    [city, `${path}/PostalTradeAddress/CityName`],
    [code, `${path}/PostalTradeAddress/PostcodeCode`],
    [one, `${path}/PostalTradeAddress/LineOne`],
    [contact, `${path}/DefinedTradeContact`],
    [phone, `${path}/DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber`],
    [email, `${path}/DefinedTradeContact/EmailURIUniversalCommunication/URIID`],
    [person, `${path}/DefinedTradeContact/PersonName`],
  ])
}
const UBL_PARTY = (path: string, terms: readonly string[]): Binding => {
  const [name, id, vat, tax, electronic, group, country, city, code, one, contact, phone, email, person] =
    terms
  const party = `${path}/Party`
  return named([
    [name, `${party}/PartyLegalEntity/RegistrationName`],
    [id, `${party}/PartyIdentification/ID`],
    [vat, `${party}/PartyTaxScheme[TaxScheme/ID=VAT]/CompanyID`],
    [tax, `${party}/PartyTaxScheme[TaxScheme/ID=FC]/CompanyID`],
    [electronic, `${party}/EndpointID`],
    [`${electronic}-scheme`, `${party}/EndpointID/@schemeID`],
    [group, `${party}/PostalAddress`],
    [country, `${party}/PostalAddress/Country/IdentificationCode`],
    [city, `${party}/PostalAddress/CityName`],
    [code, `${party}/PostalAddress/PostalZone`],
    [one, `${party}/PostalAddress/StreetName`],
    [contact, `${party}/Contact`],
    [phone, `${party}/Contact/Telephone`],
    [email, `${party}/Contact/ElectronicMail`],
    [person, `${party}/Contact/Name`],
  ])
}
const named = (entries: [string | undefined, string][]): Binding =>
  Object.fromEntries(entries.flatMap(([term, path]) => (term === undefined ? [] : [[term, path]])))

const SELLER = 'BT-27 BT-29 BT-31 BT-32 BT-34 BG-5 BT-40 BT-37 BT-38 BT-35 BG-6 BT-42 BT-43 BT-41'.split(' ')
const BUYER = 'BT-44 BT-46 BT-48 BT-47 BT-49 BG-8 BT-55 BT-52 BT-53 BT-50 BG-9 BT-57 BT-58 BT-56'.split(' ')

const DEAL = 'SupplyChainTradeTransaction'
const AGREED = `${DEAL}/ApplicableHeaderTradeAgreement`
const DELIVERED = `${DEAL}/ApplicableHeaderTradeDelivery`
const SETTLED = `${DEAL}/ApplicableHeaderTradeSettlement`
const SUMS = `${SETTLED}/SpecifiedTradeSettlementHeaderMonetarySummation`
const MEANS = `${SETTLED}/SpecifiedTradeSettlementPaymentMeans`

const CII: Binding = {
  'BT-24': 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID',
  'BT-23': 'ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID',
  'BT-1': 'ExchangedDocument/ID',
  'BT-3': 'ExchangedDocument/TypeCode',
  'BT-2': 'ExchangedDocument/IssueDateTime/DateTimeString[@format=102]',
  'BT-22': 'ExchangedDocument/IncludedNote/Content',
  'BT-10': `${AGREED}/BuyerReference`,
  'BT-13': `${AGREED}/BuyerOrderReferencedDocument/IssuerAssignedID`,
  ...CII_PARTY(`${AGREED}/SellerTradeParty`, SELLER),
  ...CII_PARTY(`${AGREED}/BuyerTradeParty`, BUYER),
  'BG-15': `${DELIVERED}/ShipToTradeParty/PostalTradeAddress`,
  'BT-77': `${DELIVERED}/ShipToTradeParty/PostalTradeAddress/CityName`,
  'BT-78': `${DELIVERED}/ShipToTradeParty/PostalTradeAddress/PostcodeCode`,
  'BT-80': `${DELIVERED}/ShipToTradeParty/PostalTradeAddress/CountryID`,
  'BT-72': `${DELIVERED}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString[@format=102]`,
  'BT-5': `${SETTLED}/InvoiceCurrencyCode`,
  'BT-83': `${SETTLED}/PaymentReference`,
  'BG-16': MEANS,
  'BT-81': `${MEANS}/TypeCode`,
  'BG-17': `${MEANS}/PayeePartyCreditorFinancialAccount`,
  'BT-84': `${MEANS}/PayeePartyCreditorFinancialAccount/IBANID`,
  'BT-85': `${MEANS}/PayeePartyCreditorFinancialAccount/AccountName`,
  'BT-86': `${MEANS}/PayeeSpecifiedCreditorFinancialInstitution/BICID`,
  'BG-14': `${SETTLED}/BillingSpecifiedPeriod`,
  'BT-73': `${SETTLED}/BillingSpecifiedPeriod/StartDateTime/DateTimeString[@format=102]`,
  'BT-74': `${SETTLED}/BillingSpecifiedPeriod/EndDateTime/DateTimeString[@format=102]`,
  'BT-20': `${SETTLED}/SpecifiedTradePaymentTerms/Description`,
  'BT-9': `${SETTLED}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString[@format=102]`,
  'BT-106': `${SUMS}/LineTotalAmount`,
  'BT-107': `${SUMS}/AllowanceTotalAmount`,
  'BT-108': `${SUMS}/ChargeTotalAmount`,
  'BT-109': `${SUMS}/TaxBasisTotalAmount`,
  'BT-110': `${SUMS}/TaxTotalAmount`,
  'BT-110-currency': `${SUMS}/TaxTotalAmount/@currencyID`,
  'BT-112': `${SUMS}/GrandTotalAmount`,
  'BT-113': `${SUMS}/TotalPrepaidAmount`,
  'BT-115': `${SUMS}/DuePayableAmount`,
  'BG-3': `${SETTLED}/InvoiceReferencedDocument`,
  'BT-25': `${SETTLED}/InvoiceReferencedDocument/IssuerAssignedID`,
}
const CII_SETTLED = 'SpecifiedLineTradeSettlement'
const CII_LINE: Binding = {
  'BT-126': 'AssociatedDocumentLineDocument/LineID',
  'BT-153': 'SpecifiedTradeProduct/Name',
  'BT-154': 'SpecifiedTradeProduct/Description',
  'BT-146': 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount',
  'BT-129': 'SpecifiedLineTradeDelivery/BilledQuantity',
  'BT-130': 'SpecifiedLineTradeDelivery/BilledQuantity/@unitCode',
  'BT-151': `${CII_SETTLED}/ApplicableTradeTax/CategoryCode`,
  'BT-152': `${CII_SETTLED}/ApplicableTradeTax/RateApplicablePercent`,
  'BG-27': `${CII_SETTLED}/SpecifiedTradeAllowanceCharge`,
  'BT-138': `${CII_SETTLED}/SpecifiedTradeAllowanceCharge/CalculationPercent`,
  'BT-137': `${CII_SETTLED}/SpecifiedTradeAllowanceCharge/BasisAmount`,
  'BT-136': `${CII_SETTLED}/SpecifiedTradeAllowanceCharge/ActualAmount`,
  'BT-139': `${CII_SETTLED}/SpecifiedTradeAllowanceCharge/Reason`,
  'BT-140': `${CII_SETTLED}/SpecifiedTradeAllowanceCharge/ReasonCode`,
  'BT-131': `${CII_SETTLED}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`,
}
const CII_TAX: Binding = {
  'BT-116': 'BasisAmount',
  'BT-117': 'CalculatedAmount',
  'BT-118': 'CategoryCode',
  'BT-119': 'RateApplicablePercent',
  'BT-120': 'ExemptionReason',
  'BT-121': 'ExemptionReasonCode',
}

const ublBinding = (kind: 'Invoice' | 'CreditNote'): Binding => ({
  'BT-24': 'CustomizationID',
  'BT-23': 'ProfileID',
  'BT-1': 'ID',
  'BT-2': 'IssueDate',
  'BT-9': kind === 'Invoice' ? 'DueDate' : 'PaymentMeans/PaymentDueDate',
  'BT-3': `${kind}TypeCode`,
  'BT-22': 'Note',
  'BT-5': 'DocumentCurrencyCode',
  'BT-10': 'BuyerReference',
  'BG-14': 'InvoicePeriod',
  'BT-73': 'InvoicePeriod/StartDate',
  'BT-74': 'InvoicePeriod/EndDate',
  'BT-13': 'OrderReference/ID',
  'BG-3': 'BillingReference',
  'BT-25': 'BillingReference/InvoiceDocumentReference/ID',
  ...UBL_PARTY('AccountingSupplierParty', SELLER),
  ...UBL_PARTY('AccountingCustomerParty', BUYER),
  'BT-72': 'Delivery/ActualDeliveryDate',
  'BG-15': 'Delivery/DeliveryLocation/Address',
  'BT-77': 'Delivery/DeliveryLocation/Address/CityName',
  'BT-78': 'Delivery/DeliveryLocation/Address/PostalZone',
  'BT-80': 'Delivery/DeliveryLocation/Address/Country/IdentificationCode',
  'BG-16': 'PaymentMeans',
  'BT-81': 'PaymentMeans/PaymentMeansCode',
  'BT-83': 'PaymentMeans/PaymentID',
  'BG-17': 'PaymentMeans/PayeeFinancialAccount',
  'BT-84': 'PaymentMeans/PayeeFinancialAccount/ID',
  'BT-85': 'PaymentMeans/PayeeFinancialAccount/Name',
  'BT-86': 'PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID',
  'BT-20': 'PaymentTerms/Note',
  'BT-110': 'TaxTotal/TaxAmount',
  'BT-110-currency': 'TaxTotal/TaxAmount/@currencyID',
  'BT-106': 'LegalMonetaryTotal/LineExtensionAmount',
  'BT-107': 'LegalMonetaryTotal/AllowanceTotalAmount',
  'BT-108': 'LegalMonetaryTotal/ChargeTotalAmount',
  'BT-109': 'LegalMonetaryTotal/TaxExclusiveAmount',
  'BT-112': 'LegalMonetaryTotal/TaxInclusiveAmount',
  'BT-113': 'LegalMonetaryTotal/PrepaidAmount',
  'BT-115': 'LegalMonetaryTotal/PayableAmount',
})
const ublLine = (kind: 'Invoice' | 'CreditNote'): Binding => {
  const quantity = kind === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity'
  return {
    'BT-126': 'ID',
    'BT-129': quantity,
    'BT-130': `${quantity}/@unitCode`,
    'BT-131': 'LineExtensionAmount',
    'BG-27': 'AllowanceCharge',
    'BT-136': 'AllowanceCharge/Amount',
    'BT-137': 'AllowanceCharge/BaseAmount',
    'BT-138': 'AllowanceCharge/MultiplierFactorNumeric',
    'BT-139': 'AllowanceCharge/AllowanceChargeReason',
    'BT-140': 'AllowanceCharge/AllowanceChargeReasonCode',
    'BT-153': 'Item/Name',
    'BT-154': 'Item/Description',
    'BT-151': 'Item/ClassifiedTaxCategory/ID',
    'BT-152': 'Item/ClassifiedTaxCategory/Percent',
    'BT-146': 'Price/PriceAmount',
  }
}
const UBL_TAX: Binding = {
  'BT-116': 'TaxableAmount',
  'BT-117': 'TaxAmount',
  'BT-118': 'TaxCategory/ID',
  'BT-119': 'TaxCategory/Percent',
  'BT-120': 'TaxCategory/TaxExemptionReason',
  'BT-121': 'TaxCategory/TaxExemptionReasonCode',
}

/** Reads an e-invoice. @throws where it is no XML, or neither of both syntaxes */
export function readTerms(xml: string): ReadInvoice {
  const { root } = parseXml(xml)
  if (root === null) throw new Error('There is no element')
  const kind = local(root)
  const read = (binding: Binding, from: XmlElement): Terms =>
    Object.fromEntries(
      Object.entries(binding)
        .map(([term, path]) => [term, find(from, path)] as const)
        .filter(([, text]) => text !== undefined),
    )
  const empty = all(root)
    .filter((one) => one.children.every((child) => child instanceof XmlText && child.text.trim() === ''))
    .map(local)
  if (kind === 'CrossIndustryInvoice') {
    const allowances = select(root, `${SETTLED}/SpecifiedTradeAllowanceCharge`)
    const isCharge = (one: XmlElement) => find(one, 'ChargeIndicator/Indicator') === 'true'
    const amount = (one: XmlElement) => find(one, 'ActualAmount') ?? ''
    return {
      syntax: 'CII',
      terms: read(CII, root),
      lines: select(root, `${DEAL}/IncludedSupplyChainTradeLineItem`).map((one) => read(CII_LINE, one)),
      breakdown: select(root, `${SETTLED}/ApplicableTradeTax`).map((one) => read(CII_TAX, one)),
      allowances: allowances.filter((one) => !isCharge(one)).map(amount),
      charges: allowances.filter(isCharge).map(amount),
      // The schema asks for this one even where it has nothing to say.
      empty: empty.filter((name) => name !== 'ApplicableHeaderTradeDelivery'),
    }
  }
  if (kind !== 'Invoice' && kind !== 'CreditNote') throw new Error(`This is not an e-invoice: ${kind}`)
  const allowances = select(root, 'AllowanceCharge')
  const amounts = (isCharge: string) =>
    allowances
      .filter((one) => find(one, 'ChargeIndicator') === isCharge)
      .map((one) => find(one, 'Amount') ?? '')
  return {
    syntax: 'UBL',
    terms: read(ublBinding(kind), root),
    lines: select(root, `${kind}Line`).map((one) => read(ublLine(kind), one)),
    breakdown: select(root, 'TaxTotal/TaxSubtotal').map((one) => read(UBL_TAX, one)),
    allowances: amounts('false'),
    charges: amounts('true'),
    empty,
  }
}

const local = ({ name }: XmlElement) => name.slice(name.indexOf(':') + 1)
const elements = (from: XmlElement) => from.children.filter((child) => child instanceof XmlElement)
const all = (from: XmlElement): XmlElement[] => [from, ...elements(from).flatMap(all)]

/** A path of local names; a step may ask for an attribute `[@schemeID=VA]` or a text below it `[TaxScheme/ID=VAT]`. */
function select(from: XmlElement, path: string): XmlElement[] {
  let found = [from]
  for (const step of path.match(/[^/[]+(\[[^\]]*\])?/g) ?? []) {
    const [, name = '', inner] = /^([^[]+)(?:\[(.*)\])?$/.exec(step) ?? []
    found = found.flatMap(elements).filter((one) => local(one) === name && isAsked(one, inner))
  }
  return found
}

function isAsked(one: XmlElement, inner: string | undefined): boolean {
  if (inner === undefined) return true
  const [path = '', value] = inner.split('=')
  return path.startsWith('@') ? one.attributes[path.slice(1)] === value : find(one, path) === value
}

/** The text at a path, whose last step may be an attribute; undefined where there is nothing. */
function find(from: XmlElement, path: string): string | undefined {
  const [, elementPath = path, attribute] = /^(.*)\/@(\w+)$/.exec(path) ?? []
  const [one] = select(from, elementPath)
  if (one === undefined) return undefined
  if (attribute !== undefined) return one.attributes[attribute]
  return elements(one).length > 0 ? '' : one.text.trim()
}
