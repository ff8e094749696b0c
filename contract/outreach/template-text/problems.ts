import { FIELDS } from './fields.ts'
import { likest } from './likest.ts'

/** Why a template cannot be used, and where. Lines and columns count from 1. */
export type TemplateProblem = { line: number; column: number; message: string }

/** The sentences of all problems that a template can have. */
export const PROBLEMS = {
  tooLong: (most: number) => `This is too long: ${most.toLocaleString('en')} characters are the most.`,
  tooManyTags: (most: number) => `A template can have ${most} fields and conditions at most.`,
  tooDeep: (most: number) => `Conditions can stand in each other ${most} deep at most.`,
  unclosedField: () => 'This field is not closed: “}}” is missing.',
  unclosedTag: () => 'This condition is not closed: “%}” is missing.',
  unopened: (end: string) => `“${end}” closes nothing here.`,
  unclosedIf: () => 'This condition does not end: “{% endif %}” is missing.',
  noIf: (word: string) => `“{% ${word} %}” belongs to no condition: “{% if … %}” is missing before it.`,
  secondElse: () => 'This condition has a second “{% else %}”.',
  emptyField: () => 'A field has no name here.',
  unknownField: (name: string) => {
    const meant = likest(
      name,
      FIELDS.map((field) => field.name),
    )
    return `There is no field “${name}”.${meant === null ? '' : ` Is ${meant} meant?`}`
  },
  unknownFilter: (name: string) =>
    `“${name}” is not known here. Only a default can follow a field: {{ first_name | default: "there" }}.`,
  badDefault: () => 'A default stands in quotes: default: "there".',
  badField: () => 'A field is one name, and perhaps its default: {{ first_name | default: "there" }}.',
  badIf: () => 'A condition asks for one field: {% if company %}.',
  unknownTag: (word: string) =>
    `“{% ${word} %}” is not known here. There is only {% if company %} … {% else %} … {% endif %}.`,
} as const
