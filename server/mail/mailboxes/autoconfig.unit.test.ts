import { expect, test } from 'vitest'
import { readAutoconfig } from './autoconfig.ts'

const description = (servers: string, root = 'clientConfig') => `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<${root} version="1.1">
  <emailProvider id="example.org">
    <domain>example.org</domain>
    <displayName>Example &amp; Sons Mail</displayName>
    ${servers}
  </emailProvider>
</${root}>`

const server = (
  kind: string,
  type: string,
  host: string,
  port: number,
  socket: string,
  user = '%EMAILADDRESS%',
) =>
  `<${kind} type="${type}"><hostname>${host}</hostname><port>${port}</port><socketType>${socket}</socketType>
   <username>${user}</username><authentication>password-cleartext</authentication></${kind}>`

const outgoing = (host: string, port: number, socket: string, user?: string) =>
  server('outgoingServer', 'smtp', host, port, socket, user)
const incoming = (host: string, port: number, socket: string, type = 'imap') =>
  server('incomingServer', type, host, port, socket)

test('prefers servers that are encrypted from the first byte, and IMAP to POP', () => {
  const xml = description(
    incoming('pop.example.org', 995, 'SSL', 'pop3') +
      incoming('imap.example.org', 143, 'STARTTLS') +
      incoming('imap.%EMAILDOMAIN%', 993, 'SSL') +
      outgoing('smtp.example.org', 587, 'STARTTLS', '%EMAILLOCALPART%') +
      outgoing('SMTP.example.org', 465, 'SSL', '%EMAILLOCALPART%'),
  )
  expect(readAutoconfig(xml, 'ada@example.org')).toEqual({
    source: 'autoconfig',
    provider: 'Example & Sons Mail',
    hint: null,
    smtp_host: 'smtp.example.org',
    smtp_port: 465,
    smtp_use_tls: true,
    imap_host: 'imap.example.org',
    imap_port: 993,
    imap_use_ssl: true,
    username: 'ada',
  })
})

test('proposes no server without encryption or without a valid host', () => {
  const plain = description(
    outgoing('smtp.example.org', 25, 'plain') + incoming('imap.example.org', 143, 'plain'),
  )
  expect(readAutoconfig(plain, 'ada@example.org')).toBeNull()
  const odd = description(outgoing('smtp.example.org/x', 465, 'SSL') + outgoing('localhost', 465, 'SSL'))
  expect(readAutoconfig(odd, 'ada@example.org')).toBeNull()
  const noImap = description(
    outgoing('smtp.example.org', 587, 'STARTTLS') + incoming('i.example.org', 143, 'plain'),
  )
  expect(readAutoconfig(noImap, 'ada@example.org')).toMatchObject({
    smtp_port: 587,
    imap_host: null,
    imap_port: null,
  })
})

test.each([
  ['a web page', '<!doctype html><html><body>Not found</body></html>'],
  ['broken XML', '<clientConfig><emailProvider>'],
  ['another document', description(outgoing('smtp.example.org', 465, 'SSL'), 'config')],
  [
    'entities that grow',
    '<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><clientConfig>&y;</clientConfig>',
  ],
  ['deep nesting', '<a>'.repeat(5000) + '</a>'.repeat(5000)],
  ['nothing', ''],
])('ignores %s', (_, xml) => {
  expect(readAutoconfig(xml, 'ada@example.org')).toBeNull()
})
