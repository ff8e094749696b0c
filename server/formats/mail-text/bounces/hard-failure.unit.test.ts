import { describe, expect, it } from 'vitest'
import { isHardFailure } from './hard-failure.ts'

/** Status, and the far server's words. */
type Case = [status: string, words: string]

describe('gone for good', () => {
  it.each<Case>([
    ['5.0.0', "the address couldn't be found, or is unable to receive mail"],
    ['5.0.0', 'weil die Adresse nicht gefunden wurde oder keine E-Mails empfangen kann'],
    ['5.0.0', "car l'adresse est introuvable"],
    ['5.4.4', 'Name service error for name=gone.example type=MX: Host not found'],
    ['5.4.4', ''],
    ['5.0.0', 'all relevant MX records point to non-existent hosts'],
    ['5.0.0', '521 mx.example.org'],
    ['5.3.2', '521 5.3.2 Host does not accept mail'],
    ['5.1.10', '556 5.1.10 Recipient address has null MX'],
    ['5.1.0', 'Domain nomail.example does not accept mail (nullMX)'],
    ['5.0.0', 'an MX or SRV record indicated no SMTP service'],
    ['', '5.1.1'],
    ['', 'said: 550 #5.1.1'],
    ['5.0.0', '550 5.1.1 <bob@spam-house.example>: user unknown, see https://blocked.example/denied'],
    [
      '5.1.1',
      '550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown in relay recipient table',
    ],
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied. [AS(1)]'],
    ['5.0.0', 'Returned to sender: user unknown'],
    ['5.0.0', 'No such user. Please check the address and try again.'],
    ['5.0.0', 'This is not a temporary error: unknown user'],
    ['4.0.0', "DNS type 'mx' lookup of gone.example responded with code NXDOMAIN"],
    ['5.7.1', '550 5.7.1 No such user!'],
    ['5.0.0', 'Utente sconosciuto'],
    ['5.0.0', 'Usuario desconocido'],
    ['5.0.0', 'Nieznany użytkownik'],
    ['5.0.0', 'Неизвестный получатель'],
    ['5.0.0', '收件人不存在'],
  ])('%s %s', (status, words) => {
    expect(isHardFailure(status === '' ? undefined : status, words, '')).toBe(true)
  })
})

describe('not, or not for sure', () => {
  it.each<Case>([
    ['5.2.1', '550 5.2.1 Mailbox temporarily locked'],
    ['5.2.0', 'procmail: Lock failure on "/var/mail/bob.lock"'],
    ['5.2.1', '550 5.2.1 account locked'],
    ['5.2.1', '550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents'],
    ['5.2.1', 'The recipient is receiving mail too quickly. Please resend later.'],
    ['5.1.1', '550 5.1.1 Too many recipients this hour'],
    ['5.1.1', '550 User unknown? Domain has exceeded the max emails per hour'],
    ['5.7.1', '554 5.7.1 <bob@example.org>: Recipient address rejected: Access denied'],
    ['5.0.0', '554 <bob@example.org>: Recipient address rejected: Access denied'],
    ['5.1.1', '550 5.1.1 rejected by our policy'],
    ['5.1.1', '550 5.1.1 Message refused: spam'],
    ['5.0.0', '550 Requested action not taken: mailbox unavailable. Reject due to policy restrictions.'],
    ['5.2.2', '552 5.2.2 Mailbox full'],
    ['5.4.4', 'Host or domain name not found. Name service error: Host not found, try again'],
    ['5.4.4', 'Malformed or unexpected name server reply'],
    ['4.0.0', "DNS type 'mx' lookup of slow.example responded with code SERVFAIL"],
    ['4.1.1', 'User unknown'],
    ['5.0.0', '450 4.1.1 user unknown'],
    ['5.2.1', '521 5.2.1 example.org does not accept mail from 192.0.2.7'],
    ['5.0.0', '521 too many connections'],
    ['5.0.0', '550 <mx.example.net>: Helo command rejected: Host not found'],
    [
      '5.0.0',
      '550-Verification failed for <eva@shop.example> 550-No such user here 550 Sender verify failed',
    ],
    ['5.0.0', '550 Domain of sender address eva@shop.example does not exist'],
    ['5.1.1', 'Recipient address rejected: unverified address: Connection timed out'],
    ['5.0.0', '/home/bob/Maildir: directory does not exist'],
    ['5.0.0', '554 5.5.1 Error: no valid recipients'],
    ['5.1.0', ''],
    ['5.1.4', ''],
    ['5.0.0', ''],
    ['5.7.1', ''],
  ])('%s %s', (status, words) => {
    expect(isHardFailure(status, words, '')).toBe(false)
  })
})

it('looks at what stands around only where the words say nothing', () => {
  expect(isHardFailure('5.0.0', '', 'user unknown')).toBe(true)
  expect(isHardFailure('5.0.0', '550 mailbox full', 'user unknown')).toBe(false)
})
