import { sql } from './sql.ts'

/** Everything about the tables, indexes, constraints, triggers, views and functions of a database that its catalog can say. */
export async function schemaText(url: string): Promise<string[]> {
  const rows = await sql<{ text: string }>(
    url,
    `
      SELECT 'index ' || indexdef AS text FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
      UNION ALL SELECT 'trigger ' || tgenabled::text || ' ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
        || coalesce(column_default, '') || ' ' || coalesce(generation_expression, '') || ' ' || is_identity
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT 'view ' || viewname || ' ' || definition FROM pg_views WHERE schemaname = 'public'
      UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
      ORDER BY 1`,
  )
  return rows.map(({ text }) => text)
}
