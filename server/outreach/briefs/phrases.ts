import type { MailLanguage, Tone } from '#contract/outreach/briefs.ts'

/** What Howl says of itself in a user's mails, in one language; everything else are the user's own words. */
type Phrases = {
  /** The line of greeting with its mark; without a name where none is certain, or the tone wants none. */
  greeting: Record<Tone, (name: string) => string>
  introduction: (me: { name: string; role: string; company: string }) => string
  /** Why this reader; '' where nothing is known. */
  occasion: (to: { company: string; position: string }) => string
  audience: (words: string) => string
  /** The question where the user has none. */
  ask: string
  closing: Record<Tone, string>
  subject: (of: { name: string; company: string; mine: string }) => string
  /** Before the link to unsubscribe with. */
  optOut: string
}

const named =
  (word: string, without: string, mark = ',') =>
  (name: string) =>
    name === '' ? `${without}${mark}` : `${word} ${name}${mark}`
const always = (line: string) => () => line

export const PHRASES: Record<MailLanguage, Phrases> = {
  en: {
    greeting: {
      friendly: named('Hi', 'Hello'),
      plain: named('Hello', 'Hello'),
      formal: named('Dear', 'Good day'),
    },
    introduction: ({ name, role, company }) =>
      company === ''
        ? `my name is ${name}.`
        : role === ''
          ? `my name is ${name}, I write to you from ${company}.`
          : `my name is ${name}, ${role} at ${company}.`,
    occasion: ({ company, position }) =>
      position !== ''
        ? `I am getting in touch because of your work as ${position}${company === '' ? '' : ` at ${company}`}.`
        : company === ''
          ? ''
          : `I am getting in touch because what we do may be of use to ${company}.`,
    audience: (words) => `It is for ${words}`,
    ask: 'Would you have fifteen minutes this week or next for a short call?',
    closing: { friendly: 'Best wishes,', plain: 'Kind regards,', formal: 'Yours sincerely,' },
    subject: ({ name, company, mine }) =>
      company !== '' && mine !== ''
        ? `${company} and ${mine}`
        : company !== ''
          ? `A question about ${company}`
          : name === ''
            ? 'A short question'
            : `${name}, a short question`,
    optOut: 'You do not want such mail?',
  },
  de: {
    greeting: {
      friendly: named('Hallo', 'Hallo'),
      plain: named('Guten Tag', 'Guten Tag'),
      formal: always('Guten Tag,'),
    },
    introduction: ({ name, role, company }) =>
      company === ''
        ? `mein Name ist ${name}.`
        : role === ''
          ? `mein Name ist ${name}, ich schreibe Ihnen von ${company}.`
          : `mein Name ist ${name}, ${role} bei ${company}.`,
    occasion: ({ company, position }) =>
      position !== ''
        ? `Ich melde mich wegen Ihrer Arbeit als ${position}${company === '' ? '' : ` bei ${company}`}.`
        : company === ''
          ? ''
          : `Ich melde mich, weil unser Angebot zu ${company} passen könnte.`,
    audience: (words) => `Gedacht ist das für ${words}`,
    ask: 'Hätten Sie diese oder nächste Woche eine Viertelstunde für ein kurzes Gespräch?',
    closing: { friendly: 'Viele Grüße', plain: 'Freundliche Grüße', formal: 'Mit freundlichen Grüßen' },
    subject: ({ name, company, mine }) =>
      company !== '' && mine !== ''
        ? `${company} und ${mine}`
        : company !== ''
          ? `Eine Frage zu ${company}`
          : name === ''
            ? 'Eine kurze Frage'
            : `${name}, eine kurze Frage`,
    optOut: 'Sie möchten keine solchen E-Mails?',
  },
  fr: {
    greeting: {
      friendly: named('Bonjour', 'Bonjour'),
      plain: named('Bonjour', 'Bonjour'),
      formal: always('Bonjour,'),
    },
    introduction: ({ name, role, company }) =>
      company === ''
        ? `je m’appelle ${name}.`
        : role === ''
          ? `je m’appelle ${name} et je vous écris de la part de ${company}.`
          : `je m’appelle ${name}, ${role} chez ${company}.`,
    occasion: ({ company, position }) =>
      position !== ''
        ? `Je vous écris en raison de votre travail : ${position}${company === '' ? '' : `, ${company}`}.`
        : company === ''
          ? ''
          : `Je vous écris parce que ce que nous proposons pourrait convenir à ${company}.`,
    audience: (words) => `Cela s’adresse à ${words}`,
    ask: 'Auriez-vous un quart d’heure cette semaine ou la suivante pour un court échange ?',
    closing: { friendly: 'Bien à vous,', plain: 'Cordialement,', formal: 'Sincères salutations,' },
    subject: ({ name, company, mine }) =>
      company !== '' && mine !== ''
        ? `${company} et ${mine}`
        : company !== ''
          ? `Une question sur ${company}`
          : name === ''
            ? 'Une petite question'
            : `${name}, une petite question`,
    optOut: 'Vous ne souhaitez pas recevoir ce type d’e-mail ?',
  },
  es: {
    greeting: {
      friendly: named('Hola', 'Hola'),
      plain: named('Buenos días,', 'Buenos días'),
      formal: always('Buenos días,'),
    },
    introduction: ({ name, role, company }) =>
      company === ''
        ? `me llamo ${name}.`
        : role === ''
          ? `me llamo ${name} y le escribo de parte de ${company}.`
          : `me llamo ${name}, ${role} en ${company}.`,
    occasion: ({ company, position }) =>
      position !== ''
        ? `Le escribo por su trabajo como ${position}${company === '' ? '' : ` en ${company}`}.`
        : company === ''
          ? ''
          : `Le escribo porque lo que ofrecemos podría ser útil para ${company}.`,
    audience: (words) => `Está pensado para ${words}`,
    ask: '¿Tendría un cuarto de hora esta semana o la próxima para una breve llamada?',
    closing: { friendly: 'Un saludo,', plain: 'Saludos cordiales,', formal: 'Atentamente,' },
    subject: ({ name, company, mine }) =>
      company !== '' && mine !== ''
        ? `${company} y ${mine}`
        : company !== ''
          ? `Una pregunta sobre ${company}`
          : name === ''
            ? 'Una breve pregunta'
            : `${name}, una breve pregunta`,
    optOut: '¿No desea recibir correos como este?',
  },
  it: {
    greeting: {
      friendly: named('Buongiorno', 'Buongiorno'),
      plain: named('Buongiorno', 'Buongiorno'),
      formal: always('Buongiorno,'),
    },
    introduction: ({ name, role, company }) =>
      company === ''
        ? `mi chiamo ${name}.`
        : role === ''
          ? `mi chiamo ${name} e Le scrivo da parte di ${company}.`
          : `mi chiamo ${name}, ${role} presso ${company}.`,
    occasion: ({ company, position }) =>
      position !== ''
        ? `Le scrivo per il Suo lavoro come ${position}${company === '' ? '' : ` presso ${company}`}.`
        : company === ''
          ? ''
          : `Le scrivo perché ciò che offriamo potrebbe essere utile a ${company}.`,
    audience: (words) => `È pensato per ${words}`,
    ask: 'Avrebbe un quarto d’ora questa settimana o la prossima per una breve telefonata?',
    closing: { friendly: 'Un caro saluto,', plain: 'Cordiali saluti,', formal: 'Distinti saluti,' },
    subject: ({ name, company, mine }) =>
      company !== '' && mine !== ''
        ? `${company} e ${mine}`
        : company !== ''
          ? `Una domanda su ${company}`
          : name === ''
            ? 'Una breve domanda'
            : `${name}, una breve domanda`,
    optOut: 'Non desidera ricevere e-mail come questa?',
  },
  nl: {
    greeting: {
      friendly: named('Hallo', 'Hallo'),
      plain: named('Beste', 'Goedendag'),
      formal: always('Goedendag,'),
    },
    introduction: ({ name, role, company }) =>
      company === ''
        ? `mijn naam is ${name}.`
        : role === ''
          ? `mijn naam is ${name}, ik schrijf u namens ${company}.`
          : `mijn naam is ${name}, ${role} bij ${company}.`,
    occasion: ({ company, position }) =>
      position !== ''
        ? `Ik neem contact op vanwege uw werk als ${position}${company === '' ? '' : ` bij ${company}`}.`
        : company === ''
          ? ''
          : `Ik neem contact op omdat wat wij doen van nut kan zijn voor ${company}.`,
    audience: (words) => `Het is bedoeld voor ${words}`,
    ask: 'Heeft u deze of volgende week een kwartier voor een kort gesprek?',
    closing: { friendly: 'Hartelijke groet,', plain: 'Met vriendelijke groet,', formal: 'Hoogachtend,' },
    subject: ({ name, company, mine }) =>
      company !== '' && mine !== ''
        ? `${company} en ${mine}`
        : company !== ''
          ? `Een vraag over ${company}`
          : name === ''
            ? 'Een korte vraag'
            : `${name}, een korte vraag`,
    optOut: 'Wilt u zulke e-mails niet ontvangen?',
  },
}
