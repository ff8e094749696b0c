import { outreachPaths } from '../outreach-tabs.ts'

/** The editor of a template. */
export const templatePath = (id: number): string => `${outreachPaths.templates}/${id}`

/** The editor of a new template, which may begin with one of the house. */
export const newTemplatePath = (key?: string): string =>
  `${outreachPaths.templates}/new${key === undefined ? '' : `?from=${encodeURIComponent(key)}`}`
