/** The person that a mail goes to, as far as the contact says. */
export type Recipient = { name: string; email: string; company: string; position: string; notes: string }

/** Who writes. */
export type Writer = { name: string; company: string; role: string }

export type WrittenMail = { subject: string; text: string }

/** How much of a contact's notes may find its way into a mail. */
const NOTE_MAX = 160

/**
 * The mail that goes out when no language model wrote one: greeting by first name, who writes, a line from what the
 * contact's card says. Good enough to send; nothing is ever left unfilled.
 */
export function templateMail(to: Recipient, from: Writer): WrittenMail {
  const me = [from.name, [from.role, from.company].filter((part) => part !== '').join(' at ')].filter(
    (part) => part !== '',
  )
  const lines = [
    `${greeting(to)},`,
    '',
    `${introduction(from)} ${occasion(to)}`,
    '',
    aboutThem(to),
    '',
    'Would you have fifteen minutes this week or next for a short call? If somebody else is the right person to talk to, I would be grateful for a pointer.',
    '',
    'Kind regards,',
    ...me,
  ]
  return { subject: subjectFor(to, from), text: lines.join('\n') }
}

/** The name to greet somebody by; empty when the card gives none that is one. */
export function firstName(to: Pick<Recipient, 'name' | 'email'>): string {
  const name = to.name.trim()
  if (name === '' || name.includes('@') || /\d/.test(name)) return ''
  const [first = '', second = ''] = (name.includes(',') ? name.split(',').slice(1).join(' ') : name)
    .trim()
    .split(/\s+/)
  const plain = /^(mr|mrs|ms|dr|prof|herr|frau|mme|m)\.?$/i.test(first) ? second : first
  if (plain.length < 2 || plain.toLowerCase() === to.email.split('@')[0]?.toLowerCase())
    return plain.length < 2 ? '' : capital(plain)
  return capital(plain)
}

function capital(word: string): string {
  return word === word.toLowerCase() || word === word.toUpperCase()
    ? word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
    : word
}

function greeting(to: Recipient): string {
  const name = firstName(to)
  return name === '' ? 'Hello' : `Hello ${name}`
}

function introduction(from: Writer): string {
  if (from.role !== '' && from.company !== '')
    return `my name is ${from.name}, ${from.role} at ${from.company}.`
  if (from.company !== '') return `my name is ${from.name}, I write to you from ${from.company}.`
  return `my name is ${from.name}.`
}

function occasion(to: Recipient): string {
  if (to.company !== '' && to.position !== '')
    return `I am getting in touch because of your work as ${to.position} at ${to.company}.`
  if (to.company !== '') return `I am getting in touch because of what you do at ${to.company}.`
  if (to.position !== '') return `I am getting in touch because of your work as ${to.position}.`
  return 'I am getting in touch because I believe that we could be useful to each other.'
}

function aboutThem(to: Recipient): string {
  const note = to.notes
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.\s]+$/, '')
  if (note !== '' && note.length <= NOTE_MAX)
    return `I have kept a note from before: “${note}”. I would like to take that up with you.`
  if (to.company !== '')
    return `I would like to learn what matters most at ${to.company} at the moment, and where we could take work off your hands.`
  return 'I would like to learn what matters most to you at the moment, and where we could take work off your hands.'
}

function subjectFor(to: Recipient, from: Writer): string {
  const name = firstName(to)
  if (to.company !== '' && from.company !== '') return `${to.company} and ${from.company}`
  if (to.company !== '') return `A question about ${to.company}`
  if (name !== '') return `${name}, a short question`
  return 'A short question'
}
