import { expect, it } from 'vitest'
import { classifyReply } from './intents.ts'
import type { Intent } from './intents.ts'

it.each<[Intent, string[]]>([
  [
    'interested',
    [
      'Sounds great, tell me more!',
      'We are interested.',
      'Yes please, send me the details.',
      'Das klingt interessant, gerne mehr Infos.',
      'Cela nous intéresse.',
      'Me interesa mucho.',
      "I'd love to learn more.",
    ],
  ],
  [
    'not_interested',
    [
      'Not interested, thanks.',
      "We're not interested at the moment.",
      'I am not really interested in this.',
      'No thanks.',
      'Kein Interesse.',
      'Nein danke, wir haben kein Interesse.',
      'Non merci.',
      'No, gracias.',
      "We'll pass.",
      'Thanks, but we already have a supplier.',
      'Sounds interesting, but not for us.',
    ],
  ],
  [
    'meeting_request',
    [
      "Let's schedule a call next week.",
      'Can we meet on Tuesday?',
      'Are you free tomorrow at 3pm?',
      'Could you send me your availability?',
      'Können wir einen Termin vereinbaren?',
      'https://calendly.com/bob/30min',
      'Podemos agendar una llamada?',
    ],
  ],
  [
    'question',
    [
      'How much does it cost?',
      'Do you ship to France?',
      'Was kostet das?',
      'I was wondering if it works on a Mac.',
    ],
  ],
  [
    'out_of_office',
    [
      'I am out of the office until Monday.',
      "Hello, I'm currently on annual leave.",
      'Ich bin derzeit nicht im Büro.',
      'Je suis actuellement en congés.',
      'Estoy fuera de la oficina.',
    ],
  ],
  [
    'unsubscribe',
    [
      'Unsubscribe',
      'STOP',
      'Please remove me from your list.',
      'Stop emailing me!',
      "Don't contact me again. Not interested.",
      'Take me off this list',
      'Bitte keine weiteren E-Mails mehr.',
      'Désabonnez-moi.',
      'Quiero darme de baja.',
    ],
  ],
  [
    'other',
    [
      'Thanks.',
      'Received.',
      'Ok',
      '',
      'My colleague Tom takes care of that, he is copied.',
      'We cannot stop thinking about lunch.',
    ],
  ],
])('%s', (intent, replies) => {
  for (const reply of replies) expect([reply, classifyReply(reply)]).toEqual([reply, intent])
})

it('reads the new words only', () => {
  expect(
    classifyReply(
      'Sounds good!\n\nOn Tue, 3 Mar 2026, Anna <a@example.com> wrote:\n> Reply STOP to unsubscribe. Do you want a call?',
    ),
  ).toBe('interested')
  expect(classifyReply('Thanks.\nhttps://example.com/unsubscribe?u=1')).toBe('other')
})
