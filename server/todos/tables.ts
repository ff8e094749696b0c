import type { Generated } from 'kysely'

export type TodosTable = {
  user_id: number
  id: Generated<number>
  title: string
  description: Generated<string>
  /** `YYYY-MM-DD`. */
  due_date: string | null
  priority: Generated<'low' | 'medium' | 'high'>
  completed: Generated<boolean>
  contact_id: number | null
  email_id: number | null
  created_at: Date
  updated_at: Date
}
