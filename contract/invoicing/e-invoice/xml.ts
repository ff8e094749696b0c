import { PERCENT_DECIMALS, QUANTITY_DECIMALS } from '../invoice-sums.ts'
import { decimalsOf, plain } from '../money.ts'

/** An element: its name, its attributes, and its text or its children. Absent children are left out. */
export type Element = {
  name: string
  attributes: Record<string, string>
  children: readonly (Element | string | null)[]
}

type Child = Element | string | null
type Attributes = Record<string, string>

/** An element of the document; null if it has no content at all: neither syntax allows an empty element. */
export function element(name: string, attributes: Attributes, ...children: Child[]): Element | null {
  const present = children.filter((child) => child !== null && child !== '')
  return present.length === 0 ? null : { name, attributes, children: present }
}

/** The document as text. @param namespaces of the root, by prefix; '' is the default one */
export function writeXml(root: Element, namespaces: Readonly<Record<string, string>>): string {
  const declared = Object.fromEntries(
    Object.entries(namespaces).map(([prefix, uri]) => [prefix === '' ? 'xmlns' : `xmlns:${prefix}`, uri]),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written({ ...root, attributes: { ...declared, ...root.attributes } }, '')}\n`
}

function written({ name, attributes, children }: Element, indent: string): string {
  const start = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('')}>`
  if (children.every((child) => typeof child === 'string'))
    return `${start}${children.map((child) => escaped(child)).join('')}</${name}>`
  const inner = children.map((child) =>
    child === null || typeof child === 'string' ? '' : written(child, `${indent}  `),
  )
  return `${start}\n${inner.join('\n')}\n${indent}</${name}>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
// What XML 1.0 cannot hold in any form: control characters, and the last two code points of a plane of sixteen bits.
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text without what XML cannot hold. */
export const holdable = (text: string): string => text.toWellFormed().replaceAll(FORBIDDEN, '')

/** A text as it stands in XML: its signs as entities, without what XML cannot hold. */
export const escaped = (text: string): string =>
  holdable(text).replaceAll(/[&<>"\r]/g, (sign) => ENTITIES[sign] ?? sign)

/** An amount with all decimals of its currency: "12.50", in yen "13". */
export function amountText(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export const percentText = (thousandths: number): string => plain(thousandths, PERCENT_DECIMALS)

export const quantityText = (thousandths: number): string => plain(thousandths, QUANTITY_DECIMALS)
