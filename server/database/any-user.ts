import { sql } from 'kysely'

/**
 * The user's id as the planner does not know it before it runs. It would look a user up who has just come, find that he
 * is none of those with many mails, and take him for one with a single one: then it reads all of his mails from end to
 * end instead of asking the index for a few.
 */
export const anyUser = (userId: number) => sql`(SELECT ${userId}::bigint)`
