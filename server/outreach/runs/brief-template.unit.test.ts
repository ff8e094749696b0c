import { describe, expect, it } from 'vitest'
import { type BriefFields, MAIL_LANGUAGES, TONES } from '#contract/outreach/briefs.ts'
import { briefMail } from './fallback-template.ts'

const BRIEF: BriefFields = {
  offer: 'Gardens, all year round',
  audience: 'hotels',
  benefit: '',
  proof: '',
  ask: '',
  tone: 'plain',
  language: 'en',
  signature: '',
}
const from = { name: 'Ada Muster', company: 'Muster Ltd', role: 'owner' }

/** Names that are no first names, and contacts of whom little is known. */
const AWKWARD = [
  'Müller GmbH',
  'The Bakery',
  '',
  'Dr. Ana Ruiz',
  'Schmidt, Anna',
  '李小龙',
  'ANNA',
  'a@b.de',
  '🌿',
].flatMap((name) => [
  { name, email: 'info@house.example', company: '', position: '', notes: 'secret' },
  { name, email: 'info@house.example', company: 'House', position: 'cook', notes: 'secret' },
])

describe.each(MAIL_LANGUAGES)('the template in $name', ({ code }) => {
  it.each(TONES)('has no gaps for any contact, and never quotes notes, in the tone %s', (tone) => {
    for (const to of AWKWARD) {
      for (const brief of [BRIEF, { ...BRIEF, audience: '', offer: 'Gardens.' }]) {
        const { subject, text } = briefMail(to, from, { ...brief, language: code, tone })
        expect(`${subject}\n${text}`).not.toMatch(/undefined|null|\{\{| {2}|\n{3}|\.\.| [,.]|secret|^ | $/m)
        expect(subject).not.toBe('')
        expect(text.endsWith('\nAda Muster\nowner, Muster Ltd')).toBe(true)
      }
    }
  })
})

it('greets by the first name where one is certain', () => {
  const greetings = AWKWARD.filter(({ company }) => company === '').map(
    (to) => briefMail(to, from, BRIEF).text.split('\n')[0],
  )
  expect(greetings).toEqual([
    'Hello,',
    'Hello,',
    'Hello,',
    'Hello Ana,',
    'Hello Anna,',
    'Hello,',
    'Hello Anna,',
    'Hello,',
    'Hello,',
  ])
})

it('ends what the user has written with a full stop, where it has no end of its own', () => {
  const to = { name: 'Ben', email: 'ben@house.example', company: '', position: '', notes: '' }
  const said = {
    offer: 'Gardens',
    benefit: 'Green!',
    proof: '“It works.”',
    ask: 'May I call?',
    signature: 'Ada\n\nMuster',
  }
  const { text } = briefMail(to, { ...from, role: '', company: '' }, { ...BRIEF, ...said })
  expect(text).toBe(
    'Hello Ben,\n\nmy name is Ada Muster.\n\nGardens. It is for hotels. Green!\n\n“It works.”\n\nMay I call?\n\nKind regards,\nAda\n\nMuster',
  )
})
