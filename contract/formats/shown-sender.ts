import { type Mailbox, mailboxOf, recipientsOf } from './address-line.ts'
import { joinedMarks, markHidden, markOf, replaceHidden, withoutHidden } from './hidden-characters.ts'
import { deceptiveDomain } from './mixed-domain.ts'

/** Instead of a sender that has neither an address nor an honest name. */
export const NO_SENDER = 'No sender'

const PLAIN = /^[\x20-\x7e]*$/
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
/** Marks, embeddings and isolates, which add nothing to a name of its own; overrides turn its letters. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]/
/** Blanks that only look like one, and what looks like one. */
const ODD_BLANKS = /[^\S ]|\u2800/gu

/** A name as it is: what nobody sees has a mark, unless the name's own script needs it. */
export function shownName(name: string): string {
  if (PLAIN.test(name)) return name
  const turns = RIGHT_TO_LEFT.test(name)
  return joinedMarks(replaceHidden(name, (hidden) => (turns && DIRECTION.test(hidden) ? '' : markOf(hidden))))
}

/** An address as it is: what nobody sees has a mark, and a domain that looks like another is beside it in punycode. */
export function shownAddress(address: string): string {
  if (PLAIN.test(address)) return address
  const domain = deceptiveDomain(address.slice(address.lastIndexOf('@') + 1))
  const marked = markHidden(address).replaceAll(ODD_BLANKS, markOf)
  return `${joinedMarks(marked)}${domain === null ? '' : ` (${domain})`}`
}

const EDGE = String.raw`[^\s<>()[\]{},;:"“”„‘’«»‹›@]`
/** Something that reads as an address: "ceo@bank.test", "ceo @ bank.test", but not "Anna @ Acme". */
const AROUND = String.raw`[\s<>()[\]{}"“”„‘’'«»‹›@]{0,8}`
const ADDRESSES = new RegExp(`(${EDGE}{1,64})(${AROUND})@(${AROUND})(${EDGE}{1,255})`, 'gu')
/** What may be read as "@" or as a dot. */
const AT_SIGNS = /[ⓐⒶ]/gu
const DOTS = /[·․‧∙⋅•・。｡．ꓸ⸱⸳٠۰܁܂ᐧ᛫]/gu

/** True if a name reads as an address that is not the real one, in whatever characters. */
export function namesOtherAddress(name: string, address: string): boolean {
  const plain = comparable(name.replaceAll(AT_SIGNS, '@').replaceAll(DOTS, '.'))
    .replaceAll(/ ?[([{<] ?at ?[)\]}>] ?/g, '@')
    .replaceAll(/ \.(?=[^ .])/g, '.')
  if (!plain.includes('@')) return false
  const real = comparable(address)
  for (const [, local = '', before, after, domain = ''] of plain.matchAll(ADDRESSES)) {
    if (before !== '' || after !== '') {
      if (!/[^.]\.[^.]/.test(domain)) continue
    }
    if (`${local}@${domain}`.replace(/^'|['.]+$/g, '') !== real) return true
  }
  return false
}

const comparable = (text: string): string =>
  withoutHidden(text.normalize('NFKC')).toLowerCase().replaceAll(/\s+/g, ' ')

/** True if a name may stand for the address: it says something, but no other address, and not that there is none. */
export function isOwnName({ name, address }: Mailbox): boolean {
  return (
    /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(withoutHidden(name)) &&
    comparable(name).trim() !== NO_SENDER.toLowerCase() &&
    !namesOtherAddress(name, address)
  )
}

/** A mailbox in one line: its name, or its real address where the name is none of its own. */
export function shownMailbox({ name, address }: Mailbox): string {
  if (isOwnName({ name, address })) return shownName(name)
  return address === '' ? NO_SENDER : shownAddress(address)
}

type From = { from: string; from_name: string; from_line: string }

/** The senders of a mail, in their order; a mail without any has one with neither name nor address. */
export function sendersOf({ from, from_name: name, from_line: line }: From): Mailbox[] {
  return line === '' ? [{ name, address: from }] : recipientsOf(line).map(mailboxOf)
}

/** Who a mail is from, in one line. */
export const shownSender = (mail: From): string => sendersOf(mail).map(shownMailbox).join(', ')

/** A line of recipients as it is. */
export function shownRecipients(line: string): string {
  if (PLAIN.test(line)) return line
  return recipientsOf(line)
    .map(mailboxOf)
    .map(({ name, address }) =>
      name === '' ? shownAddress(address) : `${shownName(name)} <${shownAddress(address)}>`,
    )
    .join(', ')
}
