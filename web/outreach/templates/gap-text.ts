import { fieldOf } from '#contract/outreach/template-text/fields.ts'
import type { TemplateGap } from '#contract/outreach/templates.ts'
import { namesOf } from '../runs/left-out.ts'

/** What a template would miss, and for whom, in a sentence. */
export function gapText(gap: TemplateGap): string {
  const { field, contacts } = gap
  const known = fieldOf(field)
  const label = (known?.label ?? field).toLowerCase()
  if (known?.of === 'writer') return `Your profile does not say what stands for ${label}.`
  const who = contacts === 1 ? 'one contact' : `${contacts.toLocaleString('en')} contacts`
  return known === undefined
    ? `Nothing is left of the ${label} for ${who}: ${namesOf(gap)}.`
    : `The ${label} is not known of ${who}: ${namesOf(gap)}.`
}
