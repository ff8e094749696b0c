import { addressKey, isSendable } from './addresses.ts'
import { beforeOriginal, MAX_EMBEDDED_BYTES, partText } from './bounce-parts.ts'
import { isHardFailure, MAX_DIAGNOSTIC_CHARS, STATUS } from './bounce-verdict.ts'
import type { ReportedRecipient } from './bounce-verdict.ts'
import type { ParsedMail } from './parse.ts'
import { cutText, oneLine } from './words.ts'

const NAMES_RECIPIENT = /^\s*(?:final|original)-recipient\s*:/im

/** The texts of a mail that hold report fields (RFC 3464). */
export function statusParts(mail: ParsedMail): string[] {
  const parts = mail.attachments
    .filter(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type))
    .map(partText)
  if (parts.length > 0) return parts
  // Some servers label the part wrongly, or put it into the text.
  const others = mail.attachments
    .filter(({ type, content }) => type.startsWith('text/') && content.length < MAX_EMBEDDED_BYTES)
    .map(partText)
  // Looked for at once in what nearly every mail is: no report.
  const own = NAMES_RECIPIENT.test(mail.text) ? [beforeOriginal(mail.text)] : []
  return [...own, ...others].filter((text) => NAMES_RECIPIENT.test(text))
}

/** Groups of fields between blank lines; a group that names a recipient is one. */
export function standardRecipients(text: string, spoken: ReportedRecipient[]): ReportedRecipient[] {
  const groups = text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map(fieldsOf)
  return groups.flatMap((fields) => {
    const addresses = [
      fields.get('original-recipient'),
      fields.get('final-recipient'),
      fields.get('x-actual-recipient'),
    ].map(recipientAddress)
    const address =
      addresses.find((candidate) => isSendable(candidate)) ??
      addresses.find((candidate) => candidate !== '') ??
      ''
    if (address === '') return []
    const told = spoken.find((recipient) =>
      addresses.some((candidate) => addressKey(candidate) === addressKey(recipient.address)),
    )
    // A local name without its domain: the text often has both.
    const whole = isSendable(address)
      ? address
      : (spoken.find(({ address: full }) => full.toLowerCase().startsWith(`${address.toLowerCase()}@`))
          ?.address ?? address)
    return [standardRecipient(whole, fields, told ?? (spoken.length === 1 ? spoken[0] : undefined))]
  })
}

/** `Name: value` lines, unfolded, the first of each name, names in lower case. */
export function fieldsOf(group: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of group.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    const key = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !fields.has(key)) fields.set(key, line.slice(colon + 1).trim())
  }
  return fields
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
  fields: Map<string, string>,
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
