import { describe, expect, it } from 'vitest'
import { newWords, ownWords } from './replies.ts'

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

  it('leaves a line of the sender’s own above an attribution alone', () => {
    const attribution = 'On Tue, 3 Mar 2026 at 10:00, Ada Muster <ada@x.example> wrote:'
    for (const own of ['We need 20 pieces', 'On Tuesday at 10:00 we can talk', 'Sure, 3 pm works', 'Thanks:'])
      expect(newWords(text(own, attribution, '> Want it?'))).toBe(own)
  })

  it.each([
    'Sent from my desk is only what you see, the rest comes by post.',
    'Sent from my phone is what you got yesterday.',
    'Gesendet von uns ist alles, was Sie sehen.',
    'Date: Thursday\nSubject: the new fence',
    'From: Berlin\nTo: Hamburg\nDate: Thursday',
    'Best regards to your team, and send us two more please?',
    'On Monday we wrote down:\n\n1. this\n2. that',
  ])('leaves the sentence %j alone', (words) => {
    expect(newWords(words)).toBe(words)
  })

  it.each([
    ['Date first', 'Date: 3 March 2026\nFrom: Ada\nTo: Bob\nSubject: Offer'],
    ['Subject first', 'Subject: Offer\nFrom: Ada <ada@x.example>\nDate: 3 March 2026'],
    ['with blank lines', 'Von: Ada\n\nDatum: 3.3.2026\n\nAn: Bob\n\nBetreff: Angebot'],
    [
      'a long list of recipients',
      'To: Bob <bob@x.example>,\n Cy <cy@x.example>\nDate: 3.3.2026\nFrom: Ada <ada@x.example>',
    ],
    ['two lines', 'From: Ada <ada@x.example>\nDate: 3.3.2026'],
    ['full-width colons', '发件人：Ada <ada@x.example>\n日期：2026年3月3日\n主题：Offer'],
  ])('a block of header lines ends the reply: %s', (_, block) => {
    expect(newWords(text('Sure.', '', block, '', 'Want it?'))).toBe('Sure.')
  })

  it('reads letters whose accents stand apart, and gives them back as they came', () => {
    const apart = 'Après-midi, à bientôt'.normalize('NFD')
    const attribution = 'Le 3 mars 2026 à 10:00, Zoé <zoe@x.example> a écrit :'.normalize('NFD')
    expect(newWords(text(apart, '', attribution, 'Voulez-vous ?'))).toBe(apart)
  })

  it.each([
    '* Ada Muster <ada@x.example> [2026-03-03 10:00]:',
    'Zitat von Ada Muster <ada@x.example>:',
    'Ada Muster, 3.3.2026 10:00:',
    'Le 3 mars 2026 à 10:00, Ada a écrit :',
    'На 3.03.26 г. в 10:00, Anna написа:',
    '2026. 03. 03. 10:00 keltezéssel, Anna írta:',
    'Vào 10:00 3/3/2026, Anna đã viết:',
    'Στις 3/3/2026 10:00 π.μ., ο/η Anna έγραψε:',
    'เมื่อ อ. 3 มี.ค. 2026 เวลา 10:00 Ada <ada@x.example> เขียนว่า:',
    'uto, 3. ožu 2026. u 10:00 Ada <ada@x.example> napisao je:',
    'Pada tanggal Sel, 3 Mar 2026 pukul 10.00 Ada <ada@x.example> menulis:',
  ])('the attribution %j goes with its quote', (attribution) => {
    expect(newWords(text('Sure.', '', attribution, '> Want it?'))).toBe('Sure.')
  })

  it.each([
    'Diese Nachricht wurde von meinem Android-Mobiltelefon gesendet.',
    'Sent from my mobile, please excuse typos.',
    'Envoyé à partir de Outlook pour Android',
    'Отправлено с iPhone',
    'Στάλθηκε από το iPhone μου',
    'iPhone’umdan gönderildi',
    'Được gửi từ iPhone của tôi',
    'iPhoneから送信',
    'נשלח מה-iPhone שלי',
    'أُرسلت من الـ iPhone',
  ])('the device line %j goes', (line) => {
    expect(newWords(text('Sure.', '', line))).toBe('Sure.')
  })

  it('keeps a postscript', () => {
    expect(newWords('Yes.\n\nViele Grüße aus Berlin\nBob\n\nPS: Call me')).toBe('Yes.\n\nPS: Call me')
    expect(newWords('Yes.\n\nKind regards, Bob Miller\nDirector')).toBe('Yes.')
  })

  it('shows the whole text where the sender has said nothing', () => {
    const empty = 'On Tue, 3 Mar 2026, Anna <anna@x.example> wrote:\n> Shall I stop?'
    expect(newWords(empty)).toBe(empty)
    expect(ownWords(empty)).toBe('')
  })

  it('is never empty where there are words', () => {
    expect(newWords('> only a quote')).toBe('> only a quote')
    expect(newWords('-- \nBob')).toContain('Bob')
    expect(newWords('Regards,\nBob')).toContain('Bob')
    expect(newWords(' \n ')).toBe('')
  })
})

describe('a text that is longer than is read', () => {
  const LONG = 'A line of words that somebody wrote himself.\n'.repeat(6000)

  it('is the words of its sender to its end', () => {
    expect(newWords(LONG)).toBe(LONG.trim())
    expect(newWords('word '.repeat(60_000))).toBe('word '.repeat(60_000).trim())
  })

  it('has no more of them below the mail that is answered', () => {
    const original = '\n\nOn Tue, 3 Mar 2026, Anna wrote:\n'
    const separator = '\n\n-----Original Message-----\nFrom: Anna <anna@x.example>\nSubject: Boxes\n\n'
    expect(newWords(`Sure.${separator}${LONG}`)).toBe('Sure.')
    expect(newWords(`Sure.${original}${LONG.replaceAll(/^(?=A)/gm, '> ')}`)).toBe('Sure.')
  })
})
