// What other domains may use of tax.
export { taxRoutes } from './routes.ts'
