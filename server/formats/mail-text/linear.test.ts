import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { plainAddress, quoted, withQuotes } from '#contract/platform/local-part.ts'
import { HOSTILE_STYLES, HOSTILE_TEXTS, type TextMaker } from '../../../tests/support/hostile-texts.ts'
import { functionsIn } from '../../../tests/support/exported-functions.ts'
import { type Reader, sizesUpTo, slowReaders } from '../../../tests/support/linear.ts'
import * as addresses from './addresses.ts'
import { addressTokens } from './address-tokens.ts'
import { hasAuthenticSender } from './authentication-results.ts'
import * as attachmentNames from './attachment-names.ts'
import * as bounceFields from './bounces/report-fields.ts'
import * as bounceParts from './bounces/report-parts.ts'
import * as bounceRecipients from './bounces/recipients.ts'
import * as bounceText from './bounces/free-text-report.ts'
import * as bounceVerdict from './bounces/hard-failure.ts'
import * as bounces from './bounces/delivery-report.ts'
import { isFeedbackSource } from './bounces/feedback-sources.ts'
import * as comments from './comments.ts'
import * as complaints from './bounces/complaints.ts'
import * as compose from './compose.ts'
import * as composeTemplate from './compose-bulk.ts'
import { dateOf } from './dates.ts'
import { firstName } from './first-name.ts'
import { unflowed } from './flowed.ts'
import * as headerLines from './header-lines.ts'
import { canWriteResults, isPlainPath } from './hostile-values.ts'
import { readInvitation } from './invitation.ts'
import { mailKind } from './mail-kind.ts'
import * as notifications from './bounces/notifications.ts'
import * as parse from './parse.ts'
import type { ParsedMail } from './parse.ts'
import type { MimePart } from './postal-mime-inside.ts'
import * as replyAttributions from './replies/attributions.ts'
import * as replyHeaders from './replies/quoted-headers.ts'
import * as replySignatures from './replies/signatures.ts'
import { wantedTime } from './propose-slot.ts'
import { inventedFact, saysTime } from './said-facts.ts'
import { seenText } from './seen-text.ts'
import { cleanStyle } from './sanitize-style.ts'
import * as searchWords from './search-index.ts'
import { shownText, shownWords } from './shown-words.ts'
import { sniffType, typeByMagic } from './sniff-type.ts'
import * as textParts from './text-parts.ts'
import * as threading from './threading.ts'
import { returnedToken, unsubscribeRequest } from './unsubscribe-request.ts'
import { decodeUtf7 } from './utf7.ts'
import * as words from '../../platform/text.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

const MAIL: ParsedMail = {
  inReplyTo: [],
  references: [],
  from: { name: 'MAILER-DAEMON', address: 'mailer-daemon@far.example' },
  senders: [],
  replyTo: [],
  to: [],
  cc: [],
  bcc: [],
  subject: 'Undelivered Mail Returned to Sender',
  text: '',
  snippet: '',
  attachments: [],
  headers: [],
  faults: [],
}

/** A mail that has the text wherever a report could say something. */
const reportOf = (text: string, type = 'message/delivery-status'): ParsedMail => ({
  ...MAIL,
  text,
  headers: [{ name: 'X-Failed-Recipients', value: text.slice(0, 20_000) }],
  attachments: ['message/rfc822', type].map((each, partIndex) => ({
    name: 'a',
    type: each,
    size: text.length,
    inline: false,
    content: bytes(text),
    partIndex,
  })),
})
/** How a notification of Amazon's begins. */
const NOTIFIED = '{"notificationType":"Bounce","bounce":{"bouncedRecipients":['

/** A text with a name and a label that is wrong. */
const partOf = (text: string): MimePart => ({
  contentType: {
    parsed: { value: 'text/plain', params: { charset: 'utf-7', name: text } },
    multipart: false,
  },
  contentDisposition: { parsed: { value: 'attachment', params: {} } },
  childNodes: [],
  content: new Uint8Array(bytes(text)).buffer,
})

const COMPOSED = {
  messageId: 'a@b.c',
  date: new Date(0),
  from: { name: 'a', address: 'a@b.cd' },
  subject: 'a',
  text: 'a',
}

/** Each public function of this folder, under its own name. */
const TEXT_READERS: Record<string, Reader> = {
  parseAddressList: addresses.parseAddressList,
  addressKey: addresses.addressKey,
  wireAddress: addresses.wireAddress,
  asciiDomain: addresses.asciiDomain,
  isSendable: addresses.isSendable,
  formatAddress: (text) => addresses.formatAddress({ name: text, address: text }),
  quoted,
  plainAddress: (text) => plainAddress(`"${text}"@x.test`),
  withQuotes,
  addressTokens,
  attachmentType: attachmentNames.attachmentType,
  attachmentName: (text) => attachmentNames.attachmentName(text, text, bytes(text), 0),
  'attachmentName of a mail': (text) =>
    attachmentNames.attachmentName(null, 'message/rfc822', bytes(text), 0),
  statusParts: (text) => bounceFields.statusParts(reportOf(text)),
  'statusParts of the text': (text) => bounceFields.statusParts({ ...MAIL, text }),
  standardRecipients: (text) => bounceFields.standardRecipients(text, []),
  fieldsOf: bounceFields.fieldsOf,
  recipientAddress: bounceFields.recipientAddress,
  tidyAddress: bounceParts.tidyAddress,
  partText: (text) => bounceParts.partText(reportOf(text).attachments[0]!),
  beforeOriginal: bounceParts.beforeOriginal,
  originalIdOf: (text) => bounceParts.originalIdOf(reportOf(text)),
  originalHead: (text) => bounceParts.originalHead(reportOf(text)),
  spokenRecipients: (text) => bounceText.spokenRecipients(reportOf(text)),
  'spokenRecipients without a header': (text) => bounceText.spokenRecipients({ ...MAIL, text }),
  guessed: (text) => bounceText.guessed(reportOf(text)),
  isRecipient: bounceRecipients.isRecipient,
  recipientsIn: (text) => bounceRecipients.recipientsIn(text.split('\n'), new Set()),
  recipientsNamed: (text) => bounceRecipients.recipientsNamed(text.split('\n'), [text.slice(0, 50)]),
  notificationKind: (text) => notifications.notificationKind({ ...MAIL, text }),
  notifiedMessageId: (text) => notifications.notifiedMessageId({ ...MAIL, text: NOTIFIED + text }),
  notifiedRecipients: (text) => notifications.notifiedRecipients({ ...MAIL, text: NOTIFIED + text }),
  notifiedComplaint: (text) => notifications.notifiedComplaint({ ...MAIL, text: NOTIFIED + text }),
  notifiedToken: (text) => notifications.notifiedToken({ ...MAIL, text: NOTIFIED + text }),
  returnedToken,
  isFeedbackSource,
  hasAuthenticSender: (text) =>
    hasAuthenticSender(
      {
        ...MAIL,
        from: { name: '', address: 'a@b.example' },
        headers: [
          { name: 'From', value: 'a@b.example' },
          { name: 'Authentication-Results', value: `mx.example; ${text}` },
        ],
      },
      'mx.example',
    ),
  'hasAuthenticSender in many headers': (text) => {
    const own = text.match(/[^]{1,200}/g)?.slice(0, 400) ?? []
    return hasAuthenticSender(
      {
        ...MAIL,
        from: { name: '', address: 'a@b.example' },
        headers: [
          ...own.map((value) => ({ name: 'Authentication-Results', value: `mx.example; ${value}` })),
          { name: 'Received', value: 'from x by mx.example' },
          { name: 'From', value: 'a@b.example' },
        ],
      },
      'mx.example',
    )
  },
  canWriteResults: (text) =>
    ['DKIM-Signature', 'Received', 'From'].map((name) => {
      const headers = [{ name, value: text.slice(0, 15_000) }]
      return canWriteResults({ ...MAIL, from: { name: text, address: 'a@b.example' }, headers }, headers)
    }),
  isPlainPath,
  endOfComment: (text) => comments.endOfComment(`(${text}`, 0),
  withoutComments: comments.withoutComments,
  dateOf,
  unflowed: (text) => unflowed(text, true),
  hasLinesToMend: (text) => headerLines.hasLinesToMend(bytes(text)),
  mendedHeaderLine: (text) => headerLines.mendedHeaderLine(bytes(text)),
  believeBytes: (text) => textParts.believeBytes(partOf(text)),
  isNamed: (text) => textParts.isNamed(partOf(text)),
  someText: (text) => textParts.someText(partOf(text), () => true),
  decodeUtf7: (text) => decodeUtf7(bytes(text)),
  unsubscribeRequest: (text) => unsubscribeRequest({ ...MAIL, subject: text, text }),
  isHardFailure: (text) => bounceVerdict.isHardFailure(undefined, text, text),
  isDeliveryReport: (text) => bounces.isDeliveryReport(reportOf(text)),
  readDeliveryReport: (text) => bounces.readDeliveryReport(reportOf(text)),
  'readDeliveryReport of the text': (text) => bounces.readDeliveryReport({ ...MAIL, text }),
  readComplaint: (text) => complaints.readComplaint(reportOf(text, 'message/feedback-report')),
  isUnwanted: (text) => complaints.isUnwanted({ feedbackType: text }),
  attributionFinder: (text) => {
    const lines = text.split('\n')
    const runsOver = replyAttributions.attributionFinder(
      lines,
      () => false,
      () => true,
    )
    return lines.map((_, at) => runsOver(at))
  },
  originalFinder: (text) => {
    const lines = text.split('\n')
    const begins = replyHeaders.originalFinder(lines)
    return lines.map((_, at) => begins(at))
  },
  wantedTime: (text) => wantedTime(text, new Date(0), 'UTC'),
  isSignatureSeparator: replySignatures.isSignatureSeparator,
  isDeviceLine: (text) => replySignatures.isDeviceLine(text, true),
  withoutClosing: replySignatures.withoutClosing,
  composeTemplate: (text) =>
    composeTemplate
      .composeTemplate({ from: COMPOSED.from })
      .render({ ...COMPOSED, to: COMPOSED.from, text, subject: text }),
  'composeTemplate to a name': (text) =>
    composeTemplate.composeTemplate({ from: { ...COMPOSED.from, name: text } }).render({
      ...COMPOSED,
      to: { ...COMPOSED.from, name: text },
      messageId: text,
      references: [text],
      inReplyTo: text,
    }),
  composeMail: (text) =>
    compose.composeMail({
      ...COMPOSED,
      to: [{ ...COMPOSED.from, name: text }],
      text,
      subject: text,
      html: text,
      references: [text],
      inReplyTo: text,
    }),
  machineHeaders: (text) =>
    compose.machineHeaders({
      autoSubmitted: text,
      listUnsubscribe: { url: `https://a/${text}`, mailto: text },
    }),
  replyTos: (text) => compose.replyTos({ replyTo: { name: text, address: text } }),
  checked: (text) => compose.checked({ name: text, address: 'a@b.cd' }),
  subjectLine: compose.subjectLine,
  bodyText: compose.bodyText,
  mailtoUrl: (text) => compose.mailtoUrl('a@b.cd', text.toWellFormed()),
  cleanMessageId: compose.cleanMessageId,
  mintMessageId: compose.mintMessageId,
  UnsendableAddress: (text) => new compose.UnsendableAddress(text),
  firstName: (text) => firstName({ name: text, email: text }),
  readInvitation,
  'readInvitation of an event': (text) =>
    readInvitation(`BEGIN:VCALENDAR\nBEGIN:VEVENT\n${text}\nEND:VEVENT\nEND:VCALENDAR`),
  'readInvitation of a line': (text) =>
    readInvitation(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:${text}\nEND:VEVENT\nEND:VCALENDAR`),
  mailKind: (text) => mailKind(reportOf(text)),
  'mailKind of a person': (text) =>
    mailKind({ ...MAIL, from: { name: text, address: text }, subject: text, text }),
  messageIds: parse.messageIds,
  sendersOf: (text) => parse.sendersOf(addresses.parseAddressList(text)),
  headerOf: (text) => parse.headerOf({ headers: [{ name: text, value: text }] }, text),
  cleanStyle,
  foldText: searchWords.foldText,
  termsOf: searchWords.termsOf,
  addressesOf: searchWords.addressesOf,
  lexeme: (text) => searchWords.lexeme(1, text),
  quotedLexeme: searchWords.quotedLexeme,
  searchVector: (text) =>
    searchWords.searchVector(1, { fromName: '', fromAddress: '', to: text, subject: '', text: '' }),
  sniffType: (text) => sniffType(text, bytes(text)),
  typeByMagic: (text) => typeByMagic(bytes(text)),
  referencedIds: (text) =>
    threading.referencedIds({ inReplyTo: text.split(' '), references: text.split(' ') }),
  baseSubject: threading.baseSubject,
  replySubject: threading.replySubject,
  forwardSubject: threading.forwardSubject,
  tidySubject: threading.tidySubject,
  replyHeaders: (text) =>
    threading.replyHeaders({ messageId: text, inReplyTo: [text], references: text.split(' ') }),
  seenText,
  shownWords: (text) => shownWords(text, text.length),
  shownText: (text) => shownText(text, text.length),
  inventedFact: (text) => inventedFact(text, { texts: [{ text, at: new Date(0) }], zone: 'Europe/Berlin' }),
  saysTime: (text) => saysTime(text, new Date(0), 'Europe/Berlin'),
  cleanText: words.cleanText,
  oneLine: words.oneLine,
  cutText: (text) => words.cutText(text, text.length - 1),
  hasWords: words.hasWords,
  cutTags: (text) => words.cutTags(text, text.length),
}

const ADDRESSES: ReadonlyMap<string, TextMaker> = new Map(
  ['@ ', 'a@ ', '<', '<a', '"', '"a" ', '"\\', '(', '()', '=?a?q?', '=?a?q?b?= ', '[', 'a."b"@'].map(
    (piece) => [piece, (chars) => piece.repeat(chars / piece.length)],
  ),
)

const TABLES: readonly [string, Record<string, Reader>, ReadonlyMap<string, TextMaker>][] = [
  ['texts', TEXT_READERS, HOSTILE_TEXTS],
  ['styles', { cleanStyle }, HOSTILE_STYLES],
  ['addresses', { parseAddressList: addresses.parseAddressList, addressTokens }, ADDRESSES],
]

for (const [what, readers, texts] of TABLES)
  for (const [name, run] of Object.entries(readers))
    test(`${name} takes no more than its share of time for long ${what}`, async () => {
      expect(await slowReaders({ [name]: run }, texts)).toEqual([])
    })

test('readInvitation takes no more than its share of time for an event as long as it may be', async () => {
  const name = 'readInvitation of an event'
  const readers = { [name]: TEXT_READERS[name]! }
  expect(await slowReaders(readers, HOSTILE_TEXTS, sizesUpTo(450_000))).toEqual([])
})

/** Replies and quotes are timed in linear-replies.test.ts, HTML and raw mails in linear-mails.test.ts. */
const ELSEWHERE = new Set([
  'replies/replies.ts',
  'replies/quote.ts',
  'intents/intents.ts',
  'cut-html.ts',
  'html-to-words.ts',
  'mime-reader.ts',
  'rough.ts',
  'sanitize.ts',
  'sanitize-outgoing.ts',
  'seen-words.ts',
])
/** One is an error; the others take nothing, or only our own phrases, times, parsers, or what the functions above have made. */
const OTHERS = [
  'inside',
  'encodingOf',
  'chronoNode',
  'UnreadableMail',
  'anyOf',
  'wholeWords',
  'isReadInFull',
  'authservIdOf',
  'isCutText',
  'freeSlot',
  'freeSlots',
  'slotWords',
]

test('every public function of this folder is timed', async () => {
  const folder = new URL('./', import.meta.url)
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.includes('.test.') && !ELSEWHERE.has(file),
  )
  const named = TABLES.flatMap(([, readers]) => Object.keys(readers))
  expect(
    await functionsIn(
      files.map((file) => new URL(file, folder)),
      // What reads a whole mail is timed with raw mails.
      [...named, ...OTHERS, 'parseMail'],
    ),
  ).toEqual([])
})
