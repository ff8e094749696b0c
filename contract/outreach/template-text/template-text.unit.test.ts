import { describe, expect, test } from 'vitest'
import { FIELDS, type FieldValues, fieldTag } from './fields.ts'
import { parseTemplate, TEMPLATE_BODY_MAX } from './parse-template.ts'
import { cleanValue, fillTemplate, VALUE_MAX } from './fill-template.ts'

const ANA: FieldValues = {
  greeting: 'Hello Ana',
  first_name: 'Ana',
  name: 'Ana Ruiz',
  company: 'Ruiz & Co',
  position: '',
  email: 'ana@ruiz.example',
  my_name: 'Kim Lee',
  my_company: '',
  my_role: '',
}

const problemsOf = (source: string) =>
  parseTemplate(source).problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
const render = (source: string, values: Partial<FieldValues> = {}) => {
  const { nodes, problems } = parseTemplate(source)
  expect(problems).toEqual([])
  return fillTemplate(nodes, { ...ANA, ...values })
}
const said = (source: string, values: Partial<FieldValues> = {}) => render(source, values).text

describe('a template', () => {
  test.each([
    ['Hello {{ first_name }}!', 'Hello Ana!'],
    ['Hello {{first_name|default:"there"}}!', 'Hello Ana!'],
    ['Your work as {{ position | default: "you know what" }}', 'Your work as you know what'],
    ["{{ position | default: 'x' }}", 'x'],
    ['{{ position | default: “typed on a phone” }}', 'typed on a phone'],
    ['{% if company %}At {{ company }}{% else %}Somewhere{% endif %}.', 'At Ruiz & Co.'],
    ['{% if position %}As {{ position }}{% else %}At work{% endif %}.', 'At work.'],
    ['{% if company %}{% if position %}both{% else %}one{% endif %}{% endif %}', 'one'],
    ['50 % off, { and }, $name, <b>, \\', '50 % off, { and }, $name, <b>, \\'],
    ['', ''],
  ])('%s is filled in', (source, text) => expect(said(source)).toBe(text))

  test('takes the line of a condition with it', () => {
    const source = 'Hello,\n\n{% if position %}\nYou work.\n  {% else %}  \nGood day.\n{% endif %}\n\nKim'
    expect(said(source)).toBe('Hello,\n\nGood day.\n\nKim')
    expect(said(source, { position: 'Cook' })).toBe('Hello,\n\nYou work.\n\nKim')
    expect(said('Hello,\n\n{% if position %}\nYou work.\n{% endif %}\n\nKim')).toBe('Hello,\n\nKim')
  })

  test('names its gaps, and closes them up', () => {
    expect(render('Hello {{ position }}, how are you, {{ my_role }}?')).toEqual({
      text: 'Hello, how are you,?',
      blank: ['position', 'my_role'],
    })
    expect(said('One {{ position }} two {{ my_company }}')).toBe('One two')
    expect(render('{% if position %}{{ position }}{% endif %}').blank).toEqual([])
  })

  test('never reads a value again', () => {
    const hostile = '{{ my_name }}{% if company %}x{% endif %}'
    const text = said('Hello {{ first_name }} of {{ company }}', { first_name: hostile, company: '{{' })
    expect(text).toBe('Hello (( my_name ))(% if company %)x(% endif %) of ((')
    expect(said('{{ name }}{{ company }}', { name: '{', company: '{ my_name }}' })).not.toContain('{{')
  })

  test('puts a value on one line, of a limited length', () => {
    expect(said('Hello {{ name }}.', { name: ' Ana\r\nBcc: all@far.example\u2028\u202E\0Ruiz ' })).toBe(
      'Hello Ana Bcc: all@far.example Ruiz.',
    )
    expect(cleanValue('狼'.repeat(5000)).length).toBe(VALUE_MAX)
    expect(cleanValue('👩🏽‍🍳'.repeat(2000)).isWellFormed()).toBe(true)
  })

  test.each([
    ['Hello\n  {{ frist_name }}', ['2:3 There is no field “frist_name”. Is first_name meant?']],
    ['{{ constructor }}', ['1:1 There is no field “constructor”.']],
    ['{{ __proto__ }}', ['1:1 There is no field “__proto__”.']],
    ['{% if toString %}x{% endif %}', ['1:1 There is no field “toString”.']],
    ['{{ name.constructor }}', ['1:1 There is no field “name.constructor”.']],
    ['{{ first_name', ['1:1 This field is not closed: “}}” is missing.']],
    ['Dear {{ first_name }, hello', ['1:6 This field is not closed: “}}” is missing.']],
    [
      '{{ {{ }} }}',
      [
        '1:1 This field is not closed: “}}” is missing.',
        '1:4 A field has no name here.',
        '1:10 “}}” closes nothing here.',
      ],
    ],
    [
      '{{{ name }}',
      ['1:1 A field is one name, and perhaps its default: {{ first_name | default: "there" }}.'],
    ],
    ['{{ }}', ['1:1 A field has no name here.']],
    [
      '{{ first name }}',
      ['1:1 A field is one name, and perhaps its default: {{ first_name | default: "there" }}.'],
    ],
    [
      '{{ name | upcase }}',
      [
        '1:1 “upcase” is not known here. Only a default can follow a field: {{ first_name | default: "there" }}.',
      ],
    ],
    ['{{ name | default: there }}', ['1:1 A default stands in quotes: default: "there".']],
    ['{{ name | default: "a" | upcase }}', ['1:1 A default stands in quotes: default: "there".']],
    ['a\nb {% if company %}c', ['2:3 This condition does not end: “{% endif %}” is missing.']],
    ['{% endif %}', ['1:1 “{% endif %}” belongs to no condition: “{% if … %}” is missing before it.']],
    ['{% if name %}{% else %}{% else %}{% endif %}', ['1:24 This condition has a second “{% else %}”.']],
    ['{% if company and name %}x{% endif %}', ['1:1 A condition asks for one field: {% if company %}.']],
    [
      '{% for a in b %}',
      ['1:1 “{% for %}” is not known here. There is only {% if company %} … {% else %} … {% endif %}.'],
    ],
    ['{% if name }x', ['1:1 This condition is not closed: “%}” is missing.']],
    ['a %} b', ['1:3 “%}” closes nothing here.']],
  ])('%s says what is wrong, and where', (source, problems) => {
    expect(problemsOf(source)).toEqual(problems)
  })

  test('has limits', () => {
    const nested = (deep: number) => '{% if name %}'.repeat(deep) + 'x' + '{% endif %}'.repeat(deep)
    expect(problemsOf(nested(10))).toEqual([])
    expect(problemsOf(nested(11))).toEqual(['1:131 Conditions can stand in each other 10 deep at most.'])
    expect(problemsOf(nested(100))[0]).toBe('1:131 Conditions can stand in each other 10 deep at most.')
    expect(problemsOf('{{ name }}'.repeat(200))).toEqual([])
    expect(problemsOf('{{ name }}'.repeat(201))).toEqual([
      '1:2001 A template can have 200 fields and conditions at most.',
    ])
    expect(problemsOf('x'.repeat(TEMPLATE_BODY_MAX))).toEqual([])
    expect(problemsOf('{{'.repeat(500_000))).toEqual([
      '1:10001 This is too long: 10,000 characters are the most.',
    ])
    expect(problemsOf('{{ '.repeat(3000)).length).toBe(10)
  })

  test.each(FIELDS.map(({ name }) => [name]))('has %s, as its button writes it', (name) =>
    expect(said(fieldTag(name))).toBeTypeOf('string'),
  )
})
