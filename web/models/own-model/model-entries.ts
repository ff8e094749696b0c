/** What stands in the form of one's own model. */
export type ModelEntries = { base_url: string; api_key: string; model: string }
