// What other domains may use of imports.
export { startContactImportLoops } from './purge-imports.ts'
export { contactImportRoutes } from './routes.ts'
