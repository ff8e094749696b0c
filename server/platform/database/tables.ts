/** Every table of the database. Each domain's tables.ts adds its own, so that nothing here knows a domain. */
export interface Tables {}
