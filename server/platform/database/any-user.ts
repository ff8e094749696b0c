import { sql } from 'kysely'

/**
 * A user id that the planner cannot see while planning. It would look up a new user, not find them among those with
 * many mails, and expect a single mail: then it reads all their mails instead of a few through the index.
 */
export const anyUser = (userId: number) => sql`(SELECT ${userId}::bigint)`
