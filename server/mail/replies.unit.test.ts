import { describe, expect, it } from 'vitest'
import { newWords } from './replies.ts'

const text = (...lines: string[]) => lines.join('\n')

describe('newWords', () => {
  it.each([
    [
      'gmail',
      text(
        'Sure.',
        '',
        'On Tue, Mar 3, 2026 at 10:00 AM Anna Lee <anna@example.com> wrote:',
        '',
        '> Want it?',
        '> Anna',
      ),
    ],
    [
      'gmail, wrapped',
      text(
        'Sure.',
        '',
        'On Tue, Mar 3, 2026 at 10:00 AM Anna Lee Longname of Somewhere',
        '<anna@example.com> wrote:',
        '> Want it?',
      ),
    ],
    [
      'unmarked original',
      text('Sure.', '', 'On Mar 3, 2026, at 10:00, Anna <anna@example.com> wrote:', '', 'Want it?', 'Anna'),
    ],
    [
      'german',
      text(
        'Sure.',
        '',
        'Am Di., 3. März 2026 um 10:00 Uhr schrieb Anna <anna@example.com>:',
        '> Wollen Sie?',
      ),
    ],
    ['german, Thunderbird', text('Sure.', '', 'Am 03.03.2026 um 10:00 schrieb Anna:', '> Wollen Sie?')],
    [
      'french',
      text('Sure.', '', 'Le mar. 3 mars 2026 à 10:00, Anna <anna@example.com> a écrit :', '> Voulez-vous ?'),
    ],
    [
      'spanish',
      text('Sure.', '', 'El mar, 3 mar 2026 a las 10:00, Anna (<anna@example.com>) escribió:', '> ¿Quiere?'),
    ],
    [
      'italian',
      text(
        'Sure.',
        '',
        'Il giorno mar 3 mar 2026 alle ore 10:00 Anna <anna@example.com> ha scritto:',
        '> Vuole?',
      ),
    ],
    [
      'portuguese',
      text('Sure.', '', 'Em ter., 3 de mar. de 2026 às 10:00, Anna <anna@example.com> escreveu:', '> Quer?'),
    ],
    ['dutch', text('Sure.', '', 'Op di 3 mrt 2026 om 10:00 schreef Anna <anna@example.com>:', '> Wilt u?')],
    [
      'polish',
      text('Sure.', '', 'wt., 3 mar 2026 o 10:00 Anna <anna@example.com> napisał(a):', '> Chce Pan?'),
    ],
    [
      'swedish',
      text('Sure.', '', 'Den tis 3 mars 2026 kl 10:00 skrev Anna <anna@example.com>:', '> Vill du?'),
    ],
    ['russian', text('Sure.', '', 'вт, 3 мар. 2026 г. в 10:00, Anna <anna@example.com>:', '> Хотите?')],
    [
      'outlook',
      text(
        'Sure.',
        '',
        '________________________________',
        'From: Anna <anna@example.com>',
        'Sent: Tuesday, March 3, 2026 10:00 AM',
        'To: Bob',
        'Subject: Offer',
        '',
        'Want it?',
      ),
    ],
    [
      'outlook, german',
      text(
        'Sure.',
        '',
        'Von: Anna <anna@example.com>',
        'Gesendet: Dienstag, 3. März 2026 10:00',
        'An: Bob',
        'Betreff: Angebot',
        '',
        'Wollen Sie?',
      ),
    ],
    [
      'outlook, bold',
      text('Sure.', '', '*From:* Anna', '*Sent:* Tuesday', '*To:* Bob', '*Subject:* Offer', '', 'Want it?'),
    ],
    [
      'outlook, french',
      text(
        'Sure.',
        '',
        'De : Anna',
        'Envoyé : mardi 3 mars 2026',
        'À : Bob',
        'Objet : Offre',
        '',
        'Voulez-vous ?',
      ),
    ],
    ['original message', text('Sure.', '', '-----Original Message-----', 'From: Anna', 'Want it?')],
    ['forwarded', text('Sure.', '', '---------- Forwarded message ---------', 'From: Anna', 'Want it?')],
    ['signature', text('Sure.', '', '-- ', 'Bob', 'Director, Example Ltd.')],
    ['phone', text('Sure.', '', 'Sent from my iPhone')],
    [
      'phone, german',
      text(
        'Sure.',
        '',
        'Von meinem iPhone gesendet',
        '',
        'Am 03.03.2026 um 10:00 schrieb Anna <anna@example.com>:',
        '',
        '> Wollen Sie?',
      ),
    ],
    ['outlook app', text('Sure.', '', 'Get Outlook for iOS<https://aka.ms/o0ukef>')],
    ['crlf', 'Sure.\r\n\r\nOn Tue, 3 Mar 2026, Anna wrote:\r\n> Want it?\r\n'],
  ])('%s', (_, reply) => {
    expect(newWords(reply)).toBe('Sure.')
  })

  it('keeps answers between quotes', () => {
    expect(newWords(text('On Tue, 3 Mar 2026, Anna wrote:', '> One?', 'Yes.', '> Two?', 'No.'))).toBe(
      'Yes.\nNo.',
    )
  })

  it.each([
    'On Tuesday I wrote: nothing special.\nBye then',
    'From: here to there\nis a long way',
    'I spoke with Anna on Tuesday.\nShe wrote a letter.',
    'Sent from Berlin to Paris, the parcel takes three days, so please be patient with us while we are waiting for the customs to clear everything up.',
  ])('leaves %j alone', (words) => {
    expect(newWords(words)).toBe(words)
  })

  it('is never empty where there are words', () => {
    expect(newWords('> only a quote')).toBe('> only a quote')
    expect(newWords('-- \nBob')).toContain('Bob')
    expect(newWords('Regards,\nBob')).toContain('Bob')
    expect(newWords(' \n ')).toBe('')
  })

  it.each([
    'Op schreef '.repeat(20_000),
    `${'On at on at '.repeat(24)}\n`.repeat(600),
    `W dniu ${'x '.repeat(3_000)}`,
    'From: a\n'.repeat(20_000),
    '> '.repeat(90_000),
    ' '.repeat(150_000),
    `${'a on b at '.repeat(29)}\n`.repeat(27),
  ])('takes no long time over hostile text (%#)', (hostile) => {
    const start = performance.now()
    newWords(hostile)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
