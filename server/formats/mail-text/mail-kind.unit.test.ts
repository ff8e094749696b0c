import { describe, expect, it } from 'vitest'
import { mailKind } from './mail-kind.ts'
import { parseMail } from './parse.ts'

async function kindOf(headers: string[], text = 'Hello') {
  return mailKind(await parseMail(Buffer.from([...headers, '', text].join('\r\n'))))
}
const person = 'From: Bob <bob@example.org>'

describe('personal', () => {
  it.each([
    [[person, 'Subject: Re: Offer']],
    [[person, 'Subject: Re: Out of office until Monday']],
    [[person, 'Subject: Re: Undelivered Mail Returned to Sender']],
    [[person, 'Subject: Delivery problem with my parcel']],
    [[person, 'Subject: Offer', 'Auto-Submitted: no']],
    [[person, 'Subject: Offer', 'X-Auto-Response-Suppress: All']],
    [[person, 'Subject: Offer', 'List-Unsubscribe: <https://example.org/u>']],
    [[person, 'Subject: Re: Offer', 'List-Unsubscribe: <https://crm.example/u>', 'References: <ours@here>']],
    [[person, 'Subject: unsubscribe']],
    [['From: Postmaster <postmaster@example.org>', 'Subject: Our talk']],
    [['Subject: x']],
  ])('%j', async (headers) => {
    expect(await kindOf(headers)).toBe('personal')
  })
})

describe('automatic', () => {
  it.each([
    ['Auto-Submitted: auto-replied'],
    ['X-Autoreply: yes'],
    ['X-Autorespond: Re: x'],
    ['Precedence: auto_reply'],
    ['Subject: Automatic reply: Offer'],
    ['Subject: Out of Office: Offer'],
    ['Subject: Automatische Antwort: Angebot'],
    ['Subject: Abwesenheitsnotiz'],
    ['Subject: Réponse automatique : Offre'],
    ['Subject: Respuesta automática: Oferta'],
    ['Subject: Risposta automatica: Offerta'],
    ['Subject: Automatisch antwoord: Aanbod'],
    ['Subject: Resposta automática: Oferta'],
    ['Subject: Autosvar: Tilbud'],
    ['Subject: Automatiskt svar: Erbjudande'],
    ['Subject: Odpowiedź automatyczna: Oferta'],
    ['Subject: Автоматический ответ: Предложение'],
    ['Subject: 自動応答: オファー'],
    ['Subject: 自动答复: 报价'],
    ['Subject: Automaattinen vastaus: Tarjous'],
    ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b'],
  ])('%s', async (header) => {
    expect(await kindOf([person, header])).toBe('automatic')
  })

  it('out-of-office text of a machine that wants no answer', async () => {
    expect(
      await kindOf(
        [person, 'Subject: Offer', 'X-Auto-Response-Suppress: All'],
        'I am out of the office until Monday.',
      ),
    ).toBe('automatic')
    expect(await kindOf([person, 'Subject: Offer', 'Return-Path: <>'], 'Ich bin nicht im Büro.')).toBe(
      'automatic',
    )
  })
})

it.each([
  [['From: MAILER-DAEMON@example.org', 'In-Reply-To: <ours@here>', 'Subject: Maintenance tonight']],
  [['From: "Mail Delivery System" <mail@example.org>', 'Subject: News of your mailbox']],
  [['From: majordomo@lists.example.org', 'Subject: Majordomo results']],
  [[person, 'Subject: unsubscribe']],
])('a machine that says so by its name: %j', async (headers) => {
  expect(await kindOf(headers, '')).toBe('automatic')
})

describe('list', () => {
  it.each([
    [['List-Id: <news.example.org>']],
    [['Mailing-List: contact news-help@example.org; run by ezmlm', 'References: <ours@here>']],
    [['List-Help: <mailto:help@example.org>', 'References: <ours@here>']],
    [['Precedence: list']],
    [['List-Unsubscribe: <https://example.org/u>', 'Precedence: bulk']],
    [['List-Unsubscribe: <https://example.org/u>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click']],
  ])('%j', async (headers) => {
    expect(await kindOf([person, ...headers])).toBe('list')
  })
})

it('report and complaint come first', async () => {
  expect(
    await kindOf(
      ['From: MAILER-DAEMON@example.org', 'Subject: failure notice', 'Auto-Submitted: auto-replied'],
      '<a@example.com>:\r\nUser unknown',
    ),
  ).toBe('report')
  expect(
    await kindOf(
      [
        'From: fbl@example.org',
        'Auto-Submitted: auto-generated',
        'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      ],
      '--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n--b--',
    ),
  ).toBe('complaint')
})
