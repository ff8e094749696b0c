import { describe, expect, test } from 'vitest'
import { advise } from '#contract/outreach/template-text/advise.ts'
import { placesToFill } from '#contract/outreach/template-text/places-to-fill.ts'
import { USUAL_VOICE } from '../briefs/briefs.ts'
import { HOUSE_TEMPLATES } from './house-templates.ts'
import { renderTemplate, UnusableTemplate } from './render-template.ts'

/** As somebody leaves them who likes the examples. */
const filled = (text: string) => text.replaceAll(/[[\]]/g, '')
const KIM = { name: 'Kim Lee', company: 'Lee Coffee', role: 'Roaster', voice: USUAL_VOICE }
const NOBODY = { name: 'Kim', company: '', role: '', voice: USUAL_VOICE }

/** People with names that are none, and the greeting that is right for each. */
const AWKWARD = [
  [{ name: 'Müller GmbH', email: 'kontakt@mueller.example' }, 'Hello,'],
  [{ name: 'The Bakery', email: 'hello@bakery.example' }, 'Hello,'],
  [{ name: 'Info', email: 'info@far.example' }, 'Hello,'],
  [{ name: 'Dr. Ana Ruiz', email: 'ruiz@far.example' }, 'Hello Ana,'],
  [{ name: 'Schmidt, Anna', email: 'a.schmidt@far.example' }, 'Hello Anna,'],
  [{ name: '', email: 'x@far.example' }, 'Hello,'],
  [{ name: '李小龙', email: 'li@far.example' }, 'Hello,'],
  [{ name: 'ANNA', email: 'anna.berg@far.example' }, 'Hello Anna,'],
  [{ name: 'a@b.de', email: 'a@b.de' }, 'Hello,'],
  [{ name: '🐺', email: 'wolf@far.example' }, 'Hello,'],
] as const
const PLACES = [
  { company: '', position: '' },
  { company: 'Müller & Söhne', position: 'Owner' },
]

describe.each(HOUSE_TEMPLATES.map((each) => [each.name, each] as const))('%s', (_, template) => {
  const ready = { subject: filled(template.subject), body: filled(template.body) }

  test.each(AWKWARD)('has no gap for %o', (person, greeting) => {
    for (const place of PLACES)
      for (const writer of [KIM, NOBODY]) {
        const { subject, text, blank } = renderTemplate(ready, { ...person, ...place }, writer)
        expect(blank).toEqual([])
        expect(text.split('\n')[0]).toBe(greeting)
        for (const part of [subject, text]) {
          expect(part).not.toMatch(/[{}[\]]| {2}| [,.;:!?]|\bundefined\b|\bnull\b|,,|\n{3}|^\s|\s$/u)
          expect(part.length).toBeGreaterThan(10)
        }
        expect(subject).not.toContain('\n')
        expect(text).toMatch(writer === KIM ? /\n\nKim Lee\nLee Coffee$/ : /\n\nKim$/)
      }
  })

  test('asks one thing in few words, and nothing speaks against it', () => {
    expect(advise(ready.subject, ready.body)).toEqual([])
    expect(ready.body.split('?').length - 1).toBe(1)
    expect(ready.body.split(/\s+/).length).toBeLessThan(110)
  })

  test('is not sent before its examples are replaced', () => {
    expect(placesToFill(`${template.subject}\n${template.body}`)).not.toEqual([])
    expect(() => renderTemplate(template, { ...AWKWARD[0][0], company: '', position: '' }, KIM)).toThrow(
      UnusableTemplate,
    )
  })
})

test('there are ten, each with a name of its own', () => {
  expect(new Set(HOUSE_TEMPLATES.map(({ key }) => key)).size).toBe(10)
  expect(new Set(HOUSE_TEMPLATES.map(({ name }) => name)).size).toBe(10)
})

test('what a contact is called is never read as a template', () => {
  const template = {
    subject: '{{ name }}',
    body: 'Hello {{ first_name | default: "there" }} of {{ company }}',
  }
  const hostile = {
    name: '{{ my_name }}',
    email: 'a@b.example',
    company: '{% if name %}[x]{% endif %}',
    position: '',
  }
  expect(renderTemplate(template, hostile, KIM)).toEqual({
    subject: '(( my_name ))',
    text: 'Hello there of (% if name %)[x](% endif %)',
    blank: [],
  })
})

test.each([
  ['en', 'friendly', 'Hi Anna, Hello'],
  ['de', 'plain', 'Guten Tag Anna, Guten Tag'],
  ['de', 'formal', 'Guten Tag, Guten Tag'],
  ['fr', 'friendly', 'Bonjour Anna, Bonjour'],
  ['es', 'plain', 'Buenos días, Anna, Buenos días'],
] as const)('greets in the language and tone of the user: %s, %s', (language, tone, greetings) => {
  const from = { ...KIM, voice: { language, tone } }
  const greet = (name: string) =>
    renderTemplate(
      { subject: 'Bread', body: '{{ greeting }}' },
      { name, email: 'a@far.example', company: '', position: '' },
      from,
    ).text
  expect([greet('Anna Berg'), greet('Müller GmbH')].join(', ')).toBe(greetings)
})
