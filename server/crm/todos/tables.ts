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

/** The subject of a task: a view on contacts and emails. */
export type TodoSubjectsView = {
  user_id: number
  todo_id: number
  contact_name: string | null
  email_subject: string | null
  email_folder: string | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    todos: TodosTable
    todo_subjects: TodoSubjectsView
  }
}
