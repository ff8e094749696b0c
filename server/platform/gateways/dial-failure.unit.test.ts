import { expect, it } from 'vitest'
import { dialWords } from './dial-failure.ts'

it('gives the reason of a failed encryption, not the source location', () => {
  const said =
    '407D6514CC7F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/ssl/record/methods/tlsany_meth.c:77:'
  expect(dialWords(Object.assign(new Error(said), { code: 'EPROTO' }))).toBe('wrong version number')
  expect(dialWords(new Error(`write EPROTO ${said}\n`))).toBe('write EPROTO wrong version number')
  expect(dialWords(new Error('error: it is 12:30:15'))).toBe('error: it is 12:30:15')
})

it('does not disclose the names in a foreign certificate', () => {
  const said =
    "Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:inner"
  expect(dialWords(Object.assign(new Error(said), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }))).toBe(
    'the certificate is for another name',
  )
})
