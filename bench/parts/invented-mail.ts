const WORDS =
  'offer meeting budget delivery question contract invoice sample harvest vineyard workshop schedule'.split(
    ' ',
  )
const START = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

/** The n-th of many small mails: every third has an HTML part, every fifth answers the one before it. */
export function inventedMail(n: number): string {
  const word = (at: number) => WORDS[(n * 7 + at * 3) % WORDS.length] ?? ''
  const text = Array.from(
    { length: 8 },
    (_, line) => `About the ${word(line)} we talked of the ${word(line + 1)} and the ${word(line + 2)}.`,
  ).join('\r\n')
  const headers = [
    `From: "Person ${n % 500}" <person${n % 500}@customer.example>`,
    'To: Ada Muster <ada@muster.example>',
    `Subject: ${n % 5 === 4 ? 'Re: ' : ''}The ${word(0)} and the ${word(1)} ${n - (n % 5)}`,
    `Message-ID: <invented-${n}@customer.example>`,
    ...(n % 5 === 4 ? [`In-Reply-To: <invented-${n - 1}@customer.example>`] : []),
    `Date: ${new Date(START + n * HOUR_MS).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
  ]
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
