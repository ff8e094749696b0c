// What other domains may use of outreach.
export { outreachJobs, startOutreachLoops } from './jobs.ts'
export { outreachRoutes } from './routes.ts'
