import { paths } from '#web/platform/paths.ts'
import { outreachPaths } from '../runs/outreach-tabs.ts'

/** The editor of a template. */
export const templatePath = (id: number): string => `${outreachPaths.templates}/${id}`

/** The editor of a new template, which may begin with one of the house. */
export const newTemplatePath = (key?: string): string =>
  `${outreachPaths.templates}/new${key === undefined ? '' : `?from=${encodeURIComponent(key)}`}`

/** Names a template in the address of the contacts. */
export const CHOSEN_TEMPLATE = 'template'

/** The contacts, to choose whom to write to with a template. */
export const writeWithPath = (id: number): string => `${paths.contacts}?${CHOSEN_TEMPLATE}=${id}`
