import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Intent } from '#contract/mail/email.ts'
import type { Phrases } from './phrases/phrases.ts'
import { classifyReply } from './intents.ts'

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

/** The same wishes in the languages whose rules docs/mail.md lists, with their denials. */
it.each<[Intent, string[]]>([
  [
    'meeting_request',
    [
      'May we meet next week?',
      'May we meet on Tuesday to discuss this',
      'When could we meet?',
      'Thursday at 3 pm works for me.',
      'I would like to meet you.',
      'Können wir uns am Dienstag treffen?',
      'Passt Ihnen Mittwoch um 10?',
      'Dürfen wir uns nächste Woche kurz sprechen?',
      'Puis-je vous appeler demain ?',
      'Serait-il possible de se rencontrer ?',
      'On peut se voir jeudi ?',
      '¿Podemos vernos el martes?',
      '¿Cuándo le va bien?',
      'Possiamo vederci martedì?',
      'Podemos falar na quinta-feira?',
      'Kunnen we elkaar volgende week spreken?',
      'Kan vi träffas nästa vecka?',
      'Kan vi mødes på tirsdag?',
      'Kan vi møtes på tirsdag?',
      'Możemy się spotkać we wtorek?',
      'Можем встретиться во вторник?',
      'Давайте встретимся на следующей неделе.',
    ],
  ],
  [
    'not_interested',
    [
      'Not now, ask again in spring.',
      'Please ask again in spring.',
      'Not at this point, but get back to me next year.',
      'No need at present.',
      'Jetzt nicht, fragen Sie im Frühjahr noch einmal.',
      'Melden Sie sich gerne im Herbst wieder.',
      'Kein Interesse',
      'Das interessiert uns nicht.',
      'Wir brauchen das nicht.',
      'Pas intéressé',
      'Je ne suis pas intéressé.',
      "Ça ne m'intéresse pas.",
      'Pas maintenant, redemandez au printemps.',
      'Cela ne nous intéresse pas.',
      "Nous n'avons pas besoin de cela.",
      'No me interesa.',
      'Ahora no, pregunte de nuevo en primavera.',
      'No estamos interesados.',
      'Non ci interessa.',
      'Non ora, ricontattateci in primavera.',
      'Non sono interessato.',
      'Não estou interessado.',
      'Agora não, volte a contactar na primavera.',
      'Não temos interesse.',
      'Niet geïnteresseerd.',
      'Nu niet, vraag het in het voorjaar nog eens.',
      'Geen behoefte aan.',
      'Inte intresserad.',
      'Inte nu, fråga igen till våren.',
      'Ikke nu, spørg igen til foråret.',
      'Ikke interessert.',
      'Ikke nå, spør igjen til våren.',
      'Nie jestem zainteresowany.',
      'Nie teraz, proszę zapytać wiosną.',
      'To mnie nie interesuje.',
      'Не интересно.',
      'Мне не интересно, спасибо.',
      'Не сейчас, спросите весной.',
      'Нам это не нужно.',
      'Nous ne sommes pas intéressés pour le moment.',
      'Thanks, we are all set.',
    ],
  ],
  [
    'interested',
    [
      'Je suis intéressé',
      'Je suis intéressée.',
      "Ça m'intéresse",
      'Ça m’intéresse beaucoup !',
      'Cela nous intéresse.',
      'Je serais intéressé',
      'Nous sommes très intéressés.',
      'Das interessiert mich.',
      'Wir wären interessiert.',
      'Ich habe Interesse.',
      'Estoy interesada.',
      'Sono interessato.',
      'Mi interessa.',
      'Estou interessado',
      'Tenho interesse.',
      'Ik ben geïnteresseerd.',
      'Jag är intresserad.',
      'Jeg er interesseret.',
      'Jeg er interessert.',
      'Jestem zainteresowany.',
      'Мне интересно.',
      'Меня это интересует, пришлите прайс.',
      'My colleague and I are interested.',
      'Not uninterested, send me more details.',
      "I don't want to miss this, send me the price list.",
    ],
  ],
  [
    'other',
    [
      'My colleague handles this.',
      'My colleague Tom takes care of that, he is copied.',
      'I am not the right person, my colleague Anna handles this: anna@x.example',
      'Please contact my colleague Tom.',
      'I have forwarded your mail to our head of sales.',
      'Mein Kollege kümmert sich darum.',
      'Dafür bin ich nicht zuständig, das macht meine Kollegin Frau Weber.',
      'Bitte wenden Sie sich an meinen Kollegen.',
      'Ich habe Ihre Mail an den Vertrieb weitergeleitet.',
      "Mon collègue s'en occupe.",
      "C'est mon collègue qui s'en occupe.",
      "J'ai transmis votre message.",
      'Mi compañero se encarga de esto.',
      'Se ne occupa il mio collega.',
      'O meu colega trata disso.',
      'Mijn collega gaat hierover.',
      'Min kollega har hand om detta.',
      'Min kollega tager sig af det.',
      'Min kollega tar seg av dette.',
      'Zajmuje się tym mój kolega.',
      'Этим занимается мой коллега.',
      'Thanks, I will read it.',
      'Danke, ich melde mich.',
      'Merci, je reviens vers vous.',
      'Bitte um etwas Geduld.',
      'Der Anhang fehlt.',
      'Vielen Dank für Ihre Nachricht.',
    ],
  ],
  [
    'question',
    [
      'How much is it?',
      'Was kostet es?',
      'Combien ça coûte ?',
      'My colleague handles the contract. How much does it cost?',
      'Πόσο κοστίζει;',
      'Ile to kosztuje?',
      'Сколько стоит?',
      'I never stop learning. How does it work?',
    ],
  ],
  [
    'unsubscribe',
    [
      'Unsubscribe me please',
      'Bitte melden Sie mich ab.',
      'Schreiben Sie mir nicht mehr.',
      "Ne m'écrivez plus.",
      'Désinscrivez-moi',
      'No me escriban más.',
      'Non scrivetemi più.',
      'Não me envie mais e-mails.',
      'Stuur mij geen mails meer.',
      'Sluta skicka mail.',
      'Skriv ikke til mig mere.',
      'Proszę mnie wypisać z listy.',
      'Не пишите мне больше.',
      'Cancellatemi dalla lista',
      'Stopp',
    ],
  ],
  [
    'out_of_office',
    [
      "Je suis en vacances jusqu'au 3.",
      'Sono in ferie fino a lunedì.',
      'Estou de férias.',
      'Ik ben met vakantie.',
      'Jag är på semester.',
      'Jestem na urlopie.',
      'Я в отпуске до 3 марта.',
    ],
  ],
])('%s, in every language', (intent, replies) => {
  for (const reply of replies) {
    expect([reply, classifyReply(reply)]).toEqual([reply, intent])
    const apart = reply.normalize('NFD')
    expect([apart, classifyReply(apart)]).toEqual([apart, intent])
    // Whoever shouts says the same; a ß has no capital that comes back.
    const loud = reply.replace(/[^ß]+/g, (letters) => letters.toUpperCase())
    expect([loud, classifyReply(loud)]).toEqual([loud, intent])
  }
})

it('knows no phrase with a capital: what is written is asked for in lower case', async () => {
  const folder = path.join(import.meta.dirname, 'phrases')
  const files = readdirSync(folder).filter((file) => file !== 'phrases.ts')
  expect(files.length).toBeGreaterThanOrEqual(10)
  for (const file of files) {
    const languages = Object.values((await import(path.join(folder, file))) as Record<string, Phrases>)
    const letters = languages
      .flatMap((phrases) => Object.values(phrases).flat())
      .map((phrase) => phrase.replace(/\\p\{\w+\}|\\\w/g, ''))
    expect([file, letters.filter((phrase) => phrase !== phrase.toLowerCase())]).toEqual([file, []])
  }
})

it.each<[Intent, string[]]>([
  [
    'not_interested',
    [
      'We have decided to go with somebody else.',
      'We went with another supplier in the end.',
      'I am afraid we have chosen a different company.',
      'We decided to stay with our current caterer.',
      'We have decided against it.',
      'In the end we opted for someone else.',
      'Please do not take this personally, but this is nothing for us.',
      "It's nothing for me, I'm afraid.",
    ],
  ],
  [
    'out_of_office',
    [
      'Our office is closed until 2 January.',
      'The shop will be closed from Monday to Friday.',
      'Our offices are closed over the holidays.',
      'I am currently travelling and will reply when I return.',
      "I'm traveling this week with limited access to email.",
    ],
  ],
  // What looks like it and is not.
  [
    'interested',
    [
      'We have decided to go with you. Please send the contract.',
      'Sounds good, there is nothing for us to add.',
    ],
  ],
  [
    'question',
    [
      'Is your shop closed until Monday?',
      'Are you travelling this week?',
      'We have not decided to go with somebody else. What does it cost?',
    ],
  ],
  [
    'other',
    [
      'Our shop is closed on Mondays.',
      'I am travelling to Berlin tomorrow.',
      'I have nothing for you today.',
      'We have not gone with anyone else.',
    ],
  ],
])('%s, or only nearly', (intent, replies) => {
  for (const reply of replies) expect([reply, classifyReply(reply)]).toEqual([reply, intent])
})

it('takes no wish from the quote of a mail that says nothing itself', () => {
  expect(classifyReply('> Do you want a call?\n> Write "unsubscribe" to stop.')).toBe('other')
})

it('reads the new words only', () => {
  expect(
    classifyReply(
      'Sounds good!\n\nOn Tue, 3 Mar 2026, Anna <a@example.com> wrote:\n> Reply STOP to unsubscribe. Do you want a call?',
    ),
  ).toBe('interested')
  expect(classifyReply('Thanks.\nhttps://example.com/unsubscribe?u=1')).toBe('other')
})
