export type WorkersTable = { id: string; started_at: Date; heartbeat_at: Date }
