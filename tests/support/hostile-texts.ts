/** Makes a text of about so many characters. */
export type TextMaker = (chars: number) => string

/** One unit repeated, never cut: the text ends in the same way at every length, so that every length is the same case. */
export const repeated =
  (unit: string): TextMaker =>
  (chars) =>
    unit.repeat(Math.ceil(chars / unit.length))

/** The first half opens, the second half closes. */
export const nested =
  (open: string, close: string): TextMaker =>
  (chars) => {
    const depth = Math.floor(chars / (open.length + close.length))
    return open.repeat(depth) + close.repeat(depth)
  }

/** A text between a beginning and an end that contradicts it. */
export const framed =
  (before: string, inner: TextMaker, after = ''): TextMaker =>
  (chars) =>
    before + inner(Math.max(0, chars - before.length - after.length)) + after

/** Pieces of mails, headers and searches to be repeated: each has made some parser slow somewhere. */
const UNITS: readonly string[] = [
  [
    'a',
    'a ',
    ' ',
    '\n',
    ' \n',
    '\r\n',
    '\0',
    '\u00a0',
    'é ',
    '\u0301',
    '界',
    '🙂',
    '\ud83d',
    '1 ',
    '1.',
    '+1-',
  ],
  [
    '.',
    ',',
    ';',
    ':',
    ':::',
    '-',
    '_',
    '*',
    '=',
    '&',
    '#',
    '%',
    '|',
    '/',
    '\\',
    '"',
    '\\"',
    "'",
    '(',
    ')',
    '()',
  ],
  [
    '[',
    '[a] ',
    '{"a":',
    '<',
    '>',
    '<>',
    '@',
    'a@b.c ',
    'a@a.',
    'a.-',
    '<a@b.c>,',
    '"a" <a@b.c>, ',
    'a:',
    'a:a;',
    ';a=b',
    ';"a"',
  ],
  [
    '--\n',
    '-- \n',
    '-_=',
    '---\n\n',
    '> ',
    '> \n',
    '> a\nb\n',
    '|\n',
    'a\n',
    ' a\n',
    'a: b\n',
    '"a\n',
    'a,b\n',
  ],
  ['On ', 'On 1 wrote:\n', 'On a\nb\n', '2026 <a@b>:\n', 'Am 1. Mai schrieb a:\n', 'wrote:', 'a\nOn 1\n'],
  [
    'On Tue, 3 Mar 2026 at 10:00, Ada <a@b.c>\n',
    'On Tue, 3 Mar 2026 at 10:00, Ada <a@b.c> said:\n',
    'On Tue, 3 Mar 2026 at 10:00, Ada <a@b.c> wrote:\n> a\n',
    'Op schreef ',
    'W dniu ',
    `${'On at on at '.repeat(24)}\n`,
    `${'a on b at '.repeat(29)}\n`,
  ],
  ['> a \n>> b \n', '>>>>>>>>>>>>>>>> a\n', 'Date: 3.3.2026\n', 'Regards,\n', 'Regards,\nBob\nPS: x\n'],
  [
    'From: x\n',
    'From: x\nSent: y\n',
    'to:',
    'Sent from my ',
    'Sent from my a\n',
    '-----Original Message-----\n',
  ],
  [
    'Re: ',
    'Re\u00a0',
    '[fwd: ',
    '(fwd)',
    '=?',
    '=?utf-8?q?a?= ',
    '=41',
    '&amp;',
    'http',
    'https://a.b/c ',
    'cid:',
  ],
  [
    'not interested in ',
    'would like to ',
    'my colleague ',
    "let's ",
    'a call ',
    'stop ',
    'what\n',
    'user ',
    'recipient ',
    'postfach ',
  ],
  [
    'sender ',
    'message ',
    'temporary failure ',
    'please contact ',
    'send ',
    '550 ',
    '5.1.',
    'delivery:{',
    '{}',
    '"recipients":[',
  ],
  [
    'Final-Recipient: rfc822; a@b.c\n',
    'Message-ID: <a@b>\n',
    'To: a@b.c\n ',
    'from:a ',
    'subject:"',
    'before:2026 ',
  ],
  [
    'BEGIN:VCARD\n',
    'BEGIN:VCARD\nEND:VCARD\n',
    'AGENT:\nBEGIN:VCARD\n',
    'EMAIL:a@b.c\n',
    'BEGIN:VEVENT\n',
    'ATTENDEE:a\n',
    '!3d1',
  ],
].flat()

/** Texts that look like an end until the very last character. */
const BROKEN: readonly string[] = [' ', '\n', '.', '-', '"', '""', '_', '=', '<', '> ', 'a@', '1', '\u00a0']

const label = (unit: string) => JSON.stringify(unit)

/** Hostile plain texts by what they repeat. */
export const HOSTILE_TEXTS: ReadonlyMap<string, TextMaker> = new Map([
  ...UNITS.map((unit) => [label(unit), repeated(unit)] as const),
  ...BROKEN.map((unit) => [`x${label(unit)}x\n`, framed('x', repeated(unit), 'x\n')] as const),
  ...[
    ['(', ')'],
    ['<', '>'],
    ['"(', ')"'],
    ['[', ']'],
    ['{"a":', '}'],
    ['[fwd: ', ']'],
    ['a:', ';'],
    ['> ', '\n'],
  ].map(([open = '', close = '']) => [`nested ${label(open)}`, nested(open, close)] as const),
])

const TAGS = ['div', 'b', 'p', 'table', 'td', 'li', 'blockquote', 'a', 'svg', 'style', 'option', 'img', 'x-y']

const HTML_UNITS: readonly string[] = [
  TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag}>a</${tag}>`]),
  [
    '<',
    '</',
    '<a ',
    '<a a="',
    '<!',
    '<!--',
    '-->',
    '<![CDATA[',
    '<?',
    '&',
    '&amp;',
    '&#1;',
    'a ',
    '\u00ad',
    '\n',
    '\0',
  ],
  [
    '<tr><td>',
    '<table><tr><td>',
    '<ul><li>',
    '<b></i>',
    '<p><b></p>',
    '<li><p>',
    '<x></y>',
    '<blockquote/>',
    '<br>a',
  ],
  ['<img src=cid:a>', '<a href="http://a.b/">', '<div style="color:red">', '<td background="http://a/b">'],
].flat()

const STYLE_UNITS = [
  'a:b;',
  'color:red;',
  'color:',
  ';',
  ':',
  '(',
  ')',
  'rgb(',
  'rgb()',
  'background:',
  'background:url(',
  'background: url( ',
  "background:url('//",
  '-',
  '- ',
  'a',
  ' ',
  '"',
  "'",
  'margin:-',
  'a(b',
]

/** Hostile HTML: tags, attributes, styles and entities that never end, or nest without end. */
export const HOSTILE_HTML: ReadonlyMap<string, TextMaker> = new Map([
  ...HTML_UNITS.map((unit) => [label(unit), repeated(unit)] as const),
  ...['<a ', '<a href="', '<!--', '<style>'].flatMap((before) =>
    ['a ', 'a=b ', '"', '<', '&'].map(
      (unit) => [`${before}${label(unit)}`, framed(before, repeated(unit))] as const,
    ),
  ),
  ...TAGS.map((tag) => [`nested <${tag}>`, nested(`<${tag}>`, `</${tag}>`)] as const),
  ...STYLE_UNITS.map(
    (unit) => [`style ${label(unit)}`, framed('<p style="', repeated(unit), '">a</p>')] as const,
  ),
  ...STYLE_UNITS.map(
    (unit) => [`styles ${label(unit)}`, repeated(`<p style="${repeated(unit)(400)}">a</p>`)] as const,
  ),
])

/** Hostile values of a style attribute. */
export const HOSTILE_STYLES: ReadonlyMap<string, TextMaker> = new Map(
  STYLE_UNITS.flatMap((unit) => [
    [label(unit), repeated(unit)] as const,
    [`background:${label(unit)}`, framed('background:', repeated(unit))] as const,
  ]),
)

const HEAD = 'From: a@b.c\r\nSubject: a\r\n'
const headersOf = (line: string): TextMaker => framed(HEAD, repeated(line), '\r\n\r\nText\r\n')
const bodyOf = (type: string, inner: TextMaker): TextMaker =>
  framed(`${HEAD}Content-Type: ${type}\r\n\r\n`, inner)

const FIELDS = [
  ['From', 'Cc', 'Subject', 'References', 'Date', 'Content-Type', 'List-Unsubscribe'],
  ['Content-Type: multipart/mixed; boundary', 'Content-Disposition: attachment; filename*0'],
].flat()
const FIELD_UNITS = [
  'a ',
  ' ',
  'a:',
  'a@b.c, ',
  '<a',
  '(',
  '"',
  '\\',
  ';a=b',
  '=?utf-8?q?a?= ',
  '<a@b>',
  '\r\n ',
  '\xe9',
]

/** How deep multiparts are nested. */
function nestedParts(chars: number): string {
  let head = HEAD
  let size = head.length
  const parts: string[] = []
  for (let depth = 0; size < chars; depth += 1) {
    parts.push(`Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`)
    size += parts.at(-1)?.length ?? 0
  }
  head += parts.join('')
  return head
}

/** Hostile raw mails: headers, parts and bodies. */
export const HOSTILE_MAILS: ReadonlyMap<string, TextMaker> = new Map([
  ...[
    'A: b\r\n',
    ' a\r\n',
    'To: a@b.c\r\n',
    ':\r\n',
    'Content-Type: text/html\r\n',
    '>From a\r\n',
    '\xe9\xff: a\r\n',
  ].map((line) => [`headers ${label(line)}`, headersOf(line)] as const),
  ...FIELDS.flatMap((field) =>
    FIELD_UNITS.map(
      (unit) =>
        [
          `${field} ${label(unit)}`,
          framed(
            `${field}${field.includes(';') ? '=' : ': '}`,
            repeated(unit),
            '\r\nFrom: a@b.c\r\n\r\nText\r\n',
          ),
        ] as const,
    ),
  ),
  ...[
    '--b\r\n',
    '--b\r\n\r\n',
    '--b\r\n\r\na\r\n',
    '--b\r\nContent-Type: text/plain\r\n\r\na\r\n',
    '--b\r\nContent-Type: text/html\r\n\r\n<p>a\r\n',
    '--b--\r\n',
    '--\r\n',
    '-\r\n',
    'a\r\n',
    '\r\n',
    '\n',
    '\r',
    '--b\r\nContent-Disposition: attachment; filename=a\r\n\r\n',
    '--b\r\nContent-Type: message/rfc822\r\n\r\nA: b\r\n\r\n',
    '--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
    '--b\r\nContent-ID: <a>\r\nContent-Type: image/png\r\n\r\na\r\n',
  ].map((unit) => [`parts ${label(unit)}`, bodyOf('multipart/mixed; boundary=b', repeated(unit))] as const),
  ...[
    '--b\r\n',
    'Content-Type: a\r\n',
    'boundary=a ',
    '--a\r\ncontent-type: b\r\n',
    'a\r\n',
    'boundary="',
  ].map((unit) => [`lost parts ${label(unit)}`, bodyOf('multipart/mixed', repeated(unit))] as const),
  ['nested parts', nestedParts],
  ...['a', 'a\r\n', '\n', '> \r\n', '\r', '\xe9', '=\r\n'].flatMap((unit) =>
    [
      'text/plain',
      'text/plain; format=flowed; delsp=yes',
      'text/html',
      'text/plain\r\nContent-Transfer-Encoding: quoted-printable',
      'application/pdf\r\nContent-Transfer-Encoding: base64',
      'text/calendar',
    ].map((type) => [`${type} of ${label(unit)}`, bodyOf(type, repeated(unit))] as const),
  ),
])
