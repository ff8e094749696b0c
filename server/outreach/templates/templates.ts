// What other domains may use of templates.
export { templateRoutes } from './routes.ts'
export type { Reader } from './field-values.ts'
export {
  type Concerned,
  countUnder,
  type Gap,
  gapFinder,
  gapsIn,
  sayGaps,
  type ReadTemplate,
  readTemplate,
  renderTemplate,
  type RenderedTemplate,
  UnusableTemplate,
} from './render-template.ts'
export { findTemplate, type TemplateRow } from './store.ts'
