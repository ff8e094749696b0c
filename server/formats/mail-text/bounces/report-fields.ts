import { addressKey } from '../addresses.ts'
import { beforeOriginal, MAX_EMBEDDED_BYTES, partText } from './report-parts.ts'
import { isRecipient } from './recipients.ts'
import { isHardFailure, MAX_DIAGNOSTIC_CHARS, STATUS, type ReportedRecipient } from './hard-failure.ts'
import type { ParsedMail } from '../parse.ts'
import { cutText, oneLine } from '../../../platform/text.ts'

const NAMES_RECIPIENT = /^[ \t]*(?:final|original)-recipient[ \t]*:/im
/** Nearly no mail is a report, and this looks through a long text fifty times faster. */
const MAY_NAME_RECIPIENT = /-recipient[ \t]*:/i
const namesRecipient = (text: string) => MAY_NAME_RECIPIENT.test(text) && NAMES_RECIPIENT.test(text)

/** The texts of a mail that contain report fields (RFC 3464). */
export function statusParts(mail: ParsedMail): string[] {
  const parts = mail.attachments
    .filter(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type))
    .map(partText)
  if (parts.length > 0) return parts
  // Some servers label the part wrongly, or put the fields into the text.
  const others = mail.attachments
    .filter(({ type, content }) => type.startsWith('text/') && content.length < MAX_EMBEDDED_BYTES)
    .map(partText)
  const own = namesRecipient(mail.text) ? [beforeOriginal(mail.text)] : []
  return [...own, ...others].filter(namesRecipient)
}

type Fields = Map<string, string>

/** What the report says about each recipient; `spoken` is what its text says. */
export function standardRecipients(text: string, spoken: ReportedRecipient[]): ReportedRecipient[] {
  const groups = groupsOf(text)
  return groups.flatMap((fields) => {
    const addresses = RECIPIENT_FIELDS.map((name) => recipientAddress(fields.get(name)))
    const address = addresses.find(isRecipient) ?? wholeAddress(addresses, spoken)
    if (address === undefined) return []
    const keys = new Set([address, ...addresses].map(addressKey))
    const told = spoken.find((recipient) => keys.has(addressKey(recipient.address)))
    // The only recipient is the one that the text speaks of, under whatever address.
    const only = groups.length === 1 && spoken.length === 1 ? spoken[0] : undefined
    return [standardRecipient(address, fields, told ?? only)]
  })
}

/** The address that the mail was sent to comes before those it was forwarded to. */
const RECIPIENT_FIELDS = ['original-recipient', 'final-recipient', 'x-actual-recipient']
const RESULT_FIELDS = ['action', 'status', 'diagnostic-code']

/** A local name without its domain: the text often has both. Pipes, paths and host names are no recipients. */
function wholeAddress(addresses: string[], spoken: ReportedRecipient[]): string | undefined {
  const local = addresses.find((address) => /^[\w.+-]{1,64}$/.test(address))?.toLowerCase()
  if (local === undefined) return undefined
  return spoken.find(({ address }) => address.toLowerCase().startsWith(`${local}@`))?.address
}

/**
 * The fields of each recipient. Groups are separated by blank lines (RFC 3464 2.1), but some servers omit those: then
 * a repeated field begins a new group, or a recipient after fields about another one.
 */
function groupsOf(text: string): Fields[] {
  const groups: Fields[] = []
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)) {
    let fields: Fields = new Map()
    for (const [name, value] of fieldLines(block)) {
      if (beginsGroup(fields, name, value)) {
        groups.push(fields)
        fields = new Map()
      }
      if (!fields.has(name)) fields.set(name, value)
    }
    groups.push(fields)
  }
  return groups.filter((fields) => RECIPIENT_FIELDS.some((name) => fields.has(name)))
}

function beginsGroup(fields: Fields, name: string, value: string): boolean {
  const named = RECIPIENT_FIELDS.find((field) => fields.has(field))
  if (named === undefined) return false
  if (name === 'action' || name === 'status') return fields.has(name)
  if (name !== 'original-recipient' && name !== 'final-recipient') return false
  if (fields.has(name)) return true
  const isJudged = RESULT_FIELDS.some((field) => fields.has(field))
  // Exim writes Action before the recipient; others add a second name of the same recipient after it.
  const isAnother = addressKey(recipientAddress(value)) !== addressKey(recipientAddress(fields.get(named)))
  return isJudged && isAnother && [...fields.keys()].indexOf(named) < firstResult(fields)
}

const firstResult = (fields: Fields): number =>
  [...fields.keys()].findIndex((name) => RESULT_FIELDS.includes(name))

/** `Name: value` lines, unfolded, names in lower case. */
function fieldLines(group: string): [name: string, value: string][] {
  return group
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .flatMap((line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]] : []
    })
}

/** The first field of each name. */
export function fieldsOf(group: string): Fields {
  return new Map(fieldLines(group).toReversed())
}

/** `rfc822; a@b`, with or without the type, brackets and xtext (RFC 3461 4). */
export function recipientAddress(field: string | undefined): string {
  const value = oneLine(field ?? '')
    .replace(/^[\w/-]+\s*;\s*/, '')
    // Only what must be encoded there: "bob+42@…" is an address with a tag.
    .replaceAll('+2B', '+')
    .replaceAll('+3D', '=')
  return /<([^<>]+)>/.exec(value)?.[1] ?? value.replace(/[<>\s"]/g, '')
}

function standardRecipient(
  address: string,
  fields: Fields,
  told: ReportedRecipient | undefined,
): ReportedRecipient {
  const code = oneLine(fields.get('diagnostic-code') ?? '')
    .replace(/^(?:smtp|x-[\w-]+|unknown)\s*;\s*/i, '')
    .trim()
  const telling = /\p{L}{3}/u.test(code)
  const diagnostic = telling ? code : [code, told?.diagnostic ?? ''].filter((words) => words !== '').join(' ')
  const status = STATUS.exec(fields.get('status') ?? '')?.[1] ?? STATUS.exec(diagnostic)?.[1]
  const action = actionOf(fields.get('action') ?? '', status)
  const near = telling ? (told?.diagnostic ?? '') : ''
  return {
    address,
    action,
    ...(status ? { status } : {}),
    diagnostic: cutText(diagnostic, MAX_DIAGNOSTIC_CHARS),
    hard: action === 'failed' && isHardFailure(status, diagnostic, near),
  }
}

function actionOf(word: string, status: string | undefined): ReportedRecipient['action'] {
  const action = word.toLowerCase()
  if (action.startsWith('delay')) return 'delayed'
  if (action.startsWith('deliver')) return 'delivered'
  if (action.startsWith('relay')) return 'relayed'
  if (action.startsWith('expand')) return 'expanded'
  return action === '' && status?.startsWith('2') ? 'delivered' : 'failed'
}
