// What other parts may use of outreach.
export { outreachJobs, startOutreachLoops } from './jobs.ts'
export { outreachRoutes } from './routes.ts'
