const WORDS =
  'offer meeting budget delivery question contract invoice sample harvest vineyard workshop schedule'.split(
    ' ',
  )
const START = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

/** The n-th of many small mails: every third has an HTML part, every fifth answers the one before it. */
export function inventedMail(n: number): string {
  const text = Array.from({ length: 8 }, (_, line) => sentence(n, line)).join('\r\n')
  const headers = headersOf(n)
  if (n % 3 !== 0) return [...headers, 'Content-Type: text/plain; charset=utf-8', '', text, ''].join('\r\n')
  return [
    ...headers,
    'Content-Type: multipart/alternative; boundary="part"',
    '',
    '--part\r\nContent-Type: text/plain; charset=utf-8\r\n',
    text,
    '--part\r\nContent-Type: text/html; charset=utf-8\r\n',
    `<html><body><p>${text.replaceAll('\r\n', '<br>\r\n')}</p></body></html>`,
    '--part--',
    '',
  ].join('\r\n')
}

function headersOf(n: number): string[] {
  return [
    `From: "Person ${n % 500}" <person${n % 500}@customer.example>`,
    'To: Ada Muster <ada@muster.example>',
    `Subject: ${n % 5 === 4 ? 'Re: ' : ''}The ${wordOf(n, 0)} and the ${wordOf(n, 1)} ${n - (n % 5)}`,
    `Message-ID: <invented-${n}@customer.example>`,
    ...(n % 5 === 4 ? [`In-Reply-To: <invented-${n - 1}@customer.example>`] : []),
    `Date: ${new Date(START + n * HOUR_MS).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
  ]
}

/** Bytes of the files attached to some mails. */
const FILE_BYTES = 150_000

/** The n-th of many typical mails: a tenth of 1 kB, most of 2 to 20 kB with HTML, one of fifty with a file. */
export function inventedLetter(n: number): string {
  if (n % 10 === 0) return inventedMail(n)
  const lines = 4 + ((n * 13) % 60)
  const text = Array.from({ length: lines }, (_, line) => sentence(n, line)).join('\r\n')
  const rows = Array.from(
    { length: lines },
    (_, line) => `<tr><td style="${STYLE}">${sentence(n, line)}</td></tr>`,
  )
  const body = [
    '--part\r\nContent-Type: text/plain; charset=utf-8\r\n',
    text,
    '--part\r\nContent-Type: text/html; charset=utf-8\r\n',
    `<html><body><table>${rows.join('\r\n')}</table></body></html>`,
    ...(n % 50 === 1 ? [file()] : []),
    '--part--',
    '',
  ]
  const kind = n % 50 === 1 ? 'mixed' : 'alternative'
  return [...headersOf(n), `Content-Type: multipart/${kind}; boundary="part"`, '', ...body].join('\r\n')
}

const STYLE =
  'font-family: Helvetica, Arial, sans-serif; font-size: 15px; line-height: 22px; padding: 0 0 12px'

const wordOf = (n: number, at: number) => WORDS[(n * 7 + at * 3) % WORDS.length] ?? ''

const sentence = (n: number, line: number) =>
  `About the ${wordOf(n, line)} we talked of the ${wordOf(n, line + 1)} and the ${wordOf(n, line + 2)}.`

const file = () => {
  const lines =
    Buffer.alloc(FILE_BYTES, 'a file ')
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  const head = 'Content-Type: application/pdf; name="offer.pdf"\r\nContent-Transfer-Encoding: base64'
  return `--part\r\n${head}\r\nContent-Disposition: attachment; filename="offer.pdf"\r\n\r\n${lines.join('\r\n')}`
}
