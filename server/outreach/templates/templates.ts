// What other domains may use of templates.
export { templateRoutes } from './routes.ts'
export type { Reader, TemplateWriter } from './field-values.ts'
export { type Gap, gapFinder, gapsIn, sayGaps } from './find-gaps.ts'
export {
  type ReadTemplate,
  readTemplate,
  renderTemplate,
  type RenderedTemplate,
  UnusableTemplate,
} from './render-template.ts'
export { writerOfTemplates } from './writer.ts'
export { findTemplate, type TemplateRow } from './store.ts'
