import { Temporal } from 'temporal-polyfill'
import { PHRASES, type Voice } from '../briefs/briefs.ts'
import type { MailLanguage } from '#contract/outreach/briefs.ts'

/** What a follow-up is written from. */
export type FollowUpFacts = {
  /** First name of the recipient; may be empty. */
  name: string
  /** What stands below the text: the closing and who writes. */
  closing: string
  voice: Voice
  /** The mail that was not answered. */
  subject: string
  /** When it left, and where the user is. */
  sentAt: Date
  zone: string
  /** Which one it is: 1 to 3. */
  number: number
}

/** A follow-up when no language model wrote one: each has its own words, and is shorter than the one before. */
export function followUpText({ name, closing, voice, subject, sentAt, zone, number }: FollowUpFacts): string {
  const { language, tone } = voice
  const say = FOLLOW_UP_PHRASES[language]
  const day = dayIn(say.locale, sentAt, zone)
  const body = number === 1 ? say.first({ subject, day }) : number === 2 ? say.second : say.third
  return [PHRASES[language].greeting[tone](name), body, closing].join('\n\n')
}

/** "3 November". */
function dayIn(locale: string, at: Date, timeZone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return day.toLocaleString(locale, { day: 'numeric', month: 'long' })
}

/** What follow-ups of the template say, in one language. The lines begin after a greeting. */
type FollowUpPhrases = {
  /** For the names of months. */
  locale: string
  /** `subject` may be ''; `day` is a day as the locale writes it. */
  first: (mail: { subject: string; day: string }) => string
  second: string
  third: string
}

const within = (open: string, subject: string, close: string) =>
  subject === '' ? '' : ` ${open}${subject}${close}`

export const FOLLOW_UP_PHRASES: Record<MailLanguage, FollowUpPhrases> = {
  en: {
    locale: 'en-GB',
    first: ({ subject, day }) =>
      `I wanted to come back to my mail${within('“', subject, '”')} of ${day}. I know how full an inbox gets, so I hope that it is all right to ask again.\n\nIs this of interest to you? A short “yes” or “not now” is enough, and I will act on it.`,
    second:
      'a short question about my last mail: is the time just not right? Tell me when it suits you better, or who else I should ask, and I will do that.',
    third: 'this is the last time that I ask. Should it be of interest later, just answer this mail.',
  },
  de: {
    locale: 'de',
    first: ({ subject, day }) =>
      `ich möchte auf meine E-Mail${within('„', subject, '“')} vom ${day} zurückkommen. Ich weiß, wie schnell ein Postfach voll wird, und hoffe, dass ich noch einmal fragen darf.\n\nIst das für Sie interessant? Ein kurzes „Ja“ oder „Jetzt nicht“ genügt, und ich richte mich danach.`,
    second:
      'eine kurze Frage zu meiner letzten E-Mail: Passt es gerade nicht? Sagen Sie mir, wann es besser passt oder wen ich sonst fragen soll. Ich richte mich gern danach.',
    third:
      'dies ist das letzte Mal, dass ich frage. Sollte es später interessant werden, antworten Sie einfach auf diese E-Mail.',
  },
  fr: {
    locale: 'fr',
    first: ({ subject, day }) =>
      `je me permets de revenir sur mon e-mail${within('« ', subject, ' »')} du ${day.replace(/^1 /, '1er ')}. Je sais à quelle vitesse une boîte de réception se remplit, et j’espère que vous ne m’en voudrez pas de reposer la question.\n\nEst-ce que cela vous intéresse ? Un simple « oui » ou « pas maintenant » suffit, et j’en tiendrai compte.`,
    second:
      'une petite question à propos de mon dernier e-mail : le moment est-il mal choisi ? Dites-moi quand cela vous conviendrait mieux, ou à qui m’adresser, et je le ferai.',
    third:
      'c’est la dernière fois que je vous pose la question. Si cela vous intéresse plus tard, répondez simplement à cet e-mail.',
  },
  es: {
    locale: 'es',
    first: ({ subject, day }) =>
      `quería retomar mi correo${within('«', subject, '»')} del ${day}. Sé lo rápido que se llena una bandeja de entrada, y espero que no le moleste que vuelva a preguntar.\n\n¿Le interesa? Un breve «sí» o «ahora no» es suficiente, y lo tendré en cuenta.`,
    second:
      'una breve pregunta sobre mi último correo: ¿no es buen momento? Dígame cuándo le vendría mejor, o a quién debería preguntar, y así lo haré.',
    third:
      'esta es la última vez que pregunto. Si le interesa más adelante, basta con responder a este correo.',
  },
  it: {
    locale: 'it',
    first: ({ subject, day }) =>
      `Le riscrivo in merito alla mia e-mail${within('«', subject, '»')} ${/^(?:8|11) /.test(day) ? 'dell’' : 'del '}${day}. So quanto in fretta si riempie una casella di posta, e spero di poter chiedere ancora una volta.\n\nPuò interessarLe? Basta un breve «sì» o «non ora», e mi regolerò di conseguenza.`,
    second:
      'una breve domanda sulla mia ultima e-mail: non è il momento giusto? Mi dica quando Le andrebbe meglio, o a chi altro dovrei chiedere, e lo farò.',
    third:
      'è l’ultima volta che chiedo. Se più avanti dovesse interessarLe, basta rispondere a questa e-mail.',
  },
  nl: {
    locale: 'nl',
    first: ({ subject, day }) =>
      `ik kom graag terug op mijn e-mail${within('‘', subject, '’')} van ${day}. Ik weet hoe snel een inbox vol raakt, dus ik hoop dat ik het nog een keer mag vragen.\n\nIs dit iets voor u? Een kort ‘ja’ of ‘nu niet’ is genoeg, dan houd ik daar rekening mee.`,
    second:
      'een korte vraag over mijn laatste e-mail: komt het nu niet goed uit? Laat me weten wanneer het beter past, of wie ik anders kan vragen, dan doe ik dat.',
    third:
      'dit is de laatste keer dat ik het vraag. Mocht het later toch interessant zijn, antwoord dan gewoon op deze e-mail.',
  },
}
